import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ownHandler, ownMark } from '../../../src/install/http-groups/groups.ts'
import { parseDocument } from '../../../src/install/json/edit.ts'
import { type Entries, type HookLists, withEntries, withoutEntries } from '../../../src/install/json/hook-lists.ts'
import { settingsText } from '../../support/settings-texts.ts'

const claudeLists: HookLists<unknown> = { at: 'hooks', holds: 'groups', position: 'last', own: ownHandler }
const group = (command: string) => ({ hooks: [{ type: 'command', command, statusMessage: ownMark }] })
const groups = { PreToolUse: group('a'), PostToolUse: group('b'), Stop: group('c') }
const withGroups = (document: ReturnType<typeof parse>, entries: Entries) => withEntries(document, entries, claudeLists)
const withoutGroups = (document: ReturnType<typeof parse>, before: string | undefined) =>
  withoutEntries(document, before, claudeLists)
const parse = (text: string) => parseDocument(Buffer.from(text), 'settings.json')

describe('entries in a settings file', () => {
  it('can be removed again to the byte, whatever the file’s formatting', () => {
    fc.assert(
      fc.property(settingsText, (text) => {
        const added = withGroups(parse(text), groups)
        expect(withoutGroups(parse(added), text).text).toBe(text)
      }),
      { numRuns: 500 },
    )
  })

  it.each<[string, Partial<HookLists<unknown>>]>([
    ['put before the others', { position: 'first' }],
    ['at the top of the file', { at: 'top' }],
    ['at the top of the file and before the others', { at: 'top', position: 'first' }],
    ['without groups', { holds: 'handlers' }],
    ['without groups and before the others', { holds: 'handlers', position: 'first' }],
  ])('can be removed again to the byte where they are %s', (_, changed) => {
    const lists = { ...claudeLists, ...changed }
    const entries =
      lists.holds === 'groups'
        ? groups
        : Object.fromEntries(
            Object.entries(groups).map(
              ([
                event,
                {
                  hooks: [own = {}],
                },
              ]) => [event, own],
            ),
          )
    fc.assert(
      fc.property(settingsText, (text) => {
        const taken =
          lists.at === 'top' ? JSON.stringify((JSON.parse(text) as { hooks?: object }).hooks ?? {}, undefined, 2) : text
        const added = withEntries(parse(taken), entries, lists)
        expect(withoutEntries(parse(added), taken, lists).text).toBe(taken)
      }),
      { numRuns: 150 },
    )
  })

  it('precede the others where they must be the first', () => {
    const lists = { ...claudeLists, position: 'first' } as const
    const text = withEntries(parse('{"hooks":{"Stop":[{"hooks":[]}]}}'), { Stop: group('a') }, lists)
    expect(JSON.parse(text)).toEqual({ hooks: { Stop: [group('a'), { hooks: [] }] } })
  })

  it('are added without changing what exists', () => {
    fc.assert(
      fc.property(settingsText, (text) => {
        const before = JSON.parse(text) as { hooks?: Record<string, unknown[]> }
        const after = JSON.parse(withGroups(parse(text), groups)) as { hooks: Record<string, unknown[]> }
        const expected = { ...before.hooks }
        for (const [event, own] of Object.entries(groups)) expected[event] = [...(expected[event] ?? []), own]
        expect(after).toEqual({ ...before, hooks: expected })
      }),
      { numRuns: 200 },
    )
  })

  it('keep changes that others have made in the meantime', () => {
    const text = '{\n  "model": "x",\n  "hooks": {\n    "Stop": [ { "hooks": [] } ]\n  }\n}\n'
    const added = withGroups(parse(text), groups)
    const changed = added.replace('"model": "x",', '"model":   "y", "more": [1,2],')
    expect(withoutGroups(parse(changed), text).text).toBe(
      text.replace('"model": "x",', '"model":   "y", "more": [1,2],'),
    )
  })

  it('are removed without a hook that the user has put beside one', () => {
    const added = withGroups(parse('{}'), { Stop: group('a') })
    const theirs = added.replace(
      '"hooks": [\n          {',
      '"hooks": [\n          {"type":"command","command":"t"},\n          {',
    )
    expect(JSON.parse(withoutGroups(parse(theirs), '{}').text)).toEqual({
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 't' }] }] },
    })
  })

  it('leave nothing behind where the former content is unknown', () => {
    const added = withGroups(parse('{"a":1}'), groups)
    expect(withoutGroups(parse(added), undefined).text).toBe('{"a":1}')
  })

  it('follow the file’s formatting', () => {
    expect(withGroups(parse('{\r\n\t"a": 1\r\n}\r\n'), { Stop: group('a') })).toBe(
      `{\r\n\t"a": 1,\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n\t\t\t{\r\n\t\t\t\t"hooks": [\r\n\t\t\t\t\t{\r\n\t\t\t\t\t\t"type": "command",\r\n\t\t\t\t\t\t"command": "a",\r\n\t\t\t\t\t\t"statusMessage": "${ownMark}"\r\n\t\t\t\t\t}\r\n\t\t\t\t]\r\n\t\t\t}\r\n\t\t]\r\n\t}\r\n}\r\n`,
    )
    expect(withGroups(parse('{"a":1}'), { Stop: group('a') })).toBe(
      `{"a":1,"hooks":{"Stop":[${JSON.stringify(group('a'))}]}}`,
    )
  })
})
