import { isJsonObject, type JsonObject, nestsDeeperThan, parseJsonObject } from '../../model/json.ts'
import { limits } from '../../model/limits.ts'
import { firstLine, sayable } from '../../model/text.ts'

/** The JSON objects that a hook printed. */
export interface PrintedObjects {
  /** Every complete object that is in no other, in the order in which they end. */
  readonly objects: readonly JsonObject[]
  /** The reason why there may be more objects. */
  readonly flaw: ScanFlaw | undefined
}
export type ScanFlaw = 'unfinished' | 'tooDeep' | 'tooCostly'

/**
 * Finds the JSON objects in a hook's stdout, whatever text is before, between and after them, on the same line or not.
 *
 * Complete objects inside of something malformed count: `log {x: {"cancel": true}}` holds one.
 *
 * INVARIANT: linear in the length. An attempt at a brace that an earlier, failed attempt had read as a brace would fail
 * at the same place; so it is skipped, and no character is read more than twice, as text and as structure. The limit on
 * steps is a safeguard in case this ever fails to hold.
 */
export function printedObjects(stdout: string, stepsPerCharacter: number = jsonScanStepsPerCharacter): PrintedObjects {
  const { spans, flaw } = spansIn(stdout, stepsPerCharacter)
  return { objects: objectsAt(stdout, spans), flaw }
}
/** Steps per character when searching a hook's stdout for JSON objects. Linear work takes 1 to 3. */
const jsonScanStepsPerCharacter = 16

/** Returns the output without its JSON objects, or only what is behind the last of them. */
export function textBeside(stdout: string, onlyBehind = false): string {
  const { spans } = spansIn(stdout, jsonScanStepsPerCharacter)
  let from = 0
  const parts: string[] = []
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    parts.push(stdout.slice(from, start))
    from = end
  }
  return (onlyBehind ? [stdout.slice(from)] : [...parts, stdout.slice(from)]).join('\n')
}

/**
 * Returns the first line that begins like a JSON object, or an array of them, and is in no complete object; `undefined`
 * if there is none.
 *
 * @param isNoise whether what stands before the last complete object is taken for log output
 */
export function brokenObject(stdout: string, isNoise: boolean): string | undefined {
  const lines = textBeside(stdout, isNoise).split('\n')
  return (
    lines.find((line) => beginsLikeObject.test(line))?.trim() ??
    lines
      .findLast((line) => line.trim() !== '')
      ?.match(/^\s*\{.*\}\s*$/)?.[0]
      .trim()
  )
}
/** `{"cancel"`, `{'cancel'`, `{cancel:`, `{` at the end of a line, `[{`; also as the beginning of a string. */
const beginsLikeObject = /^[\s\ufeff]*(?:["'`]\{|\[\s*\{|\{\s*(?:\\?["']|$|[\w$]+\s*:))/

function spansIn(stdout: string, stepsPerCharacter: number): { spans: readonly Span[]; flaw: ScanFlaw | undefined } {
  const spans: Span[] = []
  const settled = new Uint8Array(stdout.length)
  const settle = (brace: number) => void (settled[brace] = 1)
  const stepsMax = stdout.length * stepsPerCharacter
  let [steps, unfinishedAt, tooDeep] = [0, -1, false]

  for (let at = stdout.indexOf('{'); at !== -1 && steps <= stepsMax; at = stdout.indexOf('{', at + 1)) {
    if (settled[at] === 1) continue
    const attempt = readObject(stdout, at, settle)
    steps += attempt.end - at
    if (attempt.kind === 'complete') {
      spans.push({ start: at, end: attempt.end })
      at = attempt.end - 1
      continue
    }
    for (const span of attempt.inner) {
      spans.push(span)
      settled.fill(1, span.start, span.end)
    }
    if (attempt.kind === 'unfinished') unfinishedAt = at
    if (attempt.kind === 'tooDeep') tooDeep = true
  }

  // An unfinished beginning with an object after it was noise: `log {"x": `, followed by the answer.
  const unfinished = unfinishedAt !== -1 && !spans.some(({ start }) => start > unfinishedAt)
  const flaw = steps > stepsMax ? 'tooCostly' : tooDeep ? 'tooDeep' : unfinished ? 'unfinished' : undefined
  return { spans, flaw }
}

/** Returns whether a whole output is JSON other than an object. */
export function isOtherJson(stdout: string): boolean {
  const text = stdout.trim()
  if (!/^["[]/.test(text)) return false
  try {
    return !isJsonObject(JSON.parse(text))
  } catch {
    return false
  }
}

function objectsAt(text: string, spans: readonly Span[]): readonly JsonObject[] {
  return spans
    .toSorted((a, b) => a.end - b.end)
    .map(({ start, end }) => parseJsonObject(text.slice(start, end)))
    .filter((object) => object !== undefined)
}

interface Span {
  readonly start: number
  readonly end: number
}

/** The result of scanning one object. `end` is the offset of the first character that was not read. */
type Attempt =
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
        const opened = open.pop() ?? array
        if (open.length === 0) return { kind: 'complete', end: at }
        if (opened !== array) keepOutermost(inner, { start: opened, end: at })
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

/** `x` is a number, `true`, `false` or `null`; `!` is not a JSON token; `end` is the end of the text. */
type TokenKind = '{' | '}' | '[' | ']' | ':' | ',' | '"' | 'x' | '!' | 'end'

interface Token {
  readonly kind: TokenKind
  readonly start: number
  /** The offset of the first character after it. */
  readonly end: number
}

const marks: readonly TokenKind[] = ['{', '}', '[', ']', ':', ',']

/**
 * Reads the JSON token at or after `from`, skipping whitespace. A token that the end of the text cuts off counts as
 * whole.
 */
function readToken(text: string, from: number): Token {
  let start = from
  while (isWhitespace(text.charCodeAt(start))) start += 1
  const character = text[start]
  if (character === undefined) return { kind: 'end', start, end: start }
  const mark = marks.find((one) => one === character)
  if (mark !== undefined) return { kind: mark, start, end: start + 1 }
  return character === '"' ? readString(text, start) : readWord(text, start)
}

const isWhitespace = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

function readString(text: string, start: number): Token {
  let at = start + 1
  for (;;) {
    const code = text.charCodeAt(at)
    if (Number.isNaN(code)) return { kind: '"', start, end: at }
    if (code < 0x20) return { kind: '!', start, end: at }
    at += 1
    if (code === 0x22) return { kind: '"', start, end: at }
    if (code !== 0x5c) continue
    const escape = text.slice(at, at + 5)
    const length = /^["\\/bfnrt]/.test(escape) ? 1 : /^u[\da-fA-F]{4}/.test(escape) ? 5 : 0
    if (length > 0) at += length
    else if (/^(?:u[\da-fA-F]{0,3})?$/.test(escape)) at = text.length
    else return { kind: '!', start, end: at }
  }
}

const words = ['true', 'false', 'null']

function readWord(text: string, start: number): Token {
  const run = /[-+.\w]*/y
  run.lastIndex = start
  const word = run.exec(text)?.[0] ?? ''
  const end = start + word.length
  if (
    end === text.length &&
    (words.some((one) => one.startsWith(word)) || /^-?\d*(?:\.\d*)?(?:[eE][-+]?\d*)?$/.test(word))
  ) {
    return { kind: 'x', start, end }
  }
  const complete = words.includes(word) || /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(word)
  return { kind: complete ? 'x' : '!', start, end: Math.max(end, start + 1) }
}

/** A hook's stdout, taken as a whole. */
type StdoutContent =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'object'; readonly object: JsonObject }
  | { readonly kind: 'broken'; readonly why: string }

/** A hook's parsed stdout. If `async`, the hook asked not to be waited for, so its output decides nothing. */
export interface Stdout {
  readonly printed: StdoutContent
  readonly async: boolean
}

/**
 * Parses a hook's stdout by Claude Code's rule (measured on 2.1.329): it is one JSON object, or plain text.
 *
 * An object may be surrounded by white space only, including a byte order mark and carriage returns.
 */
export function readStdout(stdout: string): Stdout {
  const text = stdout.trim()
  const afterAsync = withoutAsyncLine(text)
  if (afterAsync !== undefined) return { printed: printedOf(afterAsync), async: true }
  const printed = printedOf(text)
  return { printed, async: printed.kind === 'object' && printed.object['async'] === true }
}

function printedOf(text: string): StdoutContent {
  if (text === '') return { kind: 'nothing' }
  // Output that starts like an object was meant as one. Taken as plain text, half a refusal (a hook that died while
  // printing, two objects one after the other) would count as no objection: an error is not silence.
  if (!text.startsWith('{')) return { kind: 'text', text }
  try {
    const value: unknown = JSON.parse(text)
    if (!isJsonObject(value)) return { kind: 'text', text }
    if (!nestsDeeperThan(value, limits.jsonDepthMax)) return { kind: 'object', object: value }
    return { kind: 'broken', why: `stdout contains JSON nested deeper than ${limits.jsonDepthMax} levels` }
  } catch (error) {
    const problem = error instanceof Error ? firstLine(sayable(error.message)) : ''
    return { kind: 'broken', why: `stdout starts with \`{\` but is not one JSON object: ${problem}` }
  }
}

/** Removes a first line `{"async": true, …}`, which turns a running hook into one that is not waited for. */
function withoutAsyncLine(text: string): string | undefined {
  const end = text.indexOf('\n')
  if (end === -1 || !text.startsWith('{')) return undefined
  const first = parseJsonObject(text.slice(0, end))
  return first?.['async'] === true ? text.slice(end + 1).trim() : undefined
}
