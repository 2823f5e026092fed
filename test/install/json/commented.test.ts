import fc from 'fast-check'
import { getNodeValue, type Node, parse, parseTree, visit } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { jsonHooks } from '../../../src/install/hooks-file/listed-agent.ts'
import { ownHandler, ownMark } from '../../../src/install/http-groups/groups.ts'
import { parseDocument } from '../../../src/install/json/edit.ts'
import type { HookLists } from '../../../src/install/json/hook-lists.ts'
import { commentedSettingsText, edited, userEdit } from '../../support/settings-texts.ts'

const handler = (command: string) => ({ type: 'command', command, statusMessage: ownMark })
const last: HookLists<unknown> = { at: 'hooks', holds: 'groups', position: 'last', own: ownHandler }
const first: HookLists<unknown> = { ...last, position: 'first' }
const lists = [first, last]
const entries = Object.fromEntries(
  ['PreToolUse', 'PostToolUse', 'Stop'].map((event) => [event, { hooks: [handler(event)] }]),
)
const hooksOf = (text: string, list: HookLists<unknown>) =>
  jsonHooks(parseDocument(Buffer.from(text), 'settings.json', 'allowed'), list)
const enabled = (text: string, list: HookLists<unknown>) => hooksOf(text, list).withEntries(entries)
const disabled = (text: string, before: string | undefined, list: HookLists<unknown>) =>
  hooksOf(text, list).withoutHandlers(before, (one) => ownHandler(one) !== undefined)

describe('entries in a settings file with comments', () => {
  it.each<[string, string]>([
    ['behind the last key', '{"a": 1 // x\n}'],
    ['over the last key', '{\n  // over it\n  "a": 1\n}\n'],
    ['behind the last key and below it', '{\n  "a": 1 // its own\n  // below\n}\n'],
    ['behind the last key, as a block and a line', '{\n  "a": 1 /* one */ // two\n}'],
    ['in an empty object', '{ /* nothing yet */ }'],
    ['in an empty object, to the end of its line', '{ // nothing yet\n}'],
    ['in empty hooks', '{"hooks": { /* none */ }}'],
    ['in an empty list', '{"hooks": {"Stop": [ // none\r\n]}}'],
    ['before and behind everything', '// first\n/* second */ {"a": 1} // third\n/* fourth'],
    ['between a key and its value', '{"hooks" /* k */ : // v\n { "Stop" /* k */ : /* v */ [] } }'],
    ['around a group of others', '{"hooks": {"Stop": [ /* a */ {"hooks": []} /* b */ ] /* c */ } /* d */ }'],
    ['with brackets and quotes in them', '{ /* } ] , " */ "a": "// no /* comment", // "b": 1, }\n "c": [ /* ] */ ] }'],
    ['in several lines, with other characters', '{\r\n\t"a": 1, /* é\r\n 𝒳 */\r\n\t"b": "𝒳" // é\r\n}'],
    ['behind the last element of a list', '{"hooks": {"Stop": [\n {"hooks": []} // theirs\n ]}}'],
  ])('are added and removed again to the byte where they stand %s', (_, text) => {
    for (const list of lists) {
      const added = enabled(text, list)
      expect(parse(added)).toMatchObject({ hooks: { Stop: expect.arrayContaining([entries['Stop']]) as unknown } })
      expect(disabled(added, text, list)).toBe(text)
    }
  })

  it('leave a comment on the line that it is about', () => {
    expect(enabled('{\n  "a": 1 // about a\n}\n', last)).toContain('"a": 1, // about a\n')
  })

  it('leave to the byte what a person has changed since, whatever the file looks like', () => {
    fc.assert(
      fc.property(
        commentedSettingsText,
        fc.array(userEdit, { maxLength: 3 }),
        fc.constantFrom(...lists),
        (text, edits, list) => {
          const added = enabled(text, list)
          expect(hooksOf(added, list).handlers.length).toBe(hooksOf(text, list).handlers.length + 3)
          expect(disabled(edited(added, edits), text, list)).toBe(edited(text, edits))
        },
      ),
      { numRuns: 300 },
    )
  })

  it('leave every comment that a person has written beside them since, and every value', () => {
    const written = fc.constantFrom('/* mine */', '// mine\n', ' /* mine " } */ ')
    fc.assert(
      fc.property(
        commentedSettingsText,
        written,
        fc.nat(),
        fc.boolean(),
        fc.constantFrom(...lists),
        (text, comment, at, isKnown, list) => {
          const added = enabled(text, list)
          const places = gapsOf(added)
          const place = places[at % places.length] ?? 0
          const left = disabled(added.slice(0, place) + comment + added.slice(place), isKnown ? text : undefined, list)
          expect(left).toContain(comment.trim())
          expect(hooksOf(left, list).handlers).toEqual(hooksOf(text, list).handlers)
          const { hooks: _own, ...others } = parse(text) as Record<string, unknown>
          expect(parse(left)).toMatchObject(others)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('that are first leave a comment before them, and one behind them', () => {
    const text = '{"hooks": {"Stop": [{"hooks": []}]}}'
    const commented = enabled(text, first)
      .replace('"Stop": [', '"Stop": [ /* a */ ')
      .replace('}]},{', '}]} /* b */ , /* c */ {')
    expect(disabled(commented, text, first)).toBe('{"hooks": {"Stop": [ /* a */  /* b */ /* c */ {"hooks": []}]}}')
  })
})

/** The offsets where a comment may be put: before any word that is not one of an entry of hookgate. */
function gapsOf(text: string): readonly number[] {
  const own = entriesIn(parseTree(text))
  const gaps: number[] = []
  const word = (at: number) => {
    if (!own.some(({ offset, length }) => at > offset && at < offset + length)) gaps.push(at)
  }
  visit(text, {
    onObjectBegin: (at) => word(at),
    onObjectProperty: (_, at) => word(at),
    onObjectEnd: word,
    onArrayBegin: (at) => word(at),
    onArrayEnd: word,
    onLiteralValue: (_, at) => word(at),
    onSeparator: (_, at) => word(at),
  })
  return gaps
}

function entriesIn(node: Node | undefined): readonly Node[] {
  if (node === undefined) return []
  const { hooks: [one] = [] } = Entry.safeParse(getNodeValue(node)).data ?? {}
  return ownHandler(one) === undefined ? (node.children ?? []).flatMap(entriesIn) : [node]
}
const Entry = z.object({ hooks: z.array(z.unknown()) })
