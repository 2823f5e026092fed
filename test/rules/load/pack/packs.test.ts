import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isPolicyRule } from '../../../../src/model/rule.ts'
import { packFiles, packRules } from '../../../support/packs.ts'
import { policyMachine, policyText } from '../../../support/policies.ts'

const own = { ...packFiles('work/.hookgate/own'), 'work/.hookgate/plain/x.js': '' }
const file = 'work/.hookgate/hooks.json'
const reading = (...packs: readonly unknown[]) => policyMachine({ [file]: packRules(...packs), ...own }).read()
const problemsWith = async (...packs: readonly unknown[]) => (await reading(...packs)).problems

describe('a pack that a rules file turns on', () => {
  it('becomes a rule for each of its policies, with their own events and tools', async () => {
    const { rules, ids, problems } = await reading({ pack: './own' })
    expect(problems).toEqual([])
    expect(ids).toEqual(['project:hooks.json/own/first', 'project:hooks.json/own/second'])
    expect(rules.map(({ onFailure, match, handler }) => ({ onFailure, on: match.spelled, handler }))).toMatchObject([
      { onFailure: 'block', on: 'PreToolUse', handler: { severity: 'critical', params: { limit: 1 } } },
      { onFailure: 'ask', on: 'PreToolUse', handler: { severity: 'low', params: { limit: 1, loud: false } } },
    ])
  })

  it('passes its params to every rule that has them, and its onFailure to all', async () => {
    const { rules } = await reading({ pack: './own', params: { limit: 5, loud: true }, onFailure: 'continue' })
    expect(rules.map(({ onFailure }) => onFailure)).toEqual(['continue', 'continue'])
    expect(rules.filter(isPolicyRule).map(({ handler }) => [handler.params, handler.changedParams])).toEqual([
      [{ limit: 5 }, ['limit']],
      [{ limit: 5, loud: true }, ['limit', 'loud']],
    ])
  })

  it('omits the rules that are switched off', async () => {
    expect((await reading({ pack: './own', disable: ['first'] })).ids).toEqual(['project:hooks.json/own/second'])
  })

  it('coexists with hooks, other packs and single policies of the same file', async () => {
    const hooks = { PreToolUse: [{ hooks: [{ type: 'policy', policy: './x.policy.ts' }] }] }
    const { read } = policyMachine({
      [file]: { json: { hooks, packs: [{ pack: './own' }, { pack: '../other' }] } },
      'work/.hookgate/x.policy.ts': policyText('x'),
      ...own,
      ...packFiles('work/other'),
    })
    const { ids, problems } = await read()
    expect(problems).toEqual([])
    expect(ids).toEqual([
      'project:hooks.json/x',
      'project:hooks.json/own/first',
      'project:hooks.json/own/second',
      'project:hooks.json/other/first',
      'project:hooks.json/other/second',
    ])
  })

  it('may be a shipped one', async () => {
    const { ids, problems } = await reading({ pack: 'git-safety' })
    expect(problems).toEqual([])
    expect(ids).not.toEqual([])
    expect(ids.filter((id) => !id.startsWith('project:hooks.json/git-safety/'))).toEqual([])
  })

  it('is evaluated once where two sources turn it on identically', async () => {
    const { read } = policyMachine({
      [file]: packRules({ pack: './own' }),
      'home/.config/hookgate/hooks.json': packRules({ pack: '../../../work/.hookgate/own' }),
      ...own,
    })
    const { ids } = await read()
    expect(ids).toEqual([
      'user:hooks.json/own/first',
      'user:hooks.json/own/second',
      'project:hooks.json/own/first',
      'project:hooks.json/own/second',
    ])
  })
})

describe('mistakes in turning a pack on are reported with line, column, nearest name and remedy', () => {
  const at = `error: ${file}`
  it.each([
    [
      'a name that is none',
      { pack: 'git-saftey' },
      `${at}:4:15: hookgate has no built-in pack \`git-saftey\`; did you mean \`git-safety\`?`,
    ],
    [
      'a folder without its `./`',
      { pack: 'own' },
      `${at}:4:15: hookgate has no built-in pack \`own\`; write \`./own\` for the folder of that name`,
    ],
    [
      'a path that leads nowhere',
      { pack: './owm' },
      `${at}:4:15: there is no pack at \`./owm\`; did you mean \`own\`?`,
    ],
    [
      'a file',
      { pack: './own/README.md' },
      `${at}:4:15: \`./own/README.md\` is a file; name the folder that holds its \`pack.json\``,
    ],
    [
      'a folder that is none',
      { pack: './plain' },
      `${at}:4:15: \`./plain\` is not a pack: it has no \`pack.json\`; write one: \`{"description": "…"}\``,
    ],
    [
      'a param that no rule has',
      { pack: './own', params: { limits: 2 } },
      `${at}:6:9: no rule in the pack \`own\` has a param \`limits\`; did you mean \`limit\`?`,
    ],
    [
      'one that is near to none',
      { pack: './own', params: { branches: [] } },
      `${at}:6:9: no rule in the pack \`own\` has a param \`branches\`; there are \`limit\`, \`loud\``,
    ],
    [
      'one of a wrong type, once for all rules',
      { pack: './own', params: { limit: 'x' } },
      `${at}:6:18: \`limit\` must be a number, not a string`,
    ],
    ['one that is out of bounds', { pack: './own', params: { limit: 10 } }, `${at}:6:18: \`limit\` must be at most 9`],
    [
      'a rule that is none',
      { pack: './own', disable: ['frist'] },
      `${at}:6:9: the pack \`own\` has no rule \`frist\`; did you mean \`first\`?`,
    ],
    [
      'a key of a hook',
      { pack: './own', matcher: 'Bash' },
      `${at}:5:7: unknown key \`matcher\`; the rules of a pack define their own events: remove it`,
    ],
    ['a misspelt key', { pack: './own', parms: {} }, `${at}:5:7: unknown key \`parms\`; did you mean \`params\`?`],
    ['no name at all', { params: {} }, `${at}:3:5: \`pack\` is missing`],
    ['a text', 'git-safety', `${at}:3:5: a pack is turned on with an object; write \`{"pack": "git-safety"}\``],
  ])('%s', async (_, pack, problem) => {
    expect(await problemsWith(pack)).toEqual([problem])
  })

  it('reports a pack that is turned on twice, since both would have the same ids', async () => {
    expect(await problemsWith({ pack: './own' }, { pack: '../.hookgate/own' })).toEqual([
      `${at}:7:15: the pack \`own\` is turned on twice: \`packs[0]\` has the same name; merge them, or rename the folder`,
    ])
  })

  it('refuses a pack in place of a hook, and packs in a file that an agent reads too', async () => {
    const hooks = { PreToolUse: [{ hooks: [{ pack: 'git-safety' }] }] }
    const hook = policyMachine({ [file]: { json: { hooks } } })
    expect((await hook.read()).problems).toEqual([
      `${at}:7:13: a pack is not a hook: its rules define their own events; put it into the \`packs\` list at the top level of the file`,
    ])
    const cline = policyMachine({ 'work/.cline/hooks.json': { json: { hooks: {}, packs: [{ pack: 'git-safety' }] } } })
    expect((await cline.read()).problems).toEqual([
      'error: work/.cline/hooks.json:3:12: an agent reads this file too, and does not support packs; put them into a hooks.json of hookgate, such as .hookgate/hooks.json',
    ])
  })

  it('reports no unknown param while a rule that may have it does not load', async () => {
    const { read } = policyMachine({
      [file]: packRules({ pack: './own', params: { other: 1 } }),
      ...own,
      'work/.hookgate/own/third.policy.ts': 'export default {',
    })
    expect((await read()).problems).toEqual([expect.stringContaining('own/third.policy.ts:1:')])
  })
})

describe('a pack', () => {
  it.each([
    ['{}', ':1:1: `description` is missing'],
    ['{ "description": " " }', ':1:18: `description` is empty'],
    [
      '{ "description": "x", "rules": [] }',
      ':1:23: unknown key `rules`; its rules are the policies in its folder: remove it',
    ],
    ['{ "descripton": "x" }', ':1:3: unknown key `descripton`; did you mean `description`?'],
    ['{', ':1:2: it is not JSON: it ends too early'],
    ['{ "description": "x", "params": {} }', ':1:23: unknown key `params`; move it to where the pack is turned on'],
  ])('with a wrong pack.json is refused with the place: %s', async (text, problem) => {
    const { read } = policyMachine({
      [file]: packRules({ pack: './own' }),
      ...own,
      'work/.hookgate/own/pack.json': text,
    })
    expect((await read()).problems).toContain(`error: work/.hookgate/own/pack.json${problem}`)
  })

  it('without rules is refused', async () => {
    const { read } = policyMachine({
      [file]: packRules({ pack: './none' }),
      'work/.hookgate/none/pack.json': '{"description":"x"}',
    })
    expect((await read()).problems).toEqual([
      'error: work/.hookgate/none: this pack has no rules; put one into a file named `….policy.ts`',
    ])
  })

  it('has each rule in a file of its name, which also switches it off', async () => {
    const machine = policyMachine({ [file]: packRules({ pack: './own' }), ...own })
    const folder = join(machine.work, '.hookgate/own')
    renameSync(join(folder, 'first.policy.ts'), join(folder, 'other.policy.ts'))
    expect((await machine.read()).problems).toEqual([
      'error: work/.hookgate/own/other.policy.ts:1:1: a rule of a pack must be in a file of the same name, and this rule is `first`; rename the file to `first.policy.ts`',
    ])
  })

  it('is recognised in a folder of policies, and on the command line', async () => {
    const { read } = policyMachine({ ...packFiles('work/.hookgate/policies/own'), ...packFiles('given') })
    expect((await read({ explicit: ['given'] })).ids).toEqual([
      'explicit:given/first',
      'explicit:given/second',
      'project:policies/own/first',
      'project:policies/own/second',
    ])
  })

  it('of a folder of policies applies as the hooks.json beside it says, and what that switches off stays off', async () => {
    const { read } = policyMachine({
      [file]: packRules({ pack: './policies/own', disable: ['second'], params: { limit: 3 } }),
      ...packFiles('work/.hookgate/policies/own'),
    })
    const { ids, problems } = await read()
    expect(problems).toEqual([])
    expect(ids).toEqual(['project:hooks.json/own/first'])
  })

  it('is reloaded when its rules or its pack.json change', async () => {
    const machine = policyMachine({ [file]: packRules({ pack: './own' }), ...own })
    expect((await machine.read()).ids).toHaveLength(2)
    writeFileSync(join(machine.work, '.hookgate/own/third.policy.ts'), policyText('third'))
    expect((await machine.read()).ids).toHaveLength(3)
  })
})
