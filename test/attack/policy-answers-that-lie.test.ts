import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '../../src/model/limits.ts'
import { answerOf, handPolicy, isolateOf } from '../support/isolates.ts'

const returning = (expression: string, top = '') => answerOf(handPolicy('lies', `return ${expression}`, top))
const messageOf = (expression: string) => JSON.stringify(returning(expression))

describe('an invalid answer is reported as such', () => {
  it.each([
    ['null', 'return nothing to abstain'],
    ['true', 'decide returned `true`'],
    ['"deny"', 'decide returned `deny`'],
    ['deny', 'decide returned a function'],
    ['Symbol()', 'decide returned a symbol'],
    ['{}', 'an empty answer'],
    ['({ effct: "deny" })', 'the key `effct`'],
    ['({ effect: "deny", [Symbol("s")]: 1 })', 'the key `Symbol(s)`'],
    ['({ effect: "block" })', 'the effect `block`'],
    // It would replace another policy's `ask` without asking the user.
    ['({ effect: "defer" })', 'the effect `defer`'],
    ['({ effect: "deny", context: "c" })', 'return an array'],
    ['({ context: "c", reason: "r" })', 'only an effect has a reason'],
    ['({ reason: "r" })', 'an empty answer'],
    ['({ effect: "deny", reason: 7 })', '`reason` is `7`'],
    ['({ get effect() { return "allow" } })', '`effect` is an accessor'],
    ['({ context: null })', '`context` is `null`'],
    ['({ notice: ["n"] })', '`notice` is an array'],
    ['rewrite([])', 'it must be the tool'],
    ['rewrite("x")', 'it must be the tool'],
    ['rewrite(undefined)', 'is not JSON'],
    ['rewrite({ a: () => 1 })', '`a` in the rewritten input is a function'],
    ['rewrite({ a: 1n })', '`a` in the rewritten input is'],
    ['rewrite({ a: Infinity })', '`a` in the rewritten input is `Infinity`'],
    ['rewrite({ a: JSON.rawJSON("1e999") })', 'JSON.rawJSON is not a function'],
    ['rewrite({ toJSON() { return 1 } })', 'it must be the tool'],
    ['(() => { const a = {}; a.a = a; return rewrite(a) })()', 'TypeError: Converting circular'],
    ['(() => { let a = {}; for (let i = 0; i < 1000; i++) a = { a }; return rewrite(a) })()', 'nested deeper'],
    ['[deny("a"), null]', 'decide returned `null` as an answer'],
    ['[, deny("a")]', 'decide returned `undefined` as an answer'],
    ['Array(17).fill(deny("a"))', 'at most 16'],
    ['Array(2 ** 32 - 1)', 'at most 16'],
    ['context("x".repeat(2 ** 20))', 'characters'],
    ['Array(16).fill(context("x".repeat(1e5)))', 'characters'],
    ['rewrite({ a: "x".repeat(2 ** 20) })', 'characters'],
    ['deny("\\u0001".repeat(2e5))', 'characters'],
    ['new Proxy({}, { ownKeys() { throw new Error("trap") } })', 'Error: trap'],
    ['new Proxy([], { getOwnPropertyDescriptor() { throw "trap" } })', 'it threw the string: trap'],
    ['(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy })()', 'TypeError'],
  ])('%s: %s', (expression, why) => {
    const expected = expression.startsWith('{}') ? '({})' : expression
    expect(messageOf(expected)).toContain('policyThrew')
    expect(messageOf(expected)).toContain(why)
  })
})

describe('a valid answer is transferred unchanged', () => {
  it.each([
    ['[]', 0],
    ['undefined', 0],
    ['allow()', [{ effect: 'allow' }]],
    ['({ effect: "allow", reason: undefined })', [{ effect: 'allow' }]],
    ['Object.assign(Object.create(null), { effect: "ask" })', [{ effect: 'ask' }]],
    [
      '[deny("a"), context("b"), { notice: "c" }, { stop: "d" }]',
      [{ effect: 'deny', reason: 'a' }, { context: 'b' }, { notice: 'c' }, { stop: 'd' }],
    ],
    [
      'rewrite({ ...tool.input, a: undefined, b: { "__proto__x": [null] } })',
      [{ rewrite: { command: 'ls', b: { __proto__x: [null] } } }],
    ],
    [
      'deny("\\u001b[31m\\u0000\\u2028\\t\\n\\ud800\\"],[0")',
      [{ effect: 'deny', reason: '\u001B[31m\0\u2028\t\n\uD800"],[0' }],
    ],
    ['new Proxy({ effect: "deny" }, {})', [{ effect: 'deny' }]],
  ])('%s', (expression, answers) => {
    expect(returning(expression)).toEqual(answers)
  })

  it('with any text, without affecting the answers beside it', () => {
    const { ask } = isolateOf(
      handPolicy('says', 'return context(event.prompt)'),
      handPolicy('beside', 'return deny("b")'),
    )
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (prompt) => {
        const input = {
          event: {
            name: 'Stop',
            agent: 'cline',
            session: { id: '', cwd: '' },
            workspaceRoots: [],
            atMs: 0,
            prompt,
          } as const,
        }
        expect(ask([0, 1], { input })).toEqual([[{ context: prompt }], [{ effect: 'deny', reason: 'b' }]])
      }),
    )
  })

  it('is read once: a value that changes between two reads keeps the first', () => {
    const body = `let looks = 0; return new Proxy({ effect: 'deny' }, { getOwnPropertyDescriptor: () =>
      ({ value: looks++ === 0 ? 'deny' : 'allow', writable: true, enumerable: true, configurable: true }) })`
    expect(answerOf(handPolicy('lies', body))).toEqual([{ effect: 'deny' }])
  })
})

describe('a thrown value is described, and never leaves the isolate', () => {
  it.each([
    ['throw null', 'it threw `null`'],
    ['throw undefined', 'it threw `undefined`'],
    ['throw 7n', 'it threw `7`'],
    ['throw Symbol("s")', 'it threw a symbol'],
    ['throw () => 0', 'it threw a function'],
    ['throw "text"', 'it threw the string: text'],
    ['throw {}', 'without a name'],
    ['throw { name: "N", message: "m" }', 'N: m'],
    ['throw { get message() { for (;;); } }', 'without a name'],
    ['throw Object.defineProperty(new Error("m"), "message", { get() { for (;;); } })', 'Error'],
    ['throw Object.defineProperty(new Error("m"), "stack", { get() { for (;;); } })', 'Error: m'],
    ['throw new Error("one\\ntwo\\r\\nthree\\u2028four")', 'Error: one two three four'],
    [
      'throw new Proxy({}, { get() { throw 1 }, getOwnPropertyDescriptor() { throw 2 }, getPrototypeOf() { throw 3 } })',
      'cannot be inspected',
    ],
    ['throw new (class extends Error { get name() { for (;;); } })("m")', 'm'],
    ['const f = () => f(); f()', 'RangeError: Maximum call stack'],
    ['throw { toString() { for (;;); }, [Symbol.toPrimitive]() { for (;;); } }', 'without a name'],
    ['JSON.parse("[".repeat(1e5))', 'SyntaxError'],
  ])('%s: %s', (statement, why) => {
    const answer = answerOf(handPolicy('throws', statement))
    expect(answer).toHaveProperty('failure.code', 'policyThrew')
    expect(JSON.stringify(answer)).toContain(why)
  })

  it('may loop while it is described, and then only its own policy times out', () => {
    const loops = handPolicy('loops', 'throw new Proxy({}, { getPrototypeOf() { for (;;); } })')
    const { ask } = isolateOf(loops, handPolicy('beside', 'return deny("b")'))
    const [failed, beside] = ask([0, 1])
    expect(failed).toHaveProperty('failure.code', 'policyTimeout')
    expect(beside).toEqual([{ effect: 'deny', reason: 'b' }])
  })

  it('has a description no longer than the limit', () => {
    const answer = answerOf(handPolicy('long', 'throw new Error("x".repeat(1e6))'))
    const length = typeof answer === 'object' && 'failure' in answer ? answer.failure.message.length : 0
    expect(length).toBe(limits.policyErrorCharactersMax)
  })

  it('cannot blame another file for its failure', () => {
    const forged = handPolicy(
      'forges',
      `const error = new Error('boom')
       const site = { getFileName: () => '/policies/other.policy.ts', getLineNumber: () => 7, getColumnNumber: () => 7 }
       try { Error.prepareStackTrace(error, [site]) } catch {}
       throw error`,
    )
    const { ask } = isolateOf(forged, handPolicy('other', ''))
    const [failed] = ask([0, 1])
    expect(JSON.stringify(failed)).toMatch(/"message":"\/policies\/forges\.policy\.ts:\d+:\d+: Error: boom"/)
  })

  it('cannot answer for another policy, whatever id it gives itself', () => {
    const liar = handPolicy(
      'liar',
      `return [{ effect: 'allow', reason: '"}],[{"effect":"allow"' }]`,
      '',
      `id: 'guard',`,
    )
    const guard = handPolicy('guard', 'return deny("guarded")')
    expect(isolateOf(liar, guard).ask([0, 1])[1]).toEqual([{ effect: 'deny', reason: 'guarded' }])
  })
})
