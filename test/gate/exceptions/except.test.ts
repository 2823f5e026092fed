import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Evaluation } from '../../../src/model/evaluation.ts'
import { commandPatternText } from '../../../src/rules/match/word-pattern.ts'
import {
  callOf,
  exceptionOf,
  factsOf,
  isCoveredWhole,
  judged,
  leftOf,
  refusing,
  root,
} from '../../support/exceptions.ts'
import { folderWith } from '../../support/workspace.ts'
import { Plan } from '../../../src/model/rule.ts'

const scopes = ['managed', 'explicit', 'user', 'project'] as const
const isSilent = (one: Evaluation | undefined) => one?.kind === 'notApplicable'

describe('an exception', () => {
  it('takes back what its rule says of its command, and names itself in a remark', async () => {
    const exceptions = [{ ...exceptionOf({ command: 'curl -s http://a.b/*' }), reason: 'our own host' }]
    const left = await judged([refusing(['Bash(curl *)'])], exceptions, callOf('curl -s http://a.b/c'))
    const remark = 'an exception (user:hooks.json#exceptions[0]: our own host) lifts its `deny`'
    expect(left).toEqual([
      { kind: 'notApplicable', ruleId: 'user:hooks.json#permissions.deny', durationMs: 0, remarks: [remark] },
    ])
  })

  it('leaves what its rule says of every other command of the line', async () => {
    const [left] = await judged(
      [refusing(['Bash(curl *)', 'Bash(rm *)'])],
      [exceptionOf({ command: 'curl a' })],
      callOf('curl a; rm x; curl b'),
    )
    expect(left).toMatchObject({ kind: 'applicable', effect: 'deny', commands: [0, 1, 2] })
  })

  it('takes back nothing of another rule', async () => {
    const other = { ...refusing(['Bash(curl *)']), id: 'user:hooks.json#permissions.ask' }
    const [own, left] = await judged(
      [refusing(['Bash(curl *)']), other],
      [exceptionOf({ command: 'curl a' })],
      callOf('curl a'),
    )
    expect([own?.kind, left?.kind]).toEqual(['notApplicable', 'applicable'])
  })

  it('never loosens anything but its rule, its command, its project, its session, its time', async () => {
    const words = fc.array(fc.constantFrom('a', '-f', 'x y', '*', '--', 'b/../c', "it's"), { maxLength: 3 })
    const commands = fc.record({ program: fc.constantFrom('curl', 'rm', 'git'), words })
    const lines = fc.array(commands, { minLength: 1, maxLength: 3 })
    const separators = fc.constantFrom('; ', ' && ', ' || ', ' & ', '\n')
    const drawn = fc.record({
      line: lines,
      separators,
      excepted: lines,
      rule: fc.constantFrom('permissions.deny', 'permissions.*', 'permissions.ask', 'secrets/*'),
      scope: fc.constantFrom(...scopes),
      ruleScope: fc.constantFrom(...scopes),
      project: fc.constantFrom(undefined, root, '/home/someone', '/home/someone/other', `${root}/sub`),
      session: fc.constantFrom(undefined, 's1', 's2'),
      endsAtMs: fc.constantFrom(undefined, 99, 100, 101),
    })
    const authority = ['project', 'user', 'explicit', 'managed']
    await fc.assert(
      fc.asyncProperty(drawn, async ({ line, separators: between, excepted, rule, scope, ruleScope, ...more }) => {
        const textOf = (one: (typeof line)[number]) => commandPatternText([one.program, ...one.words])
        const exceptions = excepted.map((one) =>
          exceptionOf({
            rule,
            scope,
            command: textOf(one),
            ...(more.project !== undefined && { project: more.project }),
            ...(more.session !== undefined && { session: more.session }),
            ...(more.endsAtMs !== undefined && { endsAtMs: more.endsAtMs }),
          }),
        )
        const rules = [refusing(['Bash(curl *)', 'Bash(rm *)'], ruleScope)]
        const event = callOf(line.map(textOf).join(between))
        const [before] = await judged(rules, [], event, 100)
        const [after] = await judged(rules, exceptions, event, 100)
        const isExcepted =
          ['permissions.deny', 'permissions.*'].includes(rule) &&
          scope !== 'project' &&
          authority.indexOf(scope) >= authority.indexOf(ruleScope) &&
          [undefined, root, '/home/someone'].includes(more.project) &&
          more.session !== 's2' &&
          (more.endsAtMs ?? 101) > 100 &&
          line.every((one) => one.program === 'git' || excepted.some((other) => textOf(other) === textOf(one)))
        if (isExcepted || isSilent(before)) expect(isSilent(after)).toBe(true)
        else expect(after).toEqual(before)
      }),
      { numRuns: 300 },
    )
  })

  it.each(scopes.flatMap((own) => scopes.map((rule) => [own, rule] as const)))(
    'of a %s source has the authority over a rule of a %s source that it should',
    async (own, rule) => {
      const [left] = await judged(
        [refusing(['Bash(curl *)'], rule)],
        [exceptionOf({ command: 'curl a', scope: own })],
        callOf('curl a'),
      )
      expect(isSilent(left)).toBe(own !== 'project' && scopes.indexOf(own) <= scopes.indexOf(rule))
    },
  )

  it('for a path is about the files of a project, by their names and by where their links lead', async () => {
    const folder = folderWith({ 'fixtures/key': '', 'other/key': '', 'fixtures/deep/a': '' })
    symlinkSync(join(folder, 'other/key'), join(folder, 'fixtures/link'))
    mkdirSync(join(folder, 'sub'))
    const left = (path: string, tool = 'Read') =>
      leftOf(['Read', 'Write'], [{ path: 'fixtures/**' }], callOf({ tool, path: join(folder, path) }, folder))
    expect(await left('fixtures/key')).toBe('none')
    expect(await left('fixtures/deep/a')).toBe('none')
    expect(await left('fixtures/new', 'Write')).toBe('none')
    expect(await left('fixtures/link')).toBe('deny')
    expect(await left('fixtures/../other/key')).toBe('deny')
    expect(await left('other/key')).toBe('deny')
    expect(await left('sub/fixtures/key')).toBe('deny')
  })

  it('for a whole path and a project holds only for the work in that project', async () => {
    const folder = folderWith({ 'a/x': '', 'b/x': '', log: '' })
    const left = (project: string) =>
      leftOf(
        ['Read'],
        [{ path: join(folder, 'log'), project: join(folder, project) }],
        callOf({ tool: 'Read', path: join(folder, 'log') }, join(folder, 'a')),
      )
    expect([await left('a'), await left('b')]).toEqual(['none', 'deny'])
  })

  it('for a path covers a shell command only if it covers everything that the command touches', async () => {
    const folder = folderWith({ 'fixtures/key': '', 'fixtures/b': '', other: '' })
    const left = (command: string) =>
      leftOf(['Bash(cat *)', 'Bash(cp *)'], [{ path: 'fixtures/**' }], callOf(command, folder))
    expect(await left('cat fixtures/key')).toBe('none')
    expect(await left('cat fixtures/key fixtures/b')).toBe('none')
    expect(await left('cat fixtures/key other')).toBe('deny')
    expect(await left('cat fixtures/*')).toBe('deny')
    expect(await left('cat "fixtures/$X"')).toBe('deny')
    expect(await left('cp fixtures/key ~/.ssh/id')).toBe('deny')
    expect(await left('cat fixtures/key > other')).toBe('deny')
    expect(await left('cat')).toBe('deny')
  })

  it('covers a call as a whole only if it covers each of its commands', async () => {
    const covered = (command: string, ...patterns: readonly string[]) =>
      isCoveredWhole(
        patterns.map((one) => ({ command: one })),
        callOf(command),
      )
    expect(await covered('npm test && git push', 'npm test', 'git push')).toBe(true)
    expect(await covered('npm test && git push', 'git push')).toBe(false)
    expect(await covered('git push | tail -5', 'git push')).toBe(false)
    expect(await covered('git push; $X', 'git push', 'npm test')).toBe(false)
    expect(await covered('', 'git push')).toBe(false)
  })

  it('of a folder holds in that folder and below it, as its links lead', async () => {
    const folder = folderWith({ 'app/sub/a': '', 'other/a': '' })
    symlinkSync(join(folder, 'other'), join(folder, 'app/link'))
    symlinkSync(join(folder, 'app'), join(folder, 'same'))
    const left = (command: string, cwd: string) =>
      leftOf(
        ['Bash(curl *)'],
        [{ command: 'curl a', project: join(folder, 'app') }],
        callOf(command, join(folder, cwd)),
      )
    expect(await left('curl a', 'app')).toBe('none')
    expect(await left('cd sub && curl a', 'app')).toBe('none')
    expect(await left('curl a', 'same')).toBe('none')
    expect(await left('cd app && curl a', '.')).toBe('none')
    expect(await left('curl a', '.')).toBe('deny')
    expect(await left('cd link && curl a', 'app')).toBe('deny')
    expect(await left('cd link/new && curl a', 'app')).toBe('deny')
    expect(await left('cd ../other && curl a', 'app')).toBe('deny')
    expect(await left('cd "$X" && curl a', 'app')).toBe('deny')
  })

  it('never takes back a failure', async () => {
    const failed: Evaluation = {
      kind: 'applicable',
      effect: 'deny',
      obligations: [],
      advice: [],
      commands: [0],
      failure: { code: 'nonzeroExit', message: 'it broke' },
      ruleId: 'user:hooks.json#permissions.deny',
      durationMs: 1,
    }
    const silent = { kind: 'notApplicable', ruleId: failed.ruleId, durationMs: 1 } as const
    expect(await answered(failed, silent)).toEqual(failed)
  })

  it('never allows, even if its rule would allow the rest', async () => {
    const base = { ruleId: 'user:hooks.json#permissions.deny', durationMs: 1, obligations: [], advice: [] } as const
    const denied: Evaluation = { ...base, kind: 'applicable', effect: 'deny', commands: [0] }
    const left = await answered(denied, { ...base, kind: 'applicable', effect: 'allow', reason: 'fine' })
    expect(left).toMatchObject({ kind: 'notApplicable', remarks: [expect.stringContaining(' lifts its ')] })
  })

  it('changes nothing if its rule fails when it is asked about the rest', async () => {
    const base = { ruleId: 'user:hooks.json#permissions.deny', durationMs: 1 } as const
    const denied: Evaluation = {
      ...base,
      kind: 'applicable',
      effect: 'deny',
      commands: [0],
      obligations: [],
      advice: [],
    }
    const failure = { code: 'timeout', message: 'too slow' } as const
    expect(await answered(denied, { ...base, kind: 'indeterminate', failure })).toEqual(denied)
  })

  /** Takes back an answer on `curl a; curl b`, of which `curl a` is excepted and the rule then says something else. */
  async function answered(first: Evaluation, then: Evaluation): Promise<Evaluation | undefined> {
    const { withExceptions } = await import('../../../src/gate/exceptions/except.ts')
    const event = callOf('curl a; curl b')
    const facts = await factsOf(event)
    const [left] = await withExceptions(new Plan([refusing(['Bash'])]), [first], event, {
      exceptions: [exceptionOf({ command: 'curl a' })],
      nowMs: 0,
      toolFacts: async () => facts,
      evaluateAgain: async () => [then],
    })
    return left
  }
})
