import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { titleOf } from '../../src/agents/registry.ts'
import type { ProtocolSupport } from '../../src/model/dialect.ts'
import { claudeEvent } from '../support/wire.ts'
import { dialects } from '../support/dialects.ts'
import { type Pinned, programOf } from './pins.ts'
import { setups } from './setups.ts'
import { type Ran, type World, worldOf } from './world.ts'

// A form of tokens that no agent masks itself, before it asks: droid and OpenClaw do so with better known ones.
const token = 'sgp_Ab3dE5gH7jK9mN1pQ3sT5vW7yZ9aB1cD3eF5'
const files = { 'notes.txt': `the token is ${token}, for now\n` }

/** A policy that fails at every output that has this word. */
const failing = `import { definePolicy } from 'hookgate/policy'
export default definePolicy({
  id: 'failing',
  description: 'Fails',
  on: ['PostToolUse', 'PostToolUseFailure'],
  decide({ event }) {
    if (JSON.stringify(event.result ?? '').includes('hello-there')) throw new Error('no')
  },
})
`

// What the setups of one agent differ in is how it asks, which has no part in this.
const first = setups.filter(
  ({ agent }, at) => setups.findIndex((one) => one.agent === agent) === at && programOf(agent),
)

describe.each(first)('$title, with a secret in an output', ({ agent, flags }) => {
  let world: World
  beforeAll(async () => {
    world = await worldOf(agent, flags)
    const file = join(world.home, '.config/hookgate/hooks.json')
    writeFileSync(
      file,
      JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), packs: [{ pack: 'output-secrets' }] }),
    )
    writeFileSync(join(world.home, '.config/hookgate/policies/failing.policy.ts'), failing)
  })
  afterAll(() => world.close())
  const run = async (...commands: readonly string[]) =>
    world.run(() => ({ main: commands.map((command) => ({ calls: [world.launch.shell(command)] })) }), files)

  it('shows the model the mask where a rule can hide it, and says so where none can', async () => {
    // Kimi Code waits for no hook behind a call, and ends those that still run when it ends itself.
    const ran = await run('cat notes.txt', ...(agent === 'kimi-code' ? ['sleep 3'] : []))
    const { context } = supportOf(agent)
    const hides = hidesIn(agent)
    expect(heard(ran, token)).toBe(!hides)
    expect(heard(ran, '[hidden by hookgate: Sourcegraph token')).toBe(hides)
    if (!hides && context === 'native')
      expect(heard(ran, `which ${titleOf(agent)} cannot do`)).toBe(tellsLate.has(agent))
    const log = await world.cli(['log', '--event', 'all'])
    expect(log.stdout).toContain('hides Sourcegraph token')
    expect(log.stdout).not.toContain(token)
    const checked = await world.cli(['check', join(world.home, '.config/hookgate/hooks.json')])
    // Lines are broken at the width of a terminal.
    expect(/no rule can change what a tool has returned/.test(checked.stdout.replaceAll(/\s+/g, ' '))).toBe(!hides)
  })

  it('shows the model the mask of a command that fails, but for those whose failures cannot be changed', async () => {
    const ran = await run('cat notes.txt; exit 3')
    expect(heard(ran, token)).toBe(!hidesIn(agent) || keepsFailures.has(agent))
  })

  it('withholds an output if a policy fails that might have hidden something, where it can', async () => {
    const ran = await run(`printf 'hello-'; printf 'there'`)
    if (hidesIn(agent)) {
      expect(heard(ran, 'hello-there')).toBe(false)
      // Copilot CLI has a text of its own, with the reason.
      expect(heard(ran, '[withheld by hookgate') || heard(ran, 'policies#failing')).toBe(true)
    }
  })

  it('is refused its mask in the place of the value', async () => {
    const ran = await run(`touch made-of-a-mask; echo '[hidden by hookgate: GitHub token; use $GITHUB_TOKEN]'`)
    expect(ran.made('made-of-a-mask')).toBe(false)
    if (world.launch.refusalEnds !== true) expect(heard(ran, 'use `$GITHUB_TOKEN`')).toBe(true)
  })
})

/** Those whose failed commands come with an event of their own, at which no output can be changed. Measured here. */
const keepsFailures = new Set<string>(['claude-code'])
/** Those that tell the model what a rule adds to an output. Measured here. */
const tellsLate = new Set<string>(['cline', 'qwen-code', 'grok-build', 'droid'])

const heard = ({ asked }: Ran, text: string) =>
  asked.slice(1).some((body) => body.includes(text) || body.includes(JSON.stringify(text).slice(1, -1)))

/** Whether an output can be changed, in whatever way. */
const hidesIn = (agent: Pinned) => ['native', 'asReason'].includes(supportOf(agent).replaceOutput)

function supportOf(agent: Pinned): ProtocolSupport {
  const call = dialects[agent]
  const { raw: _, ...event } = dialects['claude-code'].decodeEvent(
    claudeEvent('PostToolUse', '/p', { tool_name: 'Bash', tool_input: { command: 'x' }, tool_response: 'x' }),
    { nowMs: 0, env: {}, cwd: '/p' },
  )
  return call.support({ ...event, agent, raw: {} })
}
