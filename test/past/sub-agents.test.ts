import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { createGate } from '../../src/library/index.ts'
import { hookgate } from '../support/cli.ts'
import { emptyHome, missing } from '../support/own-folder.ts'
import { claudeShell } from '../support/wire.ts'
import { folderWith } from '../support/workspace.ts'

/** Says how much of a budget is spent where a command asks for it, and refuses what comes behind its end. */
const policy = (cap: number) => `
import { budget, definePolicy, deny } from 'hookgate/policy'
export default definePolicy({
  id: 'fetches',
  description: 'part of a test',
  on: 'PreToolUse',
  tool: 'shell',
  state: { fetched: budget({ command: 'curl' }, { cap: ${cap} }) },
  decide({ tool, state: { fetched } }) {
    if (tool.command === 'probe') return deny(JSON.stringify(fetched))
    if (tool.command.startsWith('curl') && fetched.exhausted) return deny('spent')
  },
})
`

/** A generator whose numbers a seed repeats. */
function randomOf(first: number): (below: number) => number {
  let state = first
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

const callers = [{}, { agent_id: 'one', agent_type: 'general-purpose' }, { agent_id: 'two', agent_type: 'explore' }]
const cap = 6
const Budget = z.object({ spent: z.number(), left: z.number(), exhausted: z.boolean() })

describe('a budget over a session and its two sub-agents', () => {
  // A gate answers several calls at a time; which of them get what is left, nobody can say, but how many.
  it.each([3, 17, 2026])(
    'is spent by all three together, in any order, at once, and over a process that is killed between: seed %i',
    async (seed) => {
      const state = folderWith()
      const root = folderWith({ 'fetches.policy.ts': policy(cap) })
      const rules = join(root, 'fetches.policy.ts')
      const open = () => {
        const gate = createGate({ rules: [rules], discover: false, state, home: emptyHome, managedFolder: missing })
        onTestFinished(() => gate.close())
        return gate
      }
      const random = randomOf(seed)
      let gate = open()
      let calls = 0
      const wireOf = (command: string, caller: number, session = 's') =>
        claudeShell(command, root, { session_id: session, tool_use_id: `t${(calls += 1)}`, ...callers[caller] })
      const say = async (wire: ReturnType<typeof wireOf>) => (await gate.decide(await gate.decode(wire))).decision
      const spentFor = async (caller: number) => {
        const { reason } = await gate.decide(await gate.decode(wireOf('probe', caller)))
        return Budget.parse(JSON.parse(reason.replace(/ \(explicit:.*$/, '')))
      }
      /** The fold of the test: the calls that were let through, whoever has made them. */
      let spent = 0
      const killedAt = 3 + random(3)
      for (let at = 0; at < 8; at += 1) {
        if (at === killedAt) {
          const env = { PATH: process.env['PATH'] ?? '', HOME: emptyHome, HOOKGATE_HOME: state }
          // oxlint-disable-next-line no-await-in-loop -- in order
          await hookgate(['run', '--rules', rules], {
            env,
            cwd: root,
            stdin: JSON.stringify(wireOf('curl https://killed.example', random(3))),
            // At any moment: before it has read the call, while it decides, or behind it.
            onStart: (child) => setTimeout(() => child.kill('SIGKILL'), random(900)),
          })
          // oxlint-disable-next-line no-await-in-loop -- in order
          await gate.close()
          gate = open()
          // Whether it has come to tell the call, nobody knows; it has told all of it, or nothing.
          // oxlint-disable-next-line no-await-in-loop -- in order
          const now = await spentFor(0)
          expect([spent, Math.min(cap, spent + 1)]).toContain(now.spent)
          spent = now.spent
          continue
        }
        const together = Array.from({ length: 1 + random(4) }, () =>
          wireOf(
            random(3) === 0 ? 'ls' : `curl https://a${random(9)}.example`,
            random(3),
            random(5) === 0 ? 'other' : 's',
          ),
        )
        // oxlint-disable-next-line no-await-in-loop -- the calls of one turn are at once, turns one after the other
        const decisions = await Promise.all(together.map(say))
        const fetches = together.flatMap(({ session_id: session, tool_input: input }, index) => {
          return session === 's' && input.command.startsWith('curl') ? [decisions[index]] : []
        })
        const letThrough = Math.min(fetches.length, cap - spent)
        expect(fetches.filter((one) => one === 'abstain')).toHaveLength(letThrough)
        spent += letThrough
        for (const caller of [0, 1, 2]) {
          // oxlint-disable-next-line no-await-in-loop -- in order
          expect(await spentFor(caller)).toEqual({ spent, left: cap - spent, exhausted: spent === cap })
        }
      }
    },
  )
})
