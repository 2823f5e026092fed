import { isBuiltin } from 'node:module'
import { describe, expect, it } from 'vitest'
import { isRealmName } from '../../../../src/policy/compile/flaws/undeclared-names.ts'
import { shippedPolicy, shippedPolicies } from '../../../../src/files/policy-files.ts'
import { policyMachine, policyText } from '../../../support/policies.ts'
import { testSandbox } from '../../../support/sandbox.ts'
import { compileFile, compileTexts, modulesOf, problemsOf } from '../run-compiled.ts'
import { PolicyCalls } from '../../../../src/model/policy-interest.ts'

const policyWith = (decide: string, before = '') =>
  `import { definePolicy, deny as no, ask } from 'hookgate/policy'; ${before}
export default definePolicy({ id: 'a', description: 'A', on: 'PreToolUse',
decide({ tool }) { ${decide} } })`
const problemsWith = (...text: Parameters<typeof policyWith>) =>
  problemsOf(compileTexts({ 'a.ts': policyWith(...text) })).map((one) =>
    one.replace(' is not declared, and policies have no global of that name', ''),
  )

describe('an undeclared name is an error at its first use', () => {
  it.each([
    ["return askk('x')", 'a.ts:3:27: `askk`; did you mean `ask`?'],
    ["if (tool.path === 'never') return denny('x'); return denny('y')", 'a.ts:3:54: `denny`; did you mean `deny`?'],
    ["return deny('x')", 'a.ts:3:27: `deny`; import it from `hookgate/policy`'],
    ['return [{ ...rest }]', 'a.ts:3:33: `rest`; declare it, or import it'],
    ['return { effect }', 'a.ts:3:29: `effect`; declare it, or import it'],
    ['const { [key]: value = other } = tool', 'a.ts:3:29: `key`; declare it, or import it'],
    ['return tool.input[key]', 'a.ts:3:38: `key`; declare it, or import it'],
    ['total = 1', 'a.ts:3:20: `total`; declare it, or import it'],
    ['count = 1', 'a.ts:3:20: `count`; import it from `hookgate/policy`'],
    ['class A extends B {}', 'a.ts:3:36: `B`; declare it, or import it'],
    ['try { ask() } finally { log() }', 'a.ts:3:44: `log`; declare it, or import it'],
    ['return no(`${tool.path} ${why}`)', 'a.ts:3:46: `why`; declare it, or import it'],
    [
      'console.log(tool)',
      'a.ts:3:20: `console`; a policy is pure ECMAScript; declare what it needs to know about the outside world in `facts`',
    ],
    [
      "return require('fs')",
      'a.ts:3:27: `require`; a policy is pure ECMAScript; declare what it needs to know about the outside world in `facts`',
    ],
  ])('%s', (decide, problem) => {
    expect(problemsWith(decide).slice(0, 1)).toEqual([problem])
  })

  it('is reported beside the module’s other problems', () => {
    const policy = policyWith('return hlep()', "import { denied } from 'hookgate/policy'; const f = async () => 1")
    expect(problemsOf(compileTexts({ 'a.ts': policy }))).toEqual([
      expect.stringContaining('`async` is not possible'),
      expect.stringContaining('has no `denied`'),
      expect.stringContaining('`hlep` is not declared'),
    ])
  })

  it('is reported for each module of a policy, with its place there', () => {
    const texts = {
      'a.ts': policyWith('return help()', "import { help } from './b.js'"),
      'b.js': 'export const help = () => hlep()',
    }
    expect(problemsOf(compileTexts(texts))).toEqual([expect.stringMatching(/^b\.js:1:27: `hlep` is not declared/)])
  })

  it('is reported when the rules are read, even if no example reaches it', async () => {
    const { problems, ids } = await policyMachine({
      'work/.hookgate/policies/a.policy.ts': policyText('a', '', "if (tool?.path === 'x') return denny('x')"),
    }).read()
    expect(problems).toEqual([expect.stringContaining('a.policy.ts:6:68: `denny` is not declared')])
    expect(ids).toEqual([])
  })
})

describe('a name is accepted', () => {
  it.each([
    ["return typeof denny === 'function' ? denny() : undefined"],
    ["return typeof Buffer !== 'undefined' && Buffer.from('x')"],
    ["return 'structuredClone' in globalThis ? structuredClone(tool) : tool"],
    ['if (globalThis.structuredClone) return structuredClone(tool)'],
    ["if (Reflect.has(globalThis, 'later')) later()"],
    ['try { return structuredClone(tool) } catch { return undefined }'],
    ['outer: for (const one of tool.paths) { if (one) continue outer; else break outer }'],
    ['return { denny: 1, denny() {}, get other() { return 1 }, async: 2 }.denny'],
    ['return tool.input.denny?.hlep.toString()'],
    ['const { denny: mine, ...more } = tool; return [mine, more]'],
    ['const { denny = 1, a: { b = denny } = {} } = tool.input; return b'],
    ['const [first, , ...others] = tool.paths; return [first, others]'],
    ['class A { static #x = 1; y = A.#x; static has(o) { return #x in o } get z() { return super.z } } return A'],
    ['return function me(n) { return n ? me(n - 1) : new.target ?? arguments.length }'],
    ['try { null.x } catch ({ message }) { return message }'],
    ['{ function inner() {} } inner(); var late = early; var early'],
    ['{ let denny = 1; void denny } return denny'],
    ['return (denny => denny)(1)'],
    ['for (const key in tool) for (let at = 0; at < 1; at++) void [key, at]'],
    ['using held = null; return held'],
    ['return [toString(), hasOwnProperty, __proto__, valueOf]'],
    ['return [undefined, NaN, Infinity, globalThis, new Date(), /x/u, 1n, Iterator.from([])]'],
    ['return <T>(value: T): value is NonNullable<T> => !!(value as unknown as Denny satisfies X)'],
    ['return import_.b.c + String.raw`denny ${1}`', "import * as import_ from './b.js'"],
    [
      'return [A, b, C]',
      "import A, { x as b, 'y z' as C } from './b.js'; export { x as d } from './b.js'; export * as e from './b.js'",
    ],
    [
      'return help',
      'export function help() {} export const { two } = { two: 2 }; type Denny = { denny: X }; interface X {}',
    ],
  ])('%s', (decide, before = '') => {
    const texts = {
      'a.ts': policyWith(decide, before),
      'b.js': "export default 1; export const x = 1, b = {}; export { x as 'y z' }",
    }
    expect(problemsOf(compileTexts(texts))).toEqual([])
  })

  it('in every shipped policy', () => {
    for (const name of shippedPolicies()) {
      const { file, folder } = shippedPolicy(name)
      expect(problemsOf(compileFile(file, folder))).toEqual([])
    }
  })
})

describe('the globals of policies', () => {
  it('are exactly those of the realm that they run in', async () => {
    const names = Object.getOwnPropertyNames(globalThis).concat(
      'gc',
      'ivm',
      'isolate',
      'log',
      'Temporal',
      'Float16Array',
    )
    const decide = `const all = Reflect.ownKeys(globalThis).filter((key) => typeof key === 'string')
      return deny(JSON.stringify({ all, present: ${JSON.stringify(names)}.filter((name) => name in globalThis) }))`
    const policy = policyText('a', '', decide)
    const modules = modulesOf(compileTexts({ 'a.policy.ts': policy }))
    const sandbox = testSandbox()
    const domain = await sandbox.load([{ file: '/policies/a.policy.ts', modules, digest: '' }])
    const input = [JSON.stringify({ event: { name: 'PreToolUse' } })] as const
    const call = { domain: domain.id, policy: 0, facts: [], params: '{}' }
    const [result] = await sandbox.evaluate({
      calls: new PolicyCalls([call]),
      input,
      atMs: 0,
      values: [],
      isTrusted: true,
    })
    domain.release()
    const [answer] = result !== undefined && 'answers' in result ? result.answers : []
    const globals: unknown = JSON.parse(answer !== undefined && 'effect' in answer ? (answer.reason ?? '') : '')
    const { all, present } = globals as { all: string[]; present: string[] }
    expect(all.filter((name) => !isRealmName(name))).toEqual([])
    // A global that the realm lacks must not be on the list.
    expect(names.filter(isRealmName)).toEqual(present)
    expect(all.every((name) => names.includes(name))).toBe(true)
    expect(names.some((name) => isBuiltin(name) && isRealmName(name))).toBe(false)
  })
})
