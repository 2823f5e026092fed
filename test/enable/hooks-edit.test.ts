import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withGroups, withoutGroups } from '../../src/enable/claude-code/hooks-edit.ts'
import { ownMark } from '../../src/enable/claude-code/own-handler.ts'
import { parseDocument } from '../../src/enable/json/document.ts'

const group = (command: string) => ({ hooks: [{ type: 'command', command, statusMessage: ownMark }] })
const groups = { PreToolUse: group('a'), PostToolUse: group('b'), Stop: group('c') }
const parse = (text: string) => parseDocument(Buffer.from(text), 'settings.json')

/** White space as people and programs leave it. */
const space = fc.constantFrom('', ' ', '\n', '\r\n', '\t', '\n  ', '\n\n', ' \n\t')

/** A JSON text of a value, with arbitrary white space wherever JSON allows it. */
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
const settingsText = fc.oneof(
  settings.chain((value) => padded(textOf(value))),
  fc.tuple(settings, fc.constantFrom(0, 2, 4, '\t')).map(([value, unit]) => JSON.stringify(value, undefined, unit)),
)

describe('entries in a settings file', () => {
  it('can be taken out again to the byte, however the file is laid out', () => {
    fc.assert(
      fc.property(settingsText, (text) => {
        fc.pre(!('hooks' in (JSON.parse(text) as object)) || isHooks(text))
        const added = withGroups(parse(text), groups)
        expect(withoutGroups(parse(added.text), added.containers).text).toBe(text)
      }),
      { numRuns: 2000 },
    )
  })

  it('are added to what is there, which stays as it is', () => {
    fc.assert(
      fc.property(settingsText, (text) => {
        fc.pre(!('hooks' in (JSON.parse(text) as object)) || isHooks(text))
        const before = JSON.parse(text) as { hooks?: Record<string, unknown[]> }
        const after = JSON.parse(withGroups(parse(text), groups).text) as { hooks: Record<string, unknown[]> }
        const expected = { ...before.hooks }
        for (const [event, own] of Object.entries(groups)) expected[event] = [...(expected[event] ?? []), own]
        expect(after).toEqual({ ...before, hooks: expected })
      }),
      { numRuns: 500 },
    )
  })

  it('leave what others have changed in the meantime as they have changed it', () => {
    const text = '{\n  "model": "x",\n  "hooks": {\n    "Stop": [ { "hooks": [] } ]\n  }\n}\n'
    const added = withGroups(parse(text), groups)
    const changed = added.text.replace('"model": "x",', '"model":   "y", "more": [1,2],')
    expect(withoutGroups(parse(changed), added.containers).text).toBe(
      text.replace('"model": "x",', '"model":   "y", "more": [1,2],'),
    )
  })

  it('go alone where somebody has put a hook of their own beside one', () => {
    const added = withGroups(parse('{}'), { Stop: group('a') })
    const theirs = added.text.replace(
      '"hooks": [\n          {',
      '"hooks": [\n          {"type":"command","command":"t"},\n          {',
    )
    expect(JSON.parse(withoutGroups(parse(theirs), added.containers).text)).toEqual({
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 't' }] }] },
    })
  })

  it('leave nothing behind where nobody knows what was there before', () => {
    const added = withGroups(parse('{"a":1}'), groups)
    expect(withoutGroups(parse(added.text), undefined).text).toBe('{"a":1}')
  })

  it('look as if they had always been there', () => {
    expect(withGroups(parse('{\r\n\t"a": 1\r\n}\r\n'), { Stop: group('a') }).text).toBe(
      `{\r\n\t"a": 1,\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n\t\t\t{\r\n\t\t\t\t"hooks": [\r\n\t\t\t\t\t{\r\n\t\t\t\t\t\t"type": "command",\r\n\t\t\t\t\t\t"command": "a",\r\n\t\t\t\t\t\t"statusMessage": "${ownMark}"\r\n\t\t\t\t\t}\r\n\t\t\t\t]\r\n\t\t\t}\r\n\t\t]\r\n\t}\r\n}\r\n`,
    )
    expect(withGroups(parse('{"a":1}'), { Stop: group('a') }).text).toBe(
      `{"a":1,"hooks":{"Stop":[${JSON.stringify(group('a'))}]}}`,
    )
  })
})

function isHooks(text: string): boolean {
  const { hooks: found } = JSON.parse(text) as { hooks: unknown }
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return false
  return ['PreToolUse', 'PostToolUse', 'Stop'].every((event) => {
    const list = (found as Record<string, unknown>)[event]
    return list === undefined || Array.isArray(list)
  })
}
