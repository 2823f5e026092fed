import fc from 'fast-check'

/** Generates white space as people and programs write it. */
const space = fc.constantFrom('', ' ', '\n', '\r\n', '\t', '\n  ', '\n\n', ' \n\t')

/** Generates JSON texts of a value, with arbitrary white space wherever JSON allows it. */
function textOf(value: unknown): fc.Arbitrary<string> {
  if (Array.isArray(value)) {
    if (value.length === 0) return space.map((inner) => `[${inner}]`)
    return fc.tuple(...value.map((one) => padded(textOf(one)))).map((texts) => `[${texts.join(',')}]`)
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
    if (entries.length === 0) return space.map((inner) => `{${inner}}`)
    const members = entries.map(([key, one]) =>
      fc.tuple(padded(fc.constant(JSON.stringify(key))), padded(textOf(one))).map((pair) => pair.join(':')),
    )
    return fc.tuple(...members).map((texts) => `{${texts.join(',')}}`)
  }
  return fc.constant(JSON.stringify(value))
}
const padded = (text: fc.Arbitrary<string>) => fc.tuple(space, text, space).map((parts) => parts.join(''))

const handler = fc.oneof(fc.constant({ type: 'command', command: 'theirs' }), fc.jsonValue({ maxDepth: 1 }))
const eventGroup = fc.oneof(
  fc.record({ matcher: fc.string(), hooks: fc.array(handler, { maxLength: 2 }) }, { requiredKeys: [] }),
  fc.jsonValue({ maxDepth: 1 }),
)
const hooks = fc.dictionary(
  fc.constantFrom('PreToolUse', 'PostToolUse', 'Stop', 'Notification', 'Other'),
  fc.array(eventGroup, { maxLength: 3 }),
)
const settings = fc
  .tuple(
    fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
    fc.option(hooks, { nil: undefined }),
  )
  .map(([others, own]) => (own === undefined ? others : Object.assign({}, others, { hooks: own })))
  .filter((value) => !Object.hasOwn(value, '__proto__'))
/** Generates settings files with others' hooks, formatted by people and by programs. */
export const settingsText = fc.oneof(
  settings.chain((value) => padded(textOf(value))),
  fc.tuple(settings, fc.constantFrom(0, 2, 4, '\t')).map(([value, unit]) => JSON.stringify(value, undefined, unit)),
)
