import { describe, expect, it } from 'vitest'
import { inPolicy } from '../support/isolates.ts'

/** Walks everything that a policy can reach by properties and prototypes: globals, syntax, its arguments, its library. */
const walk = `
const reach = (asked) => {
  const found = new Map(), queue = []
  const push = (value, path) => {
  if ((typeof value === 'object' && value !== null || typeof value === 'function') && !found.has(value)) {
    found.set(value, path); queue.push(value)
  }
}
  push(globalThis, 'globalThis'); push($library, '$library'); push(asked, 'asked')
  const samples = [[][Symbol.iterator](), ''[Symbol.iterator](), new Map().entries(), new Set().values(), 'a'.matchAll(/a/g),
    [].values().map(String), Iterator.from({ next() {} }), [].values().drop(1), function* () {}, (function* () {})(), async () => {},
    (async () => {})(), async function* () {}, (async function* () {})(), class {}, new Error('e'), /a/.exec('a'), Symbol.iterator,
    (function () { return arguments })(), (() => { try { null.x } catch (e) { return e } })(), Object(1n), new Proxy({}, {}),
    Proxy.revocable({}, {}), String.raw\`\`, ((s) => s)\`a\`, new DisposableStack(), JSON.parse('{}'), new Date(), Object(Symbol()), new WeakMap()]
  samples.forEach((sample, index) => push(sample, 'sample' + index))
  while (queue.length > 0) {
    const next = queue.pop(), path = found.get(next)
    push(Reflect.getPrototypeOf(next), path + '.[[Prototype]]')
    for (const key of Reflect.ownKeys(next)) {
      const { value, get, set } = Reflect.getOwnPropertyDescriptor(next, key)
      for (const part of [value, get, set]) push(part, path + '.' + String(key))
    }
  }
  return found
}`

describe('the whole graph of objects that a policy can reach', () => {
  it('is frozen, except for what the policy made itself', () => {
    const mutable = `(() => {
      const open = []
      for (const [value, path] of reach(asked)) if (!Object.isFrozen(value)) open.push(path)
      return open.filter((path) => !/^sample(9|13)\\.\\[\\[Prototype]]$|^sample\\d+(\\.(prototype|constructor|lastIndex|value|groups|proxy|revoke|raw|0|e))*$/.test(path)).join()
    })()`
    expect(inPolicy(mutable, walk)).toBe('')
  })

  it('contains no function that makes code from text', () => {
    const makers = `(() => {
      const makers = []
      for (const [value, path] of reach(asked)) {
        if (typeof value !== 'function') continue
        for (const text of ['return 6 * 7', '6 * 7']) {
          for (const call of [() => value(text), () => new value(text), () => value('', text)]) {
            try { const made = call(); if (made === 42 || typeof made === 'function' && made !== value && made() === 42) makers.push(path) } catch {}
          }
        }
      }
      return makers.join()
    })()`
    expect(inPolicy(makers, walk)).toBe('')
  })

  it.each(
    `eval Function Promise WebAssembly SharedArrayBuffer Atomics WeakRef FinalizationRegistry Intl console escape unescape
    ArrayBuffer Uint8Array performance process require setTimeout queueMicrotask structuredClone fetch Temporal ShadowRealm
    gc AsyncDisposableStack AsyncIterator`.split(/\s+/),
  )('has no `%s`', (name) => {
    expect(inPolicy(`typeof ${name} + Object.hasOwn(globalThis, '${name}')`)).toBe('undefinedfalse')
  })

  it('contains no object of the host or of isolated-vm', () => {
    const odd = `[...reach(asked).keys()].filter((value) => /Isolate|Reference$|ExternalCopy|Callback|Script|Module|Context/.test(
      typeof value === 'function' ? value.name : Object.prototype.toString.call(value))).length`
    expect(inPolicy(odd, walk)).toBe('0')
  })
})

describe('code from text', () => {
  it.each([
    '(() => {}).constructor("return 1")()',
    'new (function* () {}.constructor)("yield 1")',
    '(async () => {}).constructor("return 1")',
    '(async function* () {}).constructor("yield 1")',
    'Object.getPrototypeOf(async () => {}).constructor("1")',
    'Reflect.construct((class {}).constructor, ["return 1"])',
    'class extends (() => {}).constructor {}("return 1")',
    'deny.constructor.constructor("return 1")()',
    'asked.event.constructor.constructor("return this")()',
    'eval("1")',
    '(0, globalThis.eval)("1")',
    'new Proxy(() => {}, {}).constructor("return 1")()',
  ])('`%s` throws', (expression) => {
    expect(inPolicy(expression)).toContain('policyThrew')
  })

  it('is not available by `import()`', () => {
    // It gives a rejected promise, which isolated-vm reports after the call, unless it was collected meanwhile.
    expect(inPolicy('(kept = import("node:fs"))', 'let kept')).toContain('policyThrew')
  })
})

describe('a frozen property can still be overridden by an inheriting object', () => {
  it.each([
    ["(() => { const o = {}; o.toString = () => 'own'; return o })()", 'own'],
    ["(() => { class E extends Error { constructor(m) { super(m); this.name = 'E' } } return new E('m') })()", 'E: m'],
    ["(() => { const e = new TypeError('a'); e.message = 'b'; return e })()", 'TypeError: b'],
    [
      "(() => { const n = {}; for (const w of 'constructor valueOf hasOwnProperty'.split(' ')) n[w] = (n[w] ? 0 : 1); return Object.keys(n) })()",
      'constructor,valueOf,hasOwnProperty',
    ],
    [
      "(() => { function F() {} F.prototype.constructor = F; F.prototype.toString = () => 'F'; return new F() })()",
      'F',
    ],
    ["(() => { const f = () => 1; f.toString = () => 'f'; return f })()", 'f'],
    ["(() => { const a = [1, 2]; a.toString = () => 'a'; return a })()", 'a'],
  ])('%s is %s', (expression, text) => {
    expect(inPolicy(expression)).toBe(text)
  })
})

describe('changing shared objects', () => {
  it.each([
    'Object.prototype.polluted = 1',
    'Array.prototype.push = () => 0',
    'Object.prototype.toString = () => 0',
    'Error.prototype.name = "x"',
    '({}).__proto__.x = 1',
    'Object.setPrototypeOf(Array.prototype, {})',
    'Object.setPrototypeOf(globalThis, {})',
    'Object.defineProperty(globalThis, "x", { value: 1 })',
    'globalThis.x = 1',
    'Error.prepareStackTrace = () => 0',
    'Error.stackTraceLimit = 1',
    'Error.captureStackTrace(Object.prototype)',
    'Math.random = () => 0',
    'JSON.parse = 0',
    'Date.now = 0',
    '$library.deny = 0',
    '$library.deny.x = 0',
    'deny.prototype = {}',
    'event.name = "x"',
    'event.session.cwd = "x"',
    'tool.input.command = "x"',
    'tool.path = "x"',
    'facts.x = 1',
    'params.x = 1',
    'params.list.push(1)',
    'event.workspaceRoots.push("x")',
    '(() => { const get = Object.getOwnPropertyDescriptor(new Error("x"), "stack").get; get.kept = 1 })()',
    '(() => { Object.getPrototypeOf(function* () {}.prototype).next = 0 })()',
    '(() => { [][Symbol.iterator]().__proto__.next = 0 })()',
    '(() => { ((strings) => { strings.kept = 1 })`a` })()',
    'RegExp.prototype.exec = 0',
    'RegExp.$1 = "x"',
    'RegExp.input = "x"',
  ])('`%s` throws', (statement) => {
    expect(inPolicy(statement, '', { params: { list: [] } })).toContain('policyThrew')
  })
})
