import { expect, it } from 'vitest'
import { type Attack, attackedRunner, onBusyMachine, tookTooMuch } from '../policy/sandbox/attacked.ts'

const attack = attackedRunner()

/** Each allocates within one native call, which neither a timeout nor the isolate's memory limit interrupts in time. */
const attacks: readonly Attack[] = [
  ['the characters of a long text', '"a".repeat(2 ** 28).split("")'],
  ['a filled array that is mapped', 'Array(2 ** 27 - 1).fill({}).map(() => ({}))'],
  ['a long array from nothing', 'Array.from({ length: 2 ** 26 })'],
  ['a Map of a long array', 'new Map(Array.from({ length: 2 ** 24 }, (_, i) => [i, i]))'],
  ['a Set of a long array', 'new Set(Array.from({ length: 2 ** 24 }, (_, i) => i))'],
  ['JSON with many arrays', 'JSON.parse("[" + "[],".repeat(2 ** 24) + "0]")'],
  ['an object of many entries', 'Object.fromEntries(Array.from({ length: 2 ** 22 }, (_, i) => ["k" + i, i]))'],
  ['flattening', 'Array(2 ** 25).fill([1]).flat()'],
  ['the keys of a long text', 'Object.keys("a".repeat(2 ** 25))'],
  ['the property descriptors of a long text', 'Object.getOwnPropertyDescriptors("a".repeat(2 ** 24))'],
  ['sorting a copy', 'Array(2 ** 24).fill({ a: 1 }).toSorted()'],
  ['joining and splitting', 'Array(2 ** 25).fill("a").join("b").split("")'],
]

it.each(attacks)('%s fails no other policy', onBusyMachine, async (_, decide) => {
  await attack(decide, tookTooMuch)
  expect.hasAssertions()
})
