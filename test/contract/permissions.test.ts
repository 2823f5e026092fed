import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGate } from '../../src/library/index.ts'
import { agentNames } from '../../src/agents/registry.ts'
import { shellCall } from '../../src/agents/neutral-call.ts'
import { folderWith } from '../support/workspace.ts'

const permissions = {
  deny: ['Bash(curl *)', 'Read(./.env)'],
  ask: ['Bash(git push *)'],
  allow: ['Bash(git status)'],
}

/** A gate whose only rules are the permission lists of a named file, or of a project's. */
function gateWith(files: Parameters<typeof folderWith>[0], rules: readonly string[]) {
  const folder = folderWith(files)
  const gate = createGate({
    placement: 'caller',
    home: join(folder, 'home'),
    managedFolder: join(folder, 'none'),
    rules: rules.map((name) => join(folder, name)),
  })
  onTestFinished(() => gate.close())
  return { gate, folder }
}

describe.each(agentNames)('the permission rules of hooks.json, for %s', (agent) => {
  it('refuse, ask, allow, or have no opinion', async () => {
    const { gate, folder } = gateWith({ 'hooks.json': { json: { permissions } }, 'work/x': '' }, ['hooks.json'])
    const cwd = join(folder, 'work')
    const commands = ['timeout 9 curl x', 'cat .env', 'git push', 'git status', 'git status; ls']
    const verdicts = commands.map(async (command, index) => {
      const wire = await shellCall(agent, command, cwd, `s${index}`)
      return {
        verdict: await gate.decide(await gate.decode(wire, { agent })),
        answer: await gate.answer(wire, { agent }),
      }
    })
    const found = await Promise.all(verdicts)
    expect(found.map(({ verdict }) => verdict.decision)).toEqual(['deny', 'deny', 'ask', 'allow', 'abstain'])
    const [refused] = found
    expect(refused?.verdict.determining).toEqual([expect.stringMatching(/hooks\.json#permissions\.deny$/)])
    expect(`${refused?.answer.stdout}${refused?.answer.stderr}`).toContain('Bash(curl *)')
  })
})

describe('the permission rules of a project', () => {
  it('that is not trusted may refuse and ask, but not allow', async () => {
    const { gate, folder } = gateWith({ 'work/.hookgate/hooks.json': { json: { permissions } } }, [])
    const cwd = join(folder, 'work')
    const commands = ['curl x', 'git push', 'git status']
    const verdicts = commands.map(async (command) =>
      gate.decide(await gate.decode(await shellCall('claude-code', command, cwd, 's'), { agent: 'claude-code' })),
    )
    const found = await Promise.all(verdicts)
    expect(found.map(({ decision }) => decision)).toEqual(['deny', 'ask', 'abstain'])
    const remarks = found[2]?.evaluations.flatMap((one) => one.remarks ?? [])
    expect(remarks).toEqual([expect.stringContaining('its `allow` does not count')])
  })
})
