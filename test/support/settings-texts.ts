import fc from 'fast-check'

/** Generates white space as people and programs write it. */
const space = fc.constantFrom('', ' ', '\n', '\r\n', '\t', '\n  ', '\n\n', ' \n\t')

/** Generates what stands between two words of a commented file: white space, and comments that look like more. */
const remark = fc.oneof(
  { weight: 3, arbitrary: space },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '// a remark\n',
      '  // "quoted": {\r\n',
      '//\n',
      ' // https://example.org/*\n\t',
      '/* a remark */',
      '/**/',
      '/* } ] , " \\ // */ ',
      '\n/*\n * of several\r\n * lines: é 𝒳\n */\n',
      ' /* one */ // two\n',
    ),
  },
)

/** Generates JSON texts of a value, with arbitrary gaps wherever JSON allows them. */
function textOf(value: unknown, gap: fc.Arbitrary<string> = space): fc.Arbitrary<string> {
  if (Array.isArray(value)) {
    if (value.length === 0) return gap.map((inner) => `[${inner}]`)
    return fc.tuple(...value.map((one) => padded(textOf(one, gap), gap))).map((texts) => `[${texts.join(',')}]`)
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
    if (entries.length === 0) return gap.map((inner) => `{${inner}}`)
    const members = entries.map(([key, one]) =>
      fc
        .tuple(padded(fc.constant(JSON.stringify(key)), gap), padded(textOf(one, gap), gap))
        .map((pair) => pair.join(':')),
    )
    return fc.tuple(...members).map((texts) => `{${texts.join(',')}}`)
  }
  return fc.constant(JSON.stringify(value))
}
const padded = (text: fc.Arbitrary<string>, gap: fc.Arbitrary<string> = space) =>
  fc.tuple(gap, text, gap).map((parts) => parts.join(''))

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

/** Marks the strings of a value, so that each can be found in any text of it: `o` in an object, `a` in a list. */
function marked(value: unknown): unknown {
  let count = 0
  const mark = (one: unknown, holder: 'o' | 'a'): unknown => {
    if (Array.isArray(one)) return one.map((inner) => mark(inner, 'a'))
    if (typeof one === 'object' && one !== null) {
      return Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, mark(inner, 'o')]))
    }
    return typeof one === 'string' ? `${holder}${count++}~${one}` : one
  }
  return mark(value, 'o')
}

/** Generates settings files with comments wherever they can stand, in which every string is marked. */
export const commentedSettingsText = settings.chain((value) => padded(textOf(marked(value), remark), remark))

/** One change that a person makes at a marked string: of it, before it and behind it. */
export const userEdit = fc.record({
  /** Which of the strings, counted over all of them again and again. */
  at: fc.nat(40),
  replacement: fc.constantFrom('as it was', 'another', 'longer /* than */ it was'),
  before: fc.constantFrom('', '/* of mine */ ', '// of mine\n', '"new", '),
  behind: fc.constantFrom('', ' /* later */', ' // later\n', ', "and": { "more": [ ] }', ',// c\n{"x": 1}', '\r\n\t'),
})
export type UserEdit = typeof userEdit extends fc.Arbitrary<infer Edit> ? Edit : never

/** Makes the same changes in a settings file, with or without what hookgate has put into it. */
export const edited = (text: string, edits: readonly UserEdit[]): string =>
  edits.reduce((made, edit, index) => editedOnce(made, edit, `and ${index}`), text)

function editedOnce(text: string, { at, replacement, before, behind }: UserEdit, key: string): string {
  const found = [...text.matchAll(/"([oa])\d+~(?:[^"\\]|\\[^])*"/g)]
  const one = found[at % Math.max(found.length, 1)]
  if (one === undefined) return text
  const [literal, holder] = one
  // A list takes elements, and an object members.
  const fits = !behind.startsWith(',') || behind.startsWith(', "') === (holder === 'o')
  const own = replacement === 'as it was' ? literal : JSON.stringify(`${holder}999~${replacement}`)
  const changed = `${holder === 'o' && before.startsWith('"') ? '' : before}${own}${fits ? behind.replace('"and"', JSON.stringify(key)) : ''}`
  return text.slice(0, one.index) + changed + text.slice(one.index + literal.length)
}
