import { describe, expect, expectTypeOf, it } from 'vitest'
import type { PolicyTool as ToolOfModel } from '../../../../src/model/policy.ts'
import { exampleInput } from '../../../../src/policy/policy-input.ts'
import { limits } from '../../../../src/model/limits.ts'
import { knownNames } from '../../../../src/policy/compile/flaws/known-names.ts'
import { shippedPolicy, shippedPolicies } from '../../../../src/files/policy-files.ts'
import type { PolicyTool } from '../../../../src/library/policy.ts'
import { policyMachine, policyText } from '../../../support/policies.ts'
import { compileFile, compileTexts, problemsOf } from '../run-compiled.ts'

const declarations = `facts: { tsconfig: { exists: 'tsconfig.json' } },
  params: { max: { type: 'number', default: 1 } },`
const policyWith = (decide: string, more = declarations, before = '') =>
  `import { definePolicy, deny } from 'hookgate/policy'; ${before}
export default definePolicy({ id: 'a', description: 'A', on: 'PreToolUse', ${more}
${decide} })`
/** Lists the problems of a policy whose `decide` begins its last line. */
const problemsWith = (...text: Parameters<typeof policyWith>) =>
  problemsOf(compileTexts({ 'a.ts': policyWith(...text) })).map((one) => one.replace(/^a\.ts:\d+:/, ''))

describe('an unknown name that `decide` reads is an error with its place', () => {
  it.each([
    ['decide({ facts }) { return facts.tsconfg }', '34: there is no fact `tsconfg`; did you mean `tsconfig`?'],
    ['decide({ facts }) { return facts.branch }', '34: there is no fact `branch`; declare it in `facts`'],
    ['decide({ params }) { return params.maxx }', '36: there is no param `maxx`; did you mean `max`?'],
    ['decide({ params }) { return params.other }', '36: there is no param `other`; declare it in `params`'],
    ['decide({ tol }) {}', '10: `decide` is not given `tol`; did you mean `tool`?'],
    [
      'decide({ world }) {}',
      '10: `decide` is not given `world`; there are `event`, `tool`, `facts`, `params`, `state`, `shell`, `paths`, `changes`, `impacts`',
    ],
    ['decide({ tool }) { return tool.comand }', '32: `tool` has no `comand`; did you mean `command`?'],
    [
      'decide({ tool }) { return tool.filename }',
      "32: `tool` has no `filename`; the agent's own names are in `tool.input`",
    ],
    ['decide({ event }) { return event.promt }', '34: `event` has no `promt`; did you mean `prompt`?'],
    ['decide({ event }) { return event.session.cwdd }', '42: `session` has no `cwdd`; did you mean `cwd`?'],
    ['decide({ event }) { return event.session.model?.slugg }', '49: `model` has no `slugg`; did you mean `slug`?'],
    [
      'decide({ event }) { return event.result?.succeded }',
      '42: `result` has no `succeded`; did you mean `succeeded`?',
    ],
    ['decide({ shell }) { return shell.comands }', '34: `shell` has no `comands`; did you mean `commands`?'],
    ['decide({ shell: { flow } }) {}', '19: `shell` has no `flow`; did you mean `flows`?'],
    [
      'decide({ shell }) { return shell.commands.some((one) => one.progam) }',
      '61: a command has no `progam`; did you mean `program`?',
    ],
    [
      'decide({ shell }) { for (const one of shell.commands) if (one.argv) return }',
      '63: a command has no `argv`; did you mean `args`?',
    ],
    [
      'decide({ shell }) { return shell.commands.find(({ args }) => args.every(({ text }) => text)) }',
      '76: a word has no `text`; there are `value`, `unresolved`, `several`, `pattern`, `variable`, `variables`, `from`',
    ],
    [
      'decide({ shell }) { return shell.commands.some((one) => one.xyzzy) }',
      '61: a command has no `xyzzy`; docs/fields.md lists the 41 names',
    ],
    [
      'decide({ paths }) { const found = paths; return found.filter(function (one) { return one.inHom }) }',
      '90: a path has no `inHom`; did you mean `inHome`?',
    ],
    [
      'decide({ shell }) { return shell.commands.flatMap((one) => one.paths).map((path) => path.nonsense) && shell.flows.some((f) => f.form) }',
      '129: a flow has no `form`; did you mean `from`?',
    ],
  ])('%s', (decide, problem) => {
    expect(problemsWith(decide)).toEqual([problem])
  })

  it.each([
    'decide({ facts: f }) { return f.tsconfg }',
    'decide({ facts: { tsconfg } }) {}',
    'decide({ facts: { tsconfg: t = 1 } }) {}',
    "decide({ 'facts': { 'tsconfg': t } }) {}",
    'decide({ facts: { tsconfg } = {}, ...rest }) {}',
    'decide({ facts } = {}) { return facts.tsconfg }',
    'decide(input) { return input.facts.tsconfg }',
    'decide(input) { const { facts: { tsconfg } } = input }',
    'decide(input) { const { facts } = input; return facts?.tsconfg }',
    'decide(input) { let f = input.facts; return () => f.tsconfg }',
    "decide({ facts }) { return facts['tsconfg'] }",
    'decide({ facts }) { return facts!.tsconfg }',
    'decide({ facts }: any) { return (facts ?? {}).tsconfg }',
    'decide({ facts }) { const { tsconfg } = facts }',
    'decide({ facts }) { var { tsconfg } = facts }',
    'decide(input) { var f = input.facts; f.tsconfg }',
    'decide({ facts }) { if (1) { const { tsconfg } = facts } else { const f = facts; const g = f; g.tsconfig } }',
    'decide({ facts }) { function helper(tool) { return facts.tsconfg + tool.other } }',
    'decide: function ({ facts }) { facts.tsconfg() }',
    'decide: ({ facts }) => facts.tsconfg',
    'decide({ facts }) { return `${facts.tsconfg.toString()}` }',
  ])('however it is written: %s', (decide) => {
    expect(problemsWith(decide)).toEqual([expect.stringContaining('there is no fact `tsconfg`; did you mean')])
  })

  it('in a definition bound to a name, and with an alias of definePolicy', () => {
    const source = `import { definePolicy as define } from 'hookgate/policy'
      const policy = define({ id: 'a', description: 'A', on: 'Stop', decide({ params }) { params.max } })
      export { policy as default }`
    expect(problemsOf(compileTexts({ 'a.ts': source }))).toEqual([
      'a.ts:2:98: there is no param `max`; declare it in `params`',
    ])
  })

  it('each of them is reported, in source order', () => {
    const decide = 'decide({ tol, facts }) { const a = () => facts.b; const { c } = facts; return facts.d }'
    expect(problemsWith(decide)).toEqual([
      '10: `decide` is not given `tol`; did you mean `tool`?',
      expect.stringContaining('`b`'),
      expect.stringContaining('`c`'),
      expect.stringContaining('`d`'),
    ])
  })

  it('a policy is refused for it, with its file, line and column', async () => {
    const { problems, ids } = await policyMachine({
      'work/.hookgate/policies/a.policy.ts': policyText('a', '', 'if (tool.comand) return deny(facts.x)'),
    }).read()
    expect(problems).toEqual([
      'error: work/.hookgate/policies/a.policy.ts:6:46: `tool` has no `comand`; did you mean `command`?',
      'error: work/.hookgate/policies/a.policy.ts:6:72: there is no fact `x`; declare it in `facts`',
    ])
    expect(ids).toEqual([])
  })
})

describe('nothing is reported for', () => {
  it.each([
    [
      'names that exist',
      'decide({ event, tool, facts: { tsconfig }, params }) { tool.path + event.prompt + params.max }',
    ],
    ['what the agent calls its input', 'decide({ tool }) { tool.input.any.thing; const { other } = tool.input }'],
    ['what a tool returned', 'decide({ event }) { event.result?.output.any.thing }'],
    ['what strings and lists have', 'decide({ event, tool }) { tool.command?.trim(); event.workspaceRoots.length }'],
    ['what every object has', 'decide({ facts, tool: { toString } }) { facts.hasOwnProperty("x"); facts.__proto__ }'],
    ['a parameter of an inner function', 'decide({ facts }) { return [{}].map((facts) => facts.x) }'],
    ['a helper that takes facts', 'decide({ facts }) { function helper(facts) { return facts.x } }'],
    ['a helper that takes parts of them', 'decide({ facts }) { const helper = ({ facts = {} }) => facts.x }'],
    ['a name in a block', 'decide({ facts }) { { const facts = {}; facts.x } }'],
    ['a name in a loop', 'decide({ facts }) { for (const facts of [{}]) facts.x }'],
    ['a name of what is caught', 'decide({ facts }) { try {} catch (facts) { facts.x } }'],
    ['a name of what is caught, in parts', 'decide({ facts }) { try {} catch ({ a: [facts] }) { facts.x } }'],
    ['a name of a class', 'decide({ facts }) { { class facts { static x = 1 } facts.x } }'],
    ['a name of a function', 'decide({ facts }) { (function facts() { facts.x })() }'],
    ['a name that is given another value', 'decide({ facts }) { facts = {}; facts.x }'],
    ['a name that is given another value in parts', 'decide({ facts }) { ({ a: [facts] } = {}); facts.x }'],
    ['a name that a loop gives values', 'decide({ facts }) { for (facts of [{}]) facts.x }'],
    ['a variable of the module', 'decide({ facts: f }) { f.tsconfig; facts.x }', declarations, 'const facts = {};'],
    [
      'a variable of the module outside of the block that has its own',
      'decide(input) { { const { facts } = input } facts.x }',
      declarations,
      'const facts = {};',
    ],
    ['a variable declared by `var`, outside of its block', 'decide(input) { { var facts = input.facts } facts.x }'],
    [
      'what is computed',
      'decide({ facts, ...rest }) { const x = "x"; facts[x]; facts[`x`]; const { [x]: y } = facts }',
    ],
    ['what a rest takes', 'decide({ facts, ...rest }) { rest.tol.x }'],
    ['what stands beside a rest', 'decide({ facts, tol, ...rest }) { const { x, ...others } = facts }'],
    ['what a copy has', 'decide({ facts }) { const all = { ...facts, x: 1 }; all.x }'],
    ['what takes the place of what is missing', 'decide({ tool = { x: 1 } }) { tool.x }'],
    ['what takes the place of it in parts', 'decide({ tool: { x } = { x: 1 } }) {}'],
    [
      'what takes the place of it within',
      'decide({ tool }) { (tool ?? { x: 1 }).x; (tool && { x: 1 }).x; (0, tool).x }',
    ],
    ['a name that is checked before', 'decide({ tool }) { return "x" in tool && tool.x }'],
    [
      'what is handed on',
      'decide({ facts }) { other({ facts }); other(facts).x }',
      declarations,
      'const other = (x) => x;',
    ],
    ['other arguments', 'decide(...all) { all.x; arguments[0].x }'],
    ['other objects with such names', 'decide({ facts }) { const a = { facts: { x: 1 } }; a.facts.x; this.facts?.x }'],
    ['labels', 'decide({ facts }) { facts: for (;;) break facts }'],
    ['a decide without arguments', 'decide() {}'],
    ['a decide from elsewhere', 'decide', declarations, 'const decide = ({ tol }) => tol;'],
    ['a decide that is made', 'decide: made(({ tol }) => tol)', declarations, 'const made = (x) => x;'],
    ['a decide that may be replaced', 'decide({ tol }) {}, ...more', declarations, 'const more = {};'],
    ['a decide that is replaced', 'decide({ tol }) {}, decide({ tool }) {}'],
    [
      'facts from elsewhere',
      'decide({ facts, params }) { facts.x; params.x }',
      'facts, params: params()',
      'const facts = {}, params = () => ({});',
    ],
    [
      'facts with some from elsewhere',
      'decide({ facts }) { facts.x }',
      'facts: { a: 1, ...more },',
      'const more = {};',
    ],
    ['facts that may be elsewhere', 'decide({ facts }) { facts.x }', '...more,', 'const more = {};'],
    ['facts that may be replaced', 'decide({ facts }) { facts.x }', 'facts: {}, ...more,', 'const more = {};'],
    ['facts whose own name is misspelt', 'decide({ facts }) { facts.x }', 'fact: { x: 1 },'],
  ])('%s', (_, decide, more = declarations, before = '') => {
    const separated = more.endsWith(',') ? more : `${more},`
    expect(problemsWith(decide, separated, before)).toEqual([])
  })

  it('policies that another function than definePolicy makes', () => {
    const made = 'export default make({ decide({ tol }) { tol.x } })'
    for (const before of [
      'const make = (x) => x;',
      "import { deny as make } from 'hookgate/policy';",
      "import { definePolicy as make } from './b.ts';",
    ]) {
      const texts = { 'a.ts': `${before} ${made}`, 'b.ts': 'export const definePolicy = (x) => x' }
      expect(problemsOf(compileTexts(texts))).toEqual([])
    }
    expect(problemsOf(compileTexts({ 'a.ts': 'export default { decide({ tol }) {} }' }))).toEqual([])
  })

  it.each(shippedPolicies())('hookgate/%s', (name) => {
    const { file, folder } = shippedPolicy(name)
    expect(problemsOf(compileFile(file, folder))).toEqual([])
  })
})

describe('known names', () => {
  const { names } = knownNames([], [], [])

  it('of a tool are those of its type', () => {
    expectTypeOf<keyof PolicyTool>().toEqualTypeOf<keyof ToolOfModel>()
  })

  it('include every field that a policy is given', () => {
    const definition = {
      id: 'a',
      description: 'A',
      on: 'PostToolUse' as const,
      facts: {},
      params: {},
      state: {},
      examples: [],
    }
    const given = { tool: 'shell' as const, input: { command: 'ls', path: 'a', url: 'u', content: 'c' } }
    const eventFields = { prompt: 'p', message: 'm', trigger: 't', result: { output: 1, error: 'e', durationMs: 1 } }
    const { event, tool } = exampleInput(definition, { ...given, ...eventFields })
    expect([...(names.get('event')?.names.keys() ?? [])].toSorted()).toEqual(Object.keys(event).toSorted())
    const fields = [...(names.get('tool')?.names.keys() ?? [])]
    expect(fields).toEqual(expect.arrayContaining([...Object.keys(tool ?? {}), ...Object.keys(given.input)]))
  })
})

it('a file of only mistakes gets a limited number of them reported, whatever it declares', () => {
  const facts = Array.from({ length: 20_000 }, (_, at) => `fact${at}: {}`).join(',')
  const uses = Array.from({ length: 10_000 }, (_, at) => `facts.fakt${at}`).join(';')
  const spread = '...more,'.repeat(20_000)
  const problems = problemsWith(`decide({ facts }) { ${uses} }`, `${spread} facts: {${facts}},`, 'const more = {};')
  expect(problems).toHaveLength(limits.policyProblemsMax)
})
