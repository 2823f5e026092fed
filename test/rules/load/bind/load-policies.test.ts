import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Rule } from '../../../../src/model/rule.ts'
import { policyMachine, policyRules, policyText } from '../../../support/policies.ts'

const guard = policyText('no-force-push')
const handlers = (...hooks: readonly object[]) => ({ json: { hooks: { PreToolUse: [{ hooks }] } } })

describe('policies come from', () => {
  it('a policies folder beside each place of hookgate’s own file, sorted and at every depth', async () => {
    const { read } = policyMachine({
      'managed/policies/a.policy.ts': policyText('managed-one'),
      'home/.config/hookgate/policies/b.policy.js': policyText('users'),
      'work/.hookgate/policies/z.policy.mjs': policyText('zed'),
      'work/.hookgate/policies/deep/er/a.policy.mts': policyText('deep'),
      'work/.hookgate/policies/names.ts': 'export const names: string[] = []',
    })
    const { ids, problems, rules } = await read()
    expect(problems).toEqual([])
    expect(ids).toEqual([
      'managed:policies#managed-one',
      'user:policies#users',
      'project:policies#deep',
      'project:policies#zed',
    ])
    expect(rules.map(({ untrustedReason }) => untrustedReason?.slice(0, 26))).toEqual([
      undefined,
      undefined,
      'it came with the workspace',
      'it came with the workspace',
    ])
  })

  it('explicit paths: a file, a folder of policies, or a folder of such folders', async () => {
    const { read } = policyMachine({
      'x.policy.ts': guard,
      'own/some/y.policy.ts': guard,
      'beside/hooks.json': '{"hooks": {}}',
      'beside/policies/z.policy.ts': guard,
      'workspace/.hookgate/policies/w.policy.ts': guard,
    })
    for (const [path, id] of [
      ['x.policy.ts', 'explicit:x.policy.ts#no-force-push'],
      ['own', 'explicit:own#no-force-push'],
      ['beside', 'explicit:beside/policies#no-force-push'],
      ['workspace', 'explicit:workspace/.hookgate/policies#no-force-push'],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one sandbox after the other
      expect(await read({ explicit: [path] })).toMatchObject({ ids: [id], problems: [] })
    }
  })

  it('a rules file, relative to it, with its event, matcher, params and onFailure', async () => {
    const { read, work } = policyMachine({
      'work/.hookgate/hooks.json': policyRules('../x.policy.ts', {
        matcher: 'Bash',
        params: { branches: ['main'] },
        onFailure: 'ask',
        if: 'Bash(git *)',
      }),
      'work/x.policy.ts': policyText(
        'no-force-push',
        "tool: 'shell', onFailure: 'continue', facts: { branch: { gitBranch: true } }, params: { branches: { type: 'strings', default: [] }, loud: { type: 'boolean', default: true } },",
      ),
    })
    const { rules, problems } = await read()
    expect(problems).toEqual([])
    expect(rules).toMatchObject([
      {
        id: 'project:hooks.json/no-force-push',
        onFailure: 'ask',
        timeoutMs: undefined,
        match: {
          events: ['PreToolUse'],
          matcher: { kind: 'names', names: ['Bash'] },
          subject: { kind: 'names', names: ['shell'] },
          condition: { text: 'Bash(git *)' },
        },
        handler: {
          kind: 'policy',
          policy: 'no-force-push',
          file: join(work, 'x.policy.ts'),
          files: [join(work, 'x.policy.ts')],
          facts: { branch: { gitBranch: true } },
          params: { branches: ['main'], loud: true },
          changedParams: ['branches'],
        },
      },
    ])
  })

  it('a rules file that binds one of the folder beside it, which then applies only as bound', async () => {
    const { read } = policyMachine({
      'work/.hookgate/hooks.json': policyRules('./policies/a.policy.ts', { params: { loud: false } }),
      'work/.hookgate/policies/a.policy.ts': policyText('one', "params: { loud: { type: 'boolean', default: true } },"),
      'work/.hookgate/policies/b.policy.ts': policyText('two'),
    })
    expect((await read()).ids).toEqual(['project:hooks.json/one', 'project:policies#two'])
  })

  it('a rules file that binds one policy several times: each rule has an id of its own', async () => {
    const bound = (more: object) => ({ type: 'policy', policy: './a.policy.ts', ...more })
    const hooks = [bound({ if: 'Bash(a)' }), bound({ if: 'Bash(b)' }), bound({ if: 'Bash(c)', id: 'third' })]
    const { read } = policyMachine({
      'work/.hookgate/hooks.json': { json: { hooks: { PreToolUse: [{ hooks }] } } },
      'work/.hookgate/a.policy.ts': policyText('one'),
    })
    const { ids, problems } = await read()
    expect(problems).toEqual([])
    expect(ids).toEqual([
      'project:hooks.json/one',
      'project:hooks.json/one#PreToolUse[0].hooks[1]',
      'project:hooks.json/third',
    ])
  })

  it('a rules file with a hook that is named like its policy: the name is the hook’s', async () => {
    const hooks = [
      { type: 'policy', policy: './a.policy.ts' },
      { type: 'command', command: 'true', id: 'one' },
    ]
    const { read } = policyMachine({
      'work/.hookgate/hooks.json': { json: { hooks: { PreToolUse: [{ hooks }] } } },
      'work/.hookgate/a.policy.ts': policyText('one'),
    })
    expect((await read()).ids).toEqual(['project:hooks.json/one#PreToolUse[0].hooks[0]', 'project:hooks.json/one'])
  })

  it('block when they fail, unless they or the rules file say otherwise', async () => {
    const { read } = policyMachine({
      'work/.hookgate/policies/a.policy.ts': policyText('a'),
      'work/.hookgate/policies/b.policy.ts': policyText('b', "onFailure: 'ask',"),
    })
    expect((await read()).rules.map(({ onFailure }) => onFailure)).toEqual(['block', 'ask'])
  })

  it('an agent’s own file only where it was given to hookgate', async () => {
    const files = { 'work/.cline/hooks.json': policyRules('./x.policy.ts'), 'work/.cline/x.policy.ts': guard }
    const { read } = policyMachine(files)
    expect((await read()).problems).toEqual([
      'error: work/.cline/hooks.json:7:21: an agent reads this file too, and does not support `policy` hooks; put it into a hooks.json of hookgate, such as .hookgate/hooks.json',
    ])
    expect(await read({ explicit: ['work/.cline/hooks.json'], discover: false })).toMatchObject({
      problems: [],
      rules: [{}],
    })
  })
})

describe('how a person may answer for a policy is', () => {
  const both = 'approvable: true, terminalOnly: true,'
  const shown = (rules: readonly Rule[]) =>
    Object.fromEntries<Readonly<Record<'approvable' | 'terminalOnly', boolean | undefined>>>(
      rules.map(({ id, approvable, terminalOnly }) => [id.split(/[/#]/).at(-1) ?? '', { approvable, terminalOnly }]),
    )

  it('what it says itself, alone, in a folder, in a pack or bound by a rules file', async () => {
    const { read } = policyMachine({
      'alone.policy.ts': policyText('alone', both),
      'folder/a.policy.ts': policyText('in-folder', 'terminalOnly: true,'),
      'folder/b.policy.ts': policyText('silent'),
      'folder/c.policy.ts': policyText('says-no', 'approvable: false, terminalOnly: false,'),
      'own/hooks.json': {
        json: {
          packs: [{ pack: './pack' }],
          hooks: { PreToolUse: [{ hooks: [{ type: 'policy', policy: './bound.policy.ts' }] }] },
        },
      },
      'own/bound.policy.ts': policyText('bound', 'approvable: true,'),
      'own/pack/pack.json': { json: { description: 'of the test' } },
      'own/pack/in-pack.policy.ts': policyText('in-pack', both),
    })
    const { rules, problems } = await read({ explicit: ['alone.policy.ts', 'folder', 'own/hooks.json'] })
    expect(problems).toEqual([])
    expect(shown(rules)).toEqual({
      alone: { approvable: true, terminalOnly: true },
      'in-folder': { terminalOnly: true },
      silent: {},
      'says-no': {},
      bound: { approvable: true },
      'in-pack': { approvable: true, terminalOnly: true },
    })
  })

  it('what the entry of a rules file says, if it says something: each key for itself, true or false', async () => {
    const hooks = [
      { type: 'policy', policy: './marked.policy.ts', terminalOnly: false },
      { type: 'policy', policy: './silent.policy.ts', approvable: true },
    ]
    const { read } = policyMachine({
      'own/hooks.json': {
        json: { packs: [{ pack: './pack', approvable: false }], hooks: { PreToolUse: [{ hooks }] } },
      },
      'own/marked.policy.ts': policyText('marked', both),
      'own/silent.policy.ts': policyText('silent', 'terminalOnly: true,'),
      'own/pack/pack.json': { json: { description: 'of the test' } },
      'own/pack/in-pack.policy.ts': policyText('in-pack', both),
    })
    const { rules, problems } = await read({ explicit: ['own/hooks.json'] })
    expect(problems).toEqual([])
    expect(shown(rules)).toEqual({
      'in-pack': { terminalOnly: true },
      marked: { approvable: true },
      silent: { approvable: true, terminalOnly: true },
    })
  })
})

describe('a draft, by its name `*.draft.policy.ts`,', () => {
  const broken = policyText('a', "tool: 'shell', examples: [{ name: 'ls', given: {}, want: 'abstain' }],")
  const files = {
    'work/.hookgate/policies/a.policy.ts': policyText('a'),
    'work/.hookgate/policies/a.draft.policy.ts': policyText('a'),
    'work/.hookgate/policies/b.draft.policy.ts': broken,
    'work/.hookgate/hooks.json': policyRules('./named/c.draft.policy.ts'),
    'work/.hookgate/named/c.draft.policy.ts': policyText('c'),
  }

  it('is no rule, wherever it is named, and whatever is wrong with it', async () => {
    expect(await policyMachine(files).read()).toMatchObject({ ids: ['project:policies#a'], problems: [] })
  })

  it('only observes where drafts are asked for, and what is wrong with it is a warning', async () => {
    const { rules, problems } = await policyMachine(files).read({ drafts: true })
    expect(rules.map(({ id, mode }) => `${id} ${mode}`)).toEqual([
      'project:hooks.json/c observe',
      'project:policies#a.draft observe',
      'project:policies#a enforce',
    ])
    expect(problems).toEqual([expect.stringMatching(/^warning: .*b\.draft\.policy\.ts:7:\d+: its example `ls` wants/)])
  })
})

describe('mistakes are reported with their place', () => {
  it.each([
    ...[
      ['edit', 'old_strin', 'the input of a tool `edit` has no key `old_strin`; did you mean `old_string`?'],
      [
        'edit',
        'newText',
        "the input of a tool `edit` has no key `newText`; there are `path`, `old_string`, `content`; to give an agent's own key, name the `agent`",
      ],
      [
        'write',
        'file_path',
        "the input of a tool `write` has no key `file_path`; there are `path`, `content`; to give an agent's own key, name the `agent`",
      ],
      ['shell', 'comand', 'the input of a tool `shell` has no key `comand`; did you mean `command`?'],
      ['fetch', 'uri', 'the input of a tool `fetch` has no key `uri`; did you mean `url`?'],
    ].map(([tool = '', key = '', said = '']): [string, Record<string, string>, string] => [
      `an example’s key that no tool has: ${tool} ${key}`,
      {
        'work/.hookgate/policies/a.policy.ts': policyText(
          'a',
          `tool: '${tool}', examples: [{ name: 'x', given: { input: { ${key}: 'x' } }, want: 'deny' }],`,
        ),
      },
      `error: work/.hookgate/policies/a.policy.ts:7:${55 + tool.length}: ${said}`,
    ]),
    [
      'a file that is not there',
      { 'work/.hookgate/hooks.json': policyRules('./gaurd.policy.ts'), 'work/.hookgate/guard.policy.ts': guard },
      'error: work/.hookgate/hooks.json:8:23: there is no policy at `./gaurd.policy.ts`; did you mean `guard.policy.ts`?',
    ],
    [
      'a file outside of the workspace',
      { 'work/.hookgate/hooks.json': policyRules('../../x.policy.ts'), 'x.policy.ts': guard },
      'error: work/.hookgate/hooks.json:8:23: the policy `../../x.policy.ts` is outside the workspace; copy it into the workspace',
    ],
    [
      'a key that takes true or false and is given another value',
      { 'work/.hookgate/policies/a.policy.ts': policyText('a', "terminalOnly: 'always',") },
      'error: work/.hookgate/policies/a.policy.ts:7:3: `terminalOnly` must be a boolean, not a string',
    ],
    [
      'a misspelt key',
      { 'work/.hookgate/policies/a.policy.ts': policyText('a', 'terminalonly: true,') },
      'error: work/.hookgate/policies/a.policy.ts:7:3: unknown key `terminalonly`; did you mean `terminalOnly`?',
    ],
    [
      'a policy that hookgate does not ship',
      { 'work/.hookgate/hooks.json': policyRules('hookgate/none-of-the-kind') },
      /^error: work\/.hookgate\/hooks.json:8:23: hookgate has no built-in policy `hookgate\/none-of-the-kind`/,
    ],
    [
      'a policy that does not parse',
      { 'work/.hookgate/policies/a.policy.ts': 'export default definePolicy({' },
      /^error: work\/.hookgate\/policies\/a.policy.ts:1:/,
    ],
    [
      'a policy that throws when it is defined',
      { 'work/.hookgate/policies/a.policy.ts': `const x = null\n${guard.replace("'A policy", "x.y + 'A policy")}` },
      /^error: work\/.hookgate\/policies\/a.policy.ts:5:\d+: the policy cannot be defined: TypeError: /,
    ],
    [
      'a misspelt key',
      { 'work/.hookgate/policies/a.policy.ts': policyText('a', "tools: 'shell',") },
      'error: work/.hookgate/policies/a.policy.ts:7:3: unknown key `tools`; did you mean `tool`?',
    ],
    [
      'a misspelt key in the plural',
      { 'work/.hookgate/policies/a.policy.ts': policyText('a', "tols: 'shell',") },
      'error: work/.hookgate/policies/a.policy.ts:7:3: unknown key `tols`; did you mean `tool`?',
    ],
    [
      'a misspelt event',
      { 'work/.hookgate/policies/a.policy.ts': policyText('a', '', '', "'PreTolUse'") },
      /^error: work\/.hookgate\/policies\/a.policy.ts:5:3: `on` must be .*, not `PreTolUse`; did you mean `PreToolUse`\?$/,
    ],
    [
      'an agent’s own name of a tool',
      { 'work/.hookgate/policies/a.policy.ts': policyText('a', "tool: 'execute_command',") },
      /^error: .*a.policy.ts:7:3: `tool` is not valid: `execute_command`; write `shell`$/,
    ],
    [
      'an example that fails',
      {
        'work/.hookgate/policies/a.policy.ts': policyText(
          'a',
          "tool: 'shell', examples: [{ name: 'ls', given: {}, want: 'abstain' }],",
        ),
      },
      'error: work/.hookgate/policies/a.policy.ts:7:29: its example `ls` wants `abstain`, but got `deny`, `no`; fix the policy or the example',
    ],
    [
      'an example of a fact that is not declared',
      {
        'work/.hookgate/policies/a.policy.ts': policyText(
          'a',
          "facts: { branch: { gitBranch: true } }, examples: [{ name: 'ls', given: { facts: { brunch: 'x' } }, want: 'deny' }],",
        ),
      },
      'error: work/.hookgate/policies/a.policy.ts:7:86: there is no fact `brunch`; did you mean `branch`?',
    ],
    [
      'a param that is near to none, by those there are',
      {
        'work/.hookgate/hooks.json': policyRules('../x.policy.ts', { params: { ms: 1 } }),
        'work/x.policy.ts': policyText(
          'a',
          "params: { loud: { type: 'boolean', default: true }, folder: { type: 'string', default: '' } },",
        ),
      },
      'error: work/.hookgate/hooks.json:10:15: unknown key `ms`; its params are `loud`, `folder`',
    ],
    [
      'a param of a policy without any',
      { 'work/.hookgate/hooks.json': policyRules('../x.policy.ts', { params: { ms: 1 } }), 'work/x.policy.ts': guard },
      'error: work/.hookgate/hooks.json:10:15: unknown key `ms`; the policy has no params',
    ],
    [
      'a param that an example sets, by those there are',
      {
        'work/.hookgate/policies/a.policy.ts': policyText(
          'a',
          "params: { loud: { type: 'boolean', default: true } }, examples: [{ name: 'x', given: { params: { ms: 1 } }, want: {} }],",
        ),
      },
      'error: work/.hookgate/policies/a.policy.ts:7:100: unknown key `ms`; its params are `loud`',
    ],
    [
      'a policy that would never end being defined, and its name once',
      { 'work/.hookgate/policies/a.policy.ts': `for (;;);\n${guard}` },
      /^error: work\/.hookgate\/policies\/a.policy.ts:1:1: a statement cannot stand at the top level of a policy[^/]*$/,
    ],
    [
      'a default that its own param does not allow',
      {
        'work/.hookgate/policies/a.policy.ts': policyText(
          'a',
          "params: { n: { type: 'number', default: 5, maximum: 4 } },",
        ),
      },
      'error: work/.hookgate/policies/a.policy.ts:7:34: `default` must be at most 4',
    ],
    [
      'an event that the policy is not for',
      { 'work/.hookgate/hooks.json': policyRules('../x.policy.ts', { event: 'Stop' }), 'work/x.policy.ts': guard },
      'error: work/.hookgate/hooks.json:8:23: the policy `no-force-push` is not for Stop: it is for PreToolUse; put it under `PreToolUse`',
    ],
    [
      'a misspelt param',
      {
        'work/.hookgate/hooks.json': policyRules('../x.policy.ts', { params: { laud: true } }),
        'work/x.policy.ts': policyText('a', "params: { loud: { type: 'boolean', default: true } },"),
      },
      'error: work/.hookgate/hooks.json:10:15: unknown key `laud`; did you mean `loud`?',
    ],
    [
      'a param of another kind',
      {
        'work/.hookgate/hooks.json': policyRules('../x.policy.ts', { params: { loud: 'yes' } }),
        'work/x.policy.ts': policyText('a', "params: { loud: { type: 'boolean', default: true } },"),
      },
      'error: work/.hookgate/hooks.json:10:23: `loud` must be a boolean, not a string',
    ],
    [
      'a key of a command',
      { 'work/.hookgate/hooks.json': policyRules('../x.policy.ts', { timeout: 5 }), 'work/x.policy.ts': guard },
      'error: work/.hookgate/hooks.json:9:13: unknown key `timeout`; it is for `command` hooks: remove it',
    ],
    [
      'a matcher and a tool that have nothing in common',
      {
        'work/.hookgate/hooks.json': policyRules('../x.policy.ts', { matcher: 'Bash' }),
        'work/x.policy.ts': policyText('a', "tool: ['write', 'edit'],"),
      },
      'warning: work/.hookgate/hooks.json:9:23: the policy `a` is for `write`, `edit`, which the matcher of its group never matches; remove the matcher',
    ],
    [
      'a policy whose file name has the wrong ending',
      { 'work/.hookgate/policies/a.ts': guard },
      'warning: work/.hookgate/policies/a.ts: this policy is not loaded: its name does not mark it as a policy; rename it to `a.policy.ts`',
    ],
  ])('of %s', async (_, files, problem) => {
    const { problems } = await policyMachine(files).read()
    expect(problems).toEqual([typeof problem === 'string' ? problem : expect.stringMatching(problem)])
  })

  it('of two policies of one id, both', async () => {
    const { problems, ids } = await policyMachine({
      'work/.hookgate/policies/a.policy.ts': guard,
      'work/.hookgate/policies/b.policy.ts': guard,
    }).read()
    expect(problems).toEqual([
      'error: work/.hookgate/policies/b.policy.ts: the policy `no-force-push` is defined twice: work/.hookgate/policies/a.policy.ts has the same id; give one of them a different id',
    ])
    expect(ids).toEqual(['project:policies#no-force-push'])
  })

  it('of a link that leads out of a workspace’s folder, but not out of the user’s', async () => {
    const { folder, work, read } = policyMachine({
      'x.policy.ts': guard,
      'work/.hookgate/policies/x': '',
      'home/.config/hookgate/policies/x': '',
    })
    symlinkSync(join(folder, 'x.policy.ts'), join(work, '.hookgate/policies/x.policy.ts'))
    symlinkSync(join(folder, 'x.policy.ts'), join(folder, 'home/.config/hookgate/policies/x.policy.ts'))
    const { ids, problems } = await read()
    expect(ids).toEqual(['user:policies#no-force-push'])
    expect(problems).toEqual([
      'error: work/.hookgate/policies/x.policy.ts: the policies cannot be read: a symbolic link leads outside the workspace; fix or remove it',
    ])
  })

  it('of both a policy’s description and its code', async () => {
    const file = 'work/.hookgate/policies/a.policy.ts'
    const { problems, ids } = await policyMachine({
      [file]: policyText('a', "tools: 'wriet', tool: 'wriet',", "if (tool.paht) return denny('x')")
        .replace(/ *description.*\n/, '')
        .replace('import { allow,', 'import { '),
    }).read()
    expect(ids).toEqual([])
    expect(problems.toSorted()).toEqual([
      `error: ${file}:2:16: \`description\` is missing`,
      `error: ${file}:5:46: \`tool\` has no \`paht\`; did you mean \`path\`?`,
      `error: ${file}:5:59: \`denny\` is not declared, and policies have no global of that name; did you mean \`deny\`?`,
      `error: ${file}:6:19: \`tool\` is not valid: \`wriet\`; did you mean \`write\`?`,
      `error: ${file}:6:3: unknown key \`tools\`; did you mean \`tool\`?`,
    ])
  })

  it('of a param too, where the policy’s code is wrong', async () => {
    const { problems } = await policyMachine({
      'work/.hookgate/hooks.json': policyRules('../x.policy.ts', { params: { ms: 1 } }),
      'work/x.policy.ts': policyText('a', '', "return denny('x')"),
    }).read()
    expect(problems).toEqual([
      expect.stringContaining('x.policy.ts:6:44: `denny` is not declared'),
      expect.stringContaining('hooks.json:10:15: unknown key `ms`'),
    ])
  })

  it('of a policy too, where its group and its hook are wrong', async () => {
    const group = {
      matchr: 'Bash',
      hooks: [{ type: 'policy', policy: '../x.policy.ts', params: { ms: 1 }, timeout: 5 }],
    }
    const { problems, ids } = await policyMachine({
      'work/.hookgate/hooks.json': { json: { hooks: { PreToolUse: [group] } } },
      'work/x.policy.ts': policyText('a', "tools: 'shell',"),
    }).read()
    expect(problems).toEqual([
      expect.stringContaining('unknown key `matchr`'),
      expect.stringContaining('unknown key `timeout`'),
      expect.stringContaining('x.policy.ts:7:3: unknown key `tools`'),
    ])
    expect(ids).toEqual([])
    const sound = policyMachine({
      'work/.hookgate/hooks.json': policyRules('../x.policy.ts', { timeout: 5 }),
      'work/x.policy.ts': policyText('a'),
    })
    expect(await sound.read()).toMatchObject({ ids: [], problems: [expect.stringContaining('unknown key `timeout`')] })
  })

  it('of one policy, without skipping the other policies of the source', async () => {
    const { problems, ids } = await policyMachine({
      'work/.hookgate/hooks.json': handlers(
        { type: 'command', command: 'true' },
        { type: 'policy', policy: './a.policy.ts' },
        { type: 'policy', policy: './b.policy.ts' },
        { type: 'policy', policy: './c.policy.ts' },
      ),
      'work/.hookgate/a.policy.ts': 'export default 5',
      'work/.hookgate/b.policy.ts': policyText('b'),
      'work/.hookgate/c.policy.ts': policyText('C'),
    }).read()
    expect(problems).toHaveLength(2)
    expect(problems[1]).toMatch('c.policy.ts:3:3: `id` must look like `no-force-push`')
    expect(ids).toEqual(['project:hooks.json#PreToolUse[0].hooks[0]', 'project:hooks.json/b'])
  })
})
