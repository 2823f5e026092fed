import { expect, it } from 'vitest'
import { parseModule, placeInDefinition } from '../../../../src/policy/compile/syntax/parse-module.ts'

/** Returns the first characters at the reported place of a part. */
function textAt(source: string, path: readonly (string | number)[], file = '/p/a.ts'): string | undefined {
  const module = parseModule(source, file)
  if ('severity' in module) throw new Error(module.message)
  const place = placeInDefinition(module, path)
  if (place === undefined) return undefined
  const line = source.split('\n')[(place.line ?? 0) - 1]
  const start = (place.column ?? 0) - 1
  return line?.slice(start, start + 12)
}

const source = `import { definePolicy, type Policy } from 'hookgate/policy'
const shared = [
  { name: 'shared one' },
]
const more = { b: 1 }
export default definePolicy({
  'id': 'a',
  facts: { x: { exists: 'y' as string }, ...more },
  examples: [{ name: 'first' }, { name: 'second', given: { tool: 'shell' } }],
  twice: 1,
  twice: 2,
  params: more,
  decide() {},
} satisfies object)
`

it.each([
  [['id'], "'id': 'a',"],
  [['facts', 'x'], 'x: { exists:'],
  [['facts', 'x', 'exists'], "exists: 'y' "],
  [['examples', 1], "{ name: 'sec"],
  [['examples', 1, 'given', 'tool'], "tool: 'shell"],
  [['params', 'b'], 'b: 1 }'],
  [['decide'], 'decide() {},'],
  [['twice'], 'twice: 2,'],
])('a part that is written out is found where it stands: %j', (path, text) => {
  expect(textAt(source, path)).toBe(text)
})

it.each([
  [['absent'], 'definePolicy'],
  [['facts', 'b', 'c'], 'facts: { x: '],
  [['examples', 7], 'examples: [{'],
  [['params', 'b', 'c'], 'b: 1 }'],
])('of one that is not, the nearest thing around it: %j', (path, text) => {
  expect(textAt(source, path)).toBe(text)
})

it('a definition bound to a name is found too', () => {
  const named = 'const policy = definePolicy({ id: 1 })\nfunction definePolicy(a) { return a }\n'
  expect(textAt(`${named}export default policy`, ['id'])).toBe('id: 1 })')
  expect(textAt(`${named}export { policy as default }`, ['id'])).toBe('id: 1 })')
  expect(textAt('export default { id: 1 }', ['id'])).toBe('id: 1 }')
  expect(textAt('const a = [...b, 1], b = []\nexport default f({ a })\nfunction f() {}', ['a', 1])).toBe('a })')
})

it('nothing is found without an export', () => {
  expect(textAt('const a = 1', ['id'])).toBeUndefined()
})
