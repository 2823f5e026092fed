import { describe, expect, it } from 'vitest'
import { presetNames } from '../../../src/files/policy-files.ts'
import { policyMachine, policyText } from '../../support/policies.ts'
import { packFiles } from '../../support/packs.ts'

const file = 'home/.config/hookgate/hooks.json'
const reading = (json: object) => policyMachine({ [file]: { json }, ...packFiles('home/.config/hookgate/own') }).read()
const withoutPlace = (problem: string) => problem.replace(/^(\w+): \S+:\d+:\d+: /, '$1: ')
const problemsWith = async (json: object) => (await reading(json)).problems.map(withoutPlace)
const packOf = (id: string) => id.split('/')[1]

const loopIds = ['refused', 'failed', 'repeated'].map((loop) => `user:hooks.json#limits.${loop}`)

describe('a preset', () => {
  it.each(presetNames())('`%s` turns on its packs, without a mistake', async (preset) => {
    const { ids, problems } = await reading({ preset })
    expect(problems).toEqual([])
    expect(ids.length).toBeGreaterThan(50)
    expect(ids.filter((id) => !id.startsWith('user:hooks.json/'))).toEqual(loopIds)
  })

  it.each(presetNames())(
    '`%s` limits loops, in its own mode, and fails open where nothing can be kept',
    async (preset) => {
      const { rules } = await reading({ preset })
      const loops = rules.filter(({ id }) => loopIds.includes(id))
      expect(loops.map(({ mode }) => mode)).toEqual(loops.map(() => (preset === 'observe' ? 'observe' : 'enforce')))
      expect(loops.map(({ onFailure }) => onFailure)).toEqual(loops.map(() => 'continue'))
    },
  )

  it('has a limit changed, added to or turned off by what the file says of it, and no other', async () => {
    const limits = { refused: false, failed: { times: 9 }, tokens: { day: 5 } }
    const { rules, problems } = await reading({ preset: 'observe', limits })
    expect(problems).toEqual([])
    const own = rules.flatMap(({ id, handler, mode, onFailure }) =>
      handler.kind === 'builtin' && 'most' in handler.builtin
        ? [`${id.split('#')[1]} ${handler.builtin.most} ${mode} ${onFailure}`]
        : [],
    )
    expect(own).toEqual([
      'limits.failed 9 enforce block',
      'limits.repeated 30 observe continue',
      'limits.tokens.day 5 enforce block',
    ])
  })

  it('has the limits of `strict` no wider than those of `recommended`, and reports them in `observe`', async () => {
    const timesIn = async (preset: string) =>
      (await reading({ preset })).rules.flatMap(({ handler }) =>
        handler.kind === 'builtin' && handler.builtin.kind === 'limit' ? [handler.builtin.most] : [],
      )
    const [recommended, strict, observe] = [
      await timesIn('recommended'),
      await timesIn('strict'),
      await timesIn('observe'),
    ]
    expect(strict.every((times, at) => times < (recommended[at] ?? 0))).toBe(true)
    expect(observe).toEqual(strict)
  })

  it('is changed by an entry of the same pack in the file, in what that entry says', async () => {
    const { rules, ids } = await reading({
      preset: 'recommended',
      packs: [{ pack: 'git-safety', mode: 'observe', disable: ['stash-loss'] }],
    })
    const own = rules.filter(({ id }) => packOf(id) === 'git-safety')
    expect(own.length).toBeGreaterThan(5)
    expect(own.every(({ mode }) => mode === 'observe')).toBe(true)
    expect(ids).not.toContain('user:hooks.json/git-safety/stash-loss')
    expect(new Set(ids.map(packOf))).toContain('secrets')
    const params = Object.assign({}, ...own.map(({ handler }) => (handler.kind === 'policy' ? handler.params : {})))
    expect(params).toMatchObject({ allowNamedFiles: true, allowAborts: true })
  })

  it('keeps its changes of a list beside those of the file, and the rules that it leaves out', async () => {
    const regenerableWith = async (regenerable: object) => {
      const packs = [{ pack: 'destructive-commands', params: { regenerable } }]
      const { rules, problems } = await reading({ preset: 'recommended', packs })
      expect(problems).toEqual([])
      const lists = rules.flatMap(({ handler }) =>
        handler.kind === 'policy' ? (handler.params['regenerable'] ?? []) : [],
      )
      return new Set(lists)
    }
    const usual = await regenerableWith({})
    // `dist` is in the default list, and `build` is added by the preset.
    expect(usual).toContain('dist')
    expect(usual).toContain('build')
    const changed = await regenerableWith({ add: ['generated'], remove: ['dist', 'build'] })
    expect([...changed].filter((one) => !usual.has(one))).toEqual(['generated'])
    expect(new Set([...usual].filter((one) => !changed.has(one)))).toEqual(new Set(['dist', 'build']))
    expect(await regenerableWith(['only'])).toEqual(new Set(['only']))
    const { ids } = await reading({ preset: 'recommended', packs: [{ pack: 'supply-chain', disable: [] }] })
    expect(ids).not.toContain('user:hooks.json/supply-chain/new-packages')
  })

  it('reports a mistake in such an entry in its place', async () => {
    const packs = [{ pack: 'destructive-commands', params: { regenerable: { remove: ['bild'] } }, disable: ['none'] }]
    expect(await problemsWith({ preset: 'recommended', packs })).toEqual([
      expect.stringContaining('has no rule `none`'),
      expect.stringContaining('`bild` is not in the default list'),
    ])
  })

  it('stands beside hooks and packs of one’s own', async () => {
    const { ids, problems } = await reading({ preset: 'recommended', packs: [{ pack: './own' }], hooks: {} })
    expect(problems).toEqual([])
    expect(ids).toContain('user:hooks.json/own/first')
    expect(ids).toContain('user:hooks.json/git-safety/force-push')
  })

  it('that does not exist keeps the file from loading', async () => {
    expect(await problemsWith({ preset: 'recomended' })).toEqual([
      'error: hookgate has no preset `recomended`; did you mean `recommended`?',
    ])
    expect(await problemsWith({ preset: 7 })).toEqual(['error: `preset` must be a string, not a number'])
  })
})

describe('a rule that a file leaves out of a pack', () => {
  it('stays in force if a source with more authority turns it on, which is reported', async () => {
    const { ids, problems } = await policyMachine({
      [file]: { json: { packs: [{ pack: 'git-safety' }] } },
      'work/.hookgate/hooks.json': { json: { packs: [{ pack: 'git-safety', disable: ['force-push'] }] } },
    }).read()
    expect(ids).toContain('user:hooks.json/git-safety/force-push')
    expect(problems.map(withoutPlace)).toEqual([
      "warning: `git-safety/force-push` stays in force: a project's file cannot switch off rules of user:hooks.json; leave it out in home/.config/hookgate/hooks.json, or remove this",
    ])
  })
})

describe('what a file leaves out below a source with more authority', () => {
  const leftOut = (pack: string, ...disable: readonly string[]) => ({ packs: [{ pack, disable }] })
  const problemsOf = async (files: Readonly<Record<string, object>>) => {
    const all = Object.entries(files).map(([name, json]) => [name, { json }] as const)
    return (await policyMachine(Object.fromEntries(all)).read()).problems.map(withoutPlace)
  }
  const managed = 'managed/hooks.json'
  const project = 'work/.hookgate/hooks.json'

  it.each(presetNames())('is no mistake if only the preset `%s` leaves it out', async (preset) => {
    expect(await problemsOf({ [managed]: { preset: 'strict' }, [file]: { preset } })).toEqual([])
  })

  it.each([
    ['one rule', leftOut('git-safety', 'force-push'), '`git-safety/force-push` stays'],
    [
      'two rules',
      leftOut('git-safety', 'force-push', 'ref-loss'),
      '`git-safety/force-push`, `git-safety/ref-loss` stay',
    ],
    ['a whole pack', leftOut('git-safety', '*'), /^warning: `git-safety\/.* and others stay in force/],
    [
      'rules of two packs',
      { packs: [...leftOut('git-safety', 'force-push').packs, ...leftOut('secrets', 'env-files').packs] },
      /`git-safety\/force-push`, `secrets\/env-files` stay/,
    ],
    [
      'a rule that the file’s preset leaves out as well',
      { preset: 'recommended', ...leftOut('git-safety', 'force-push') },
      '`git-safety/force-push` stays',
    ],
  ])('is one warning: %s', async (_what, json, said) => {
    const problems = await problemsOf({ [managed]: { preset: 'strict' }, [file]: json })
    expect(problems).toEqual([
      typeof said === 'string' ? expect.stringContaining(`${said} in force: a user's`) : expect.stringMatching(said),
    ])
  })

  it('is one warning for each file that leaves rules out', async () => {
    const json = leftOut('git-safety', 'force-push', 'ref-loss')
    const problems = await problemsOf({ [managed]: { preset: 'strict' }, [file]: json, [project]: json })
    expect(problems.filter((text) => text.includes("a user's file"))).toHaveLength(1)
    expect(problems.filter((text) => text.includes("a project's file"))).toHaveLength(1)
  })
})

describe('the mode of a rule', () => {
  const hooks = (hook: object) => ({
    PreToolUse: [{ hooks: [{ type: 'command', command: './a.sh', ...hook }] }],
  })
  const modesOf = async (json: object) =>
    Object.fromEntries((await reading(json)).rules.map(({ id, mode }) => [id, mode]))

  it('is its own, else that of its pack, else that of its preset, else that of its file', async () => {
    const modes = await modesOf({
      mode: 'observe',
      packs: [{ pack: './own', mode: 'enforce' }],
      hooks: { ...hooks({}), PostToolUse: hooks({ mode: 'enforce' }).PreToolUse },
    })
    expect(modes).toEqual({
      'user:hooks.json#PreToolUse[0].hooks[0]': 'observe',
      'user:hooks.json#PostToolUse[0].hooks[0]': 'enforce',
      'user:hooks.json/own/first': 'enforce',
      'user:hooks.json/own/second': 'enforce',
    })
    expect(new Set(Object.values(await modesOf({ preset: 'observe' })))).toEqual(new Set(['observe']))
    expect(new Set(Object.values(await modesOf({ preset: 'strict', mode: 'observe' })))).toEqual(new Set(['observe']))
  })

  it('is that of one’s own file alone: a file with less authority cannot weaken another’s rules', async () => {
    const { rules } = await policyMachine({
      'managed/hooks.json': { json: { packs: [{ pack: './own' }] } },
      ...packFiles('managed/own'),
      [file]: { json: { mode: 'observe', packs: [{ pack: './own' }] } },
      ...packFiles('home/.config/hookgate/own'),
    }).read()
    expect(rules.map(({ id, mode }) => [id.split(':')[0], mode])).toEqual([
      ['managed', 'enforce'],
      ['managed', 'enforce'],
      ['user', 'observe'],
      ['user', 'observe'],
    ])
  })

  it('has two values', async () => {
    expect(await problemsWith({ hooks: hooks({ mode: 'obsrve' }) })).toEqual([
      'error: `mode` must be `enforce` or `observe`, not `obsrve`; did you mean `observe`?',
    ])
  })
})

describe('a param that is a list', () => {
  const policy = policyText('own', "params: { names: { type: 'strings', default: ['a', 'b'] } },")
  const namesWith = async (names: unknown) => {
    const { rules, problems } = await policyMachine({
      [file]: {
        json: {
          hooks: { PreToolUse: [{ hooks: [{ type: 'policy', policy: './own.policy.ts', params: { names } }] }] },
        },
      },
      'home/.config/hookgate/own.policy.ts': policy,
    }).read()
    const [rule] = rules
    return problems.length > 0 || rule?.handler.kind !== 'policy'
      ? problems.map(withoutPlace)
      : rule.handler.params['names']
  }

  it('is replaced by a list, and changed by `add` and `remove`', async () => {
    expect(await namesWith(['c'])).toEqual(['c'])
    expect(await namesWith({ add: ['c', 'a'], remove: ['b'] })).toEqual(['a', 'c'])
    expect(await namesWith({ add: ['c'] })).toEqual(['a', 'b', 'c'])
    expect(await namesWith({})).toEqual(['a', 'b'])
  })

  it('reports a text that is not there to be removed, and any other mistake', async () => {
    expect(await namesWith({ remove: ['bb'] })).toEqual(['error: `bb` is not in the default list; did you mean `b`?'])
    expect(await namesWith(7)).toEqual([
      'error: `names` must be a list of texts, or a change of the default: `{"add": ["a"], "remove": ["b"]}`',
    ])
    expect(await namesWith({ plus: ['c'] })).toEqual(['error: unknown key `plus`; its params are `names`'])
  })
})
