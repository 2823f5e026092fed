import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGate } from '../../src/library/index.ts'
import { openStepDatabase } from '../../src/past/database.ts'
import { hookgate } from '../support/cli.ts'
import { emptyHome, missing } from '../support/own-folder.ts'
import { claudeShell } from '../support/wire.ts'
import { folderWith } from '../support/workspace.ts'

/** Says its states where a command asks for them, and lets everything else pass. */
const policy = `
import { count, custom, definePolicy, deny, label } from 'hookgate/policy'
export default definePolicy({
  id: 'says-its-states',
  description: 'part of a test',
  on: 'PreToolUse',
  tool: 'shell',
  state: {
    calls: count({}),
    ofAll: count({}, { scope: 'user' }),
    web: label({ command: 'curl' }),
    words: custom({
      initial: [] as readonly string[],
      of: { outcome: 'allowed' },
      reduce: (words, { text }) => [...words, text].slice(-9),
    }),
  },
  decide({ tool, state }) {
    if (tool.command === 'probe')
      return deny(JSON.stringify([state.calls, state.ofAll, state.web?.text ?? null, state.words]))
  },
})
`
const commands = ['ls', 'npm test', 'curl -I https://a.example', 'git status'] as const
const seed = 20_261_129

/** A generator whose numbers a seed repeats. */
function randomOf(first: number): (below: number) => number {
  let state = first
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

describe('sessions, sub-agents, gates, cold runs and kills in random order', () => {
  it('leave a state that every gate and every cold run reads alike, as the fold of all kept steps', async () => {
    const state = folderWith()
    const root = folderWith({ 'says.policy.ts': policy })
    const rules = join(root, 'says.policy.ts')
    const env = { PATH: process.env['PATH'] ?? '', HOME: emptyHome, HOOKGATE_HOME: state }
    const gates = [1, 2].map(() => {
      const gate = createGate({ rules: [rules], discover: false, state, home: emptyHome, managedFolder: missing })
      onTestFinished(() => gate.close())
      return gate
    })
    const wireOf = (command: string, session: string, more: object) =>
      claudeShell(command, root, { session_id: session, tool_use_id: `t${(calls += 1)}`, ...more })
    let calls = 0
    const cold = (wire: object, isKilled = false) =>
      hookgate(['run', '--rules', rules], {
        env,
        cwd: root,
        stdin: JSON.stringify(wire),
        onStart: (child) => isKilled && child.stdout?.once('data', () => child.kill('SIGKILL')),
      })
    const random = randomOf(seed)
    const told = new Map([
      ['a', 0],
      ['b', 0],
    ])
    for (let at = 0; at < 28; at += 1) {
      const session = random(2) === 0 ? 'a' : 'b'
      const more = random(2) === 0 ? {} : { agent_id: `sub${random(2)}`, agent_type: 'general-purpose' }
      const wire = wireOf(commands[random(commands.length)] ?? 'ls', session, more)
      const actor = random(7)
      const gate = gates[actor % 2]
      // oxlint-disable-next-line no-await-in-loop -- some at the same time, the others one after the other
      if (actor >= 5) await cold(wire, actor === 6)
      // oxlint-disable-next-line no-await-in-loop -- in order
      else await gate?.decide(await gate.decode(wire))
      told.set(session, (told.get(session) ?? 0) + 1)
    }
    const store = openStepDatabase(join(state, 'past.db'))
    const steps = store.after({ kind: 'user', id: '' }, 0).filter(({ outcome }) => outcome === 'allowed')
    store.close()
    for (const [session, number] of told) {
      const own = steps.filter((step) => step.session === session)
      expect(own).toHaveLength(number)
      const first = own.find(({ text }) => text.startsWith('curl'))
      const wanted = [own.length, steps.length, first?.text ?? null, own.slice(-9).map(({ text }) => text)]
      for (const more of [{}, { agent_id: 'new', agent_type: 'x' }]) {
        const wire = () => wireOf('probe', session, more)
        for (const gate of gates) {
          // oxlint-disable-next-line no-await-in-loop -- in order
          const { reason } = await gate.decide(await gate.decode(wire()))
          expect(JSON.parse(reason.replace(/ \(explicit:.*$/, ''))).toEqual(wanted)
        }
      }
      // oxlint-disable-next-line no-await-in-loop -- in order
      const { stdout } = await cold(wireOf('probe', session, {}))
      expect(stdout).toContain(JSON.stringify(JSON.stringify(wanted)).slice(1, -1))
    }
  })
})
