import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGate } from '../../../src/library/index.ts'
import { limits } from '../../../src/model/limits.ts'
import type { DecisionRecord } from '../../../src/record/record.ts'
import { hookgateHere as hookgate } from '../../support/cli.ts'
import { answers, folderWith } from '../../support/workspace.ts'
import { claudeShell } from '../../support/wire.ts'

const ruleId = 'user:hooks.json/git-safety/force-push'

/** Makes a user whose rules have a pack, a hook that refuses everything, and exceptions. */
function user(exceptions: readonly object[], hooks: object = {}) {
  const home = folderWith({
    '.config/hookgate/hooks.json': { json: { packs: [{ pack: 'git-safety' }], hooks, exceptions } },
    '.config/hookgate/no.sh': answers({ decision: 'block', reason: 'no' }),
    'app/a': '',
    'other/a': '',
  })
  const records: DecisionRecord[] = []
  const gate = createGate({
    placement: 'caller',
    home,
    env: { HOME: home },
    managedFolder: join(home, 'none'),
    onRecord: (one) => records.push(one),
  })
  onTestFinished(() => gate.close())
  const judge = async (command: string, folder = 'app') =>
    gate.decide(await gate.decode(claudeShell(command, join(home, folder))))
  return { home, gate, judge, records }
}

describe('a gate with exceptions', () => {
  it('takes back what a policy says of a command, asks it about the rest, and records both', async () => {
    const { judge, records } = user([
      { rule: 'git-safety/force-push', command: 'git push -f origin feature/*', project: '~/app', reason: 'ours' },
    ])
    const excepted = await judge('git push -f origin feature/x; ls')
    const rest = await judge('git push -f origin feature/x; git push -f origin main')
    const elsewhere = await judge('git push -f origin feature/x', 'other')
    const text = 'an exception (user:hooks.json#exceptions[0]: ours) lifts its `deny`'
    expect([excepted.decision, rest.decision, elsewhere.decision]).toEqual(['abstain', 'deny', 'deny'])
    expect(excepted.evaluations).toContainEqual(
      expect.objectContaining({ ruleId, kind: 'notApplicable', remarks: [text] }),
    )
    expect(rest.evaluations).toContainEqual(expect.objectContaining({ ruleId, effect: 'deny', commands: [1] }))
    expect(rest.determining).toEqual([ruleId])
    const remarks = records.map(({ evaluations }) => evaluations.flatMap((one) => one.remarks ?? []))
    expect(remarks).toEqual([[text], [text], []])
  })

  it('takes back only so many findings of one rule on one call', async () => {
    const { judge } = user([{ rule: 'git-safety/force-push', command: 'git push -f origin feature/*' }])
    const line = (pushes: number) =>
      Array.from({ length: pushes }, (_, index) => `git push -f origin feature/${index}`).join('; ')
    expect((await judge(line(limits.exceptionRoundsMax))).decision).toBe('abstain')
    expect((await judge(line(limits.exceptionRoundsMax + 1))).decision).toBe('deny')
  })

  it('takes back the answer of a hook only if everything on the line is excepted', async () => {
    const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: '"$HOME"/.config/hookgate/no.sh' }] }] }
    const rule = 'user:hooks.json#PreToolUse[0].hooks[0]'
    const { judge } = user(
      [
        { rule, command: 'git status' },
        { rule, command: 'git log *' },
      ],
      hooks,
    )
    expect((await judge('git status && git log main')).decision).toBe('abstain')
    expect((await judge('git status && git fetch')).decision).toBe('deny')
    expect((await judge('git status > x')).decision).toBe('deny')
  })

  it('reports exceptions without effect, as `hookgate status` shows them', async () => {
    const home = folderWith({
      '.config/hookgate/hooks.json': {
        json: {
          permissions: { deny: ['Bash(curl *)'] },
          exceptions: [{ rule: 'permissions.dney', command: 'curl a' }],
        },
      },
    })
    const reported: string[] = []
    const gate = createGate({
      placement: 'caller',
      home,
      env: { HOME: home },
      managedFolder: join(home, 'none'),
      onRulesRead: (_, wrong) => reported.push(...wrong),
    })
    onTestFinished(() => gate.close())
    await gate.rulesFor({ workspaceRoots: [] })
    expect(reported).toEqual([
      expect.stringMatching(/no rule in force is named `permissions\.dney`; did you mean `permissions\.deny`\?$/),
    ])
  })

  it('says in `hookgate explain` which exception took an answer back, which there are, and which have no effect; one that is over is no longer there', async () => {
    const { home } = user([
      { rule: 'git-safety/force-push', command: 'git push -f' },
      { rule: 'git-safety/force-psuh', command: 'git push -f' },
      { rule: 'secrets/*', path: 'fixtures/**', until: '2020-01-31' },
    ])
    const stdin = JSON.stringify(claudeShell('git push -f', join(home, 'app')))
    const env = { HOME: home, PATH: process.env['PATH'] ?? '' }
    const { stdout } = await hookgate(['explain'], { stdin, env })
    expect(stdout).toContain('passes: no rule objects')
    const flat = stdout.replaceAll(/\s+/g, ' ')
    expect(flat).toContain('an exception (user:hooks.json#exceptions[0]) lifts its `deny`')
    expect(flat).toContain('user:hooks.json makes 2 exceptions to `git-safety/force-push`, `git-safety/force-psuh`')
    expect(flat).toContain('no rule in force is named `git-safety/force-psuh`; did you mean `git-safety/force-push`?')
    expect(flat).toContain('this exception has expired')
    const checked = await hookgate(['check'], { env, cwd: join(home, 'app') })
    expect(checked.stdout).toContain('did you mean `git-safety/force-push`?')
    expect(checked.stdout).toContain('this exception has expired')
  })
})
