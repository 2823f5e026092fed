import { expect, it } from 'vitest'
import { type Attack, attackedRunner, onBusyMachine } from '../policy/sandbox/attacked.ts'

const attack = attackedRunner()

const attacks: readonly Attack[] = [
  ['a plain loop', 'for (;;);'],
  ['a regular expression that backtracks', 'return { context: String(/^(a+)+$/.test("a".repeat(40) + "b")) }'],
  ['a loop that catches its end', 'for (;;) try { for (;;); } catch {} finally { continue }'],
  ['a loop in finally', 'try { throw 1 } finally { for (;;); }'],
  ['an endless generator', 'function* g() { for (;;) yield 1 } for (const _ of g());'],
  ['a comparison that never ends', '[3, 2, 1].sort(() => { for (;;); })'],
  ['a conversion that never ends', 'return { context: `${{ toString() { for (;;); } }}` }'],
  ['an answer with a getter that never ends', 'return { get context() { for (;;); } }'],
  [
    'an answer behind a proxy that never ends',
    'return new Proxy({ context: "x" }, { ownKeys() { for (;;); }, get() { for (;;); } })',
  ],
  ['an answer whose JSON never ends', 'return { rewrite: { toJSON() { for (;;); } } }'],
  [
    'a thrown error whose message never ends',
    'throw { get message() { for (;;); }, get stack() { for (;;); }, toString() { for (;;); } }',
  ],
  ['a thrown proxy that never ends', 'throw new Proxy({}, { get() { for (;;); }, getPrototypeOf() { for (;;); } })'],
  [
    'two functions that call each other and catch',
    'const f = () => { try { f() } catch { f() } finally { f() } }; f()',
  ],
  ['a replacement that feeds itself', 'let t = "ab"; for (;;) t = t.replace(/a|b/g, (x) => (x === "a" ? "b" : "a"))'],
  [
    'an iterator that is never done',
    'const [...all] = { [Symbol.iterator]: () => ({ next: () => ({ done: false, value: 0 }) }) }',
  ],
  ['a text that is reversed for ever', 'for (let t = event.prompt; ; ) t = [...t].reverse().join("")'],
  ['date after date', 'for (let i = 0; ; i++) new Date(i).toISOString()'],
]

/** An unreadable answer may fail before its timeout, and a full stack is an error. */
const codes = ['policyTimeout', 'policyOutOfMemory', 'policyThrew']

it.each(attacks)('%s delays no other policy', onBusyMachine, async (_, decide) => {
  await attack(decide, codes)
  expect.hasAssertions()
})
