import { limits } from '../../model/limits.ts'
import { readToken } from './json-token.ts'

export interface Span {
  readonly start: number
  readonly end: number
}

/** The result of scanning one object. `end` is the offset of the first character that was not read. */
export type Attempt =
  | { readonly kind: 'complete'; readonly end: number }
  /** `inner` has the complete objects found in it that are in no other. */
  | { readonly kind: 'broken' | 'unfinished' | 'tooDeep'; readonly end: number; readonly inner: readonly Span[] }

/** The tokens that the grammar allows at each position. */
const allowed = {
  firstKey: '"}',
  key: '"',
  colon: ':',
  value: '{["x',
  firstElement: '{["x]',
  afterMember: ',}',
  afterElement: ',]',
} as const

/** Marks an array among the open containers; an object is entered as the offset of its brace. */
const array = -1

/**
 * Scans one JSON object that begins at `start`, by the grammar of RFC 8259, without building it.
 *
 * `JSON.parse` takes whole texts only. Open containers are kept in a list and not on the call stack, which a hostile
 * output would overflow.
 *
 * @param onBrace called with the offset of every `{` that begins an object
 */
export function readObject(text: string, start: number, onBrace: (at: number) => void): Attempt {
  const open: number[] = []
  const inner: Span[] = []
  let at = start
  let expected: keyof typeof allowed = 'value'

  for (;;) {
    const token = readToken(text, at)
    const tokenStart = token.start
    at = token.end
    const fits = token.kind === 'end' || allowed[expected].includes(token.kind)
    if (!fits) return { kind: 'broken', end: at, inner }
    switch (token.kind) {
      case '{':
      case '[':
        if (open.length === limits.jsonDepthMax) return { kind: 'tooDeep', end: at, inner }
        if (token.kind === '{') onBrace(tokenStart)
        open.push(token.kind === '{' ? tokenStart : array)
        expected = token.kind === '{' ? 'firstKey' : 'firstElement'
        break
      case '}':
      case ']': {
        const begun = open.pop() ?? array
        if (open.length === 0) return { kind: 'complete', end: at }
        if (begun !== array) keepOutermost(inner, { start: begun, end: at })
        expected = open.at(-1) === array ? 'afterElement' : 'afterMember'
        break
      }
      case ':':
        expected = 'value'
        break
      case ',':
        expected = open.at(-1) === array ? 'value' : 'key'
        break
      case '"':
      case 'x':
        if (expected === 'key' || expected === 'firstKey') expected = 'colon'
        else expected = open.at(-1) === array ? 'afterElement' : 'afterMember'
        break
      case '!':
      case 'end':
        // Prose can end with a lone brace, too; an object that was cut off has begun a key.
        return { kind: open.length === 1 && expected === 'firstKey' ? 'broken' : 'unfinished', end: at, inner }
    }
  }
}

function keepOutermost(spans: Span[], span: Span): void {
  while ((spans.at(-1)?.start ?? -1) > span.start) spans.pop()
  spans.push(span)
}
