import { expect, it } from 'vitest'
import { type Attack, attackedRunner, onBusyMachine, tookTooMuch } from '../policy/sandbox/attacked.ts'

const attack = attackedRunner()

const endless = '{ length: 2 ** 53 - 1 }'

const attacks: readonly Attack[] = [
  ['every', `Array.prototype.every.call(${endless}, () => true)`],
  ['forEach', `Array.prototype.forEach.call(${endless}, () => {})`],
  ['reduce', `Array.prototype.reduce.call(${endless}, () => 0, 0)`],
  ['indexOf', `Array.prototype.indexOf.call(${endless}, 1)`],
  ['lastIndexOf', `Array.prototype.lastIndexOf.call(${endless}, 1)`],
  ['includes', `Array.prototype.includes.call(${endless}, 1)`],
  ['findLast', `Array.prototype.findLast.call(${endless}, () => false)`],
  ['reverse', `Array.prototype.reverse.call(${endless})`],
  ['copyWithin', `Array.prototype.copyWithin.call(${endless}, 0, 1)`],
  ['a sparse array', 'const a = []; a.length = 2 ** 32 - 1; for (;;) a.indexOf(1)'],
  ['a doubling BigInt', 'for (let x = 1n; ; ) x = (x << 1000000n) + 1n'],
  ['the digits of a BigInt', 'for (let x = 3n ** 200000n; ; x *= x) x.toString()'],
  ['pushing arrays', 'const a = []; for (;;) a.push(new Array(100))'],
  ['shifting a long array', 'const a = new Array(2 ** 24).fill(0); for (;;) { a.unshift(1); a.splice(1, 1) }'],
]

it.each(attacks)(
  '%s is killed with its process, and costs no other policy its answer',
  onBusyMachine,
  async (_, decide) => {
    await attack(decide, tookTooMuch)
    expect.hasAssertions()
  },
)
