import { expect, it } from 'vitest'
import { type Attack, attackedRunner, onBusyMachine, tookTooMuch } from '../policy/sandbox/attacked.ts'

const attack = attackedRunner()

const attacks: readonly Attack[] = [
  ['a growing array of objects', 'const a = []; for (;;) a.push({ a: 1, b: { c: 2 } })'],
  ['a growing array of texts', 'const a = []; for (let i = 0; ; i++) a.push("x".repeat(1000) + i)'],
  ['spreading', 'let a = [1, 2, 3]; for (;;) a = [...a, ...a]'],
  [
    'a generator that is collected',
    'function* g() { for (;;) yield { a: 1 } } return { context: String([...g()].length) }',
  ],
  ['a growing Map', 'const m = new Map(); for (let i = 0; ; i++) m.set(i, { i })'],
  ['a growing Set', 'const s = new Set(); for (let i = 0; ; i++) s.add("k" + i)'],
  [
    'the keys of a growing object',
    'const o = {}; for (let i = 0; ; i++) { o["k" + i] = i; if (i % 1000 === 0) Object.keys(o) }',
  ],
  ['Array.from of a great length', 'const a = []; for (;;) a.push(Array.from({ length: 2 ** 24 }, () => ({})))'],
  [
    'sorting a grown array',
    'const a = []; for (let i = 0; i < 3e6; i++) a.push({ i }); for (;;) a.sort((x, y) => y.i - x.i)',
  ],
  ['a growing chain of closures', 'let f = () => 0; for (;;) { const g = f; f = () => g() + 1 }'],
  ['a doubling array', 'let a = [1]; for (;;) a = a.concat(a)'],
  ['a doubling text that is flattened', 'let t = "ab"; for (;;) { t += t; /z/.test(t) }'],
  ['typed arrays that are kept', 'const a = []; for (;;) a.push(new Float64Array(1e6).fill(1))'],
  [
    'growing array buffers',
    'const a = []; for (;;) { const b = new ArrayBuffer(0, { maxByteLength: 2 ** 30 }); b.resize(2 ** 26); a.push(b) }',
  ],
  ['parsing JSON again and again', 'const a = []; for (;;) a.push(JSON.parse("[" + "{},".repeat(1e5) + "0]"))'],
  ['matches of a regular expression', 'const a = []; for (;;) a.push([..."a".repeat(1e5).matchAll(/a/g)])'],
  ['splitting a text', 'const a = []; for (;;) a.push("a,".repeat(1e6).split(","))'],
  [
    'class instances with private fields',
    'class C { #x = new Array(50).fill({}); y = this } const a = []; for (;;) a.push(new C())',
  ],
  ['great BigInts that are kept', 'const a = []; for (let i = 1n; ; i++) a.push(1n << (1000000n + i))'],
  ['a growing symbol registry', 'for (let i = 0; ; i++) Symbol.for("x".repeat(100) + i)'],
  ['a growing prototype chain', 'let o = {}; for (;;) o = Object.create(o, { x: { value: new Array(10) } })'],
  [
    'entries of a growing object',
    'const o = {}; for (let i = 0; ; i++) { o["k" + i] = {}; if (i % 1000 === 0) structured(o) } function structured(x) { return Object.fromEntries(Object.entries(x)) }',
  ],
]

/** The engine throws on buffers that it has no memory for. */
const codes = [...tookTooMuch, 'policyThrew']

it.each(attacks)('%s fails no other policy', onBusyMachine, async (_, decide) => {
  await attack(decide, codes)
  expect.hasAssertions()
})
