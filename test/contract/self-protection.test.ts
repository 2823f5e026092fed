import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { agentNames, agents } from '../../src/agents/registry.ts'
import { shellCall } from '../../src/agents/neutral-call.ts'
import { EnableRecord } from '../../src/install/files/own-state.ts'
import { createGate } from '../../src/library/index.ts'
import { agentUser } from '../support/enabling.ts'

/** A gate as the user's own would be, for another folder of state. */
function gateOf(user: ReturnType<typeof agentUser>, stateFolder: string) {
  const home = user.at('home')
  const gate = createGate({
    placement: 'caller',
    home,
    env: { HOME: home },
    managedFolder: user.at('managed'),
    state: stateFolder,
    keeps: false,
  })
  onTestFinished(() => gate.close())
  return gate
}

describe('after a real `enable` of every agent', () => {
  it('no agent may change the file in which any of them is registered, for the user or the project', async () => {
    const user = agentUser()
    for (const agent of agentNames) {
      for (const scope of ['user', 'project']) {
        // oxlint-disable-next-line no-await-in-loop -- one lock
        const ended = await user.cli(['enable', agent, '--scope', scope])
        const isRefused = (agent === 'kimi-code' || agent === 'openclaw') && scope === 'project'
        const expected = { stderr: isRefused ? expect.stringContaining('only from its user’s own') : '' }
        expect({ agent, ...ended }).toMatchObject({ agent, ...expected, exitCode: isRefused ? 1 : 0 })
      }
    }
    const records = Object.values(user.files('state/enabled'))
      .map((text) => EnableRecord.parse(JSON.parse(text)))
      .flatMap(({ file, agent }) => (agent === undefined ? [] : [{ file, agent }]))
    expect(new Set(records.map(({ agent }) => agent))).toEqual(new Set(agentNames))
    const gate = gateOf(user, user.places.folder)
    const alone = gateOf(user, user.at('no-state'))
    for (const { file, agent } of records) {
      for (const [by, how] of [
        [gate, 'claude-code'],
        // Without its record, a file is known by the agent's descriptor.
        [alone, agent],
      ] as const) {
        // oxlint-disable-next-line no-await-in-loop -- in order
        const wire = await shellCall(how, `rm '${file}'`, user.project, 's')
        // oxlint-disable-next-line no-await-in-loop -- in order
        const { verdict } = await by.answer(wire, { agent: agentNames.find((name) => name === how) ?? 'claude-code' })
        expect({ file, how, decision: verdict?.decision }).toEqual({ file, how, decision: 'deny' })
      }
    }
  })

  it.each(agents.filter(({ name }) => name !== 'claude-code'))(
    'Claude Code may not change the settings that decide whether $title asks, in the home and in the project',
    async ({ name, hookSettings }) => {
      const user = agentUser()
      expect(await user.cli(['enable', name])).toMatchObject({ exitCode: 0 })
      const gate = gateOf(user, user.places.folder)
      const files = hookSettings.flatMap((way) => [user.at(`home/${way}`), join(user.project, way)])
      const verdicts = files.map(async (file) => {
        const wire = await shellCall('claude-code', `rm -r '${file}'`, user.project, 's')
        const { verdict } = await gate.answer(wire, { agent: 'claude-code' })
        return { file, decision: verdict?.decision }
      })
      expect(await Promise.all(verdicts)).toEqual(files.map((file) => ({ file, decision: 'deny' })))
    },
  )

  it('its registered hook refuses a call that disables hookgate, with no rules and no gate that runs', async () => {
    const user = agentUser()
    expect(await user.cli(['enable', 'codex'])).toMatchObject({ exitCode: 0 })
    const { hooks } = JSON.parse(user.read('home/.codex/hooks.json')) as {
      hooks: Record<string, readonly { hooks: readonly { command: string }[] }[]>
    }
    const command = hooks['PreToolUse']?.[0]?.hooks[0]?.command ?? ''
    const ask = async (words: string) => {
      const input = JSON.stringify(await shellCall('codex', words, user.project, 's'))
      const env = { ...user.env, HOOKGATE_UP_EVERY_S: '0' }
      return spawnSync('/bin/sh', ['-c', command], { input, env, cwd: user.project, encoding: 'utf8' })
    }
    const refusal = await ask('hookgate disable codex')
    expect(refusal.status).toBe(2)
    expect(refusal.stdout).toContain('`hookgate disable` controls hookgate, which guards this session')
    expect(await ask('ls')).toMatchObject({ status: 0, stdout: '' })
  })
})

describe.each(agentNames)('a call of %s that would end hookgate', (agent) => {
  it('is refused in its own format, without any rules', async () => {
    const user = agentUser()
    const gate = gateOf(user, join(user.folder, 'state'))
    const refused = await gate.answer(await shellCall(agent, 'hookgate down', user.project, 's'), { agent })
    expect(refused.verdict).toMatchObject({ decision: 'deny', determining: ['hookgate:self-protection'] })
    expect(`${refused.stdout}${refused.stderr}`).toContain('a person can do this in a terminal')
    const other = await gate.answer(await shellCall(agent, 'ls', user.project, 's'), { agent })
    expect(other.verdict).toMatchObject({ decision: 'abstain' })
  })
})
