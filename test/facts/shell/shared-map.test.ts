import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SharedMap } from '../../../src/facts/shell/state/shared-map.ts'

const change = fc.tuple(
  fc.integer({ min: 0, max: 3000 }),
  fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
)
const changes = fc.array(change, { maxLength: 2000, size: 'max' })
type Changes = readonly (readonly [key: number, value: number | undefined])[]

const changed = (map: SharedMap<number, number>, all: Changes): SharedMap<number, number> =>
  all.reduce((before, [key, value]) => (value === undefined ? before.without(key) : before.with(key, value)), map)

function changedCopy(map: ReadonlyMap<number, number>, all: Changes): ReadonlyMap<number, number> {
  const copy = new Map(map)
  for (const [key, value] of all) {
    if (value === undefined) copy.delete(key)
    else copy.set(key, value)
  }
  return copy
}

const asMap = (map: SharedMap<number, number>) => new Map(map)

it('a shared map and its changed copies hold what copied maps would hold', () => {
  fc.assert(
    fc.property(changes, changes, changes, (first, one, other) => {
      const map = changed(SharedMap.of<number, number>(), first)
      const expected = changedCopy(new Map(), first)
      for (const more of [one, other]) {
        const copy = changed(map, more)
        expect(asMap(copy)).toEqual(changedCopy(expected, more))
        expect(copy.size).toBe(asMap(copy).size)
      }
      expect(asMap(map)).toEqual(expected)
    }),
    { numRuns: 30 },
  )
})

it('the differences of two shared maps are those of their entries, whether they have one origin or not', () => {
  fc.assert(
    fc.property(changes, changes, changes, (first, one, other) => {
      const map = changed(SharedMap.of<number, number>(), first)
      const [a, b] = [changed(map, one), changed(map, other)]
      const expected = new Set(
        [...new Set([...a.keys(), ...b.keys()])]
          .filter((key) => a.get(key) !== b.get(key))
          .map((key) => `${key} ${a.get(key)} ${b.get(key)}`),
      )
      for (const others of [b, SharedMap.of(b)]) {
        const found = a.differences(others).map((difference) => difference.map(String).join(' '))
        expect(found).toHaveLength(expected.size)
        expect(new Set(found)).toEqual(expected)
      }
    }),
    { numRuns: 30 },
  )
})

it('a value is found by its key only', () => {
  const map = SharedMap.of([['a', 1]])
  expect([map.get('a'), map.get('b'), map.has('b'), map.emptied().size]).toEqual([1, undefined, false, 0])
})
