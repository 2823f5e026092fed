import { shellLimits } from '../../../model/limits.ts'
import { unknownPart } from '../../../model/shell.ts'
import { type Context, note } from '../state/context.ts'

/** Expands the braces of a word to texts; `undefined` if there would be too many. */
export function expandBraces(text: string): readonly string[] | undefined {
  const out: string[] = []
  const queue = [text]
  let read = 0
  while (queue.length > 0) {
    const one = queue.shift() ?? ''
    // Of braces in each other, every one has the rest of them read again.
    read += one.length
    if (read > shellLimits.valueCharactersMax * rereadsMax) return undefined
    const brace = firstBrace(one)
    if (brace === undefined) {
      out.push(one)
      continue
    }
    const before = one.slice(0, brace.start)
    const after = one.slice(brace.end)
    queue.unshift(...brace.members.map((member) => before + member + after))
    if (queue.length + out.length > shellLimits.fieldsMax) return undefined
    if (queue.length * one.length > shellLimits.valueCharactersMax * 4) return undefined
  }
  return out
}

/** Rereads of a text as long as a value may be: some 30 ms. */
const rereadsMax = 32

interface Brace {
  readonly start: number
  readonly end: number
  readonly members: readonly string[]
}

function firstBrace(text: string): Brace | undefined {
  for (const at of closedBraces(text)) {
    const brace = braceAt(text, at)
    if (brace !== undefined) return brace
  }
  return undefined
}

/** More than the longest range between braces: `{-1000000..1000000..1000000}`. */
const rangeCharactersMax = 64

/**
 * Returns the starts of the braces that are closed and have a comma, or are short enough for a range, in order. It reads
 * the text once: a look for the end of each brace would be quadratic where they are nested.
 */
function closedBraces(text: string): readonly number[] {
  const open: { readonly start: number; hasComma: boolean }[] = []
  const found: number[] = []
  for (let at = 0; at < text.length;) {
    const past = pastQuoted(text, at)
    if (past !== at) {
      at = past
      continue
    }
    const character = text[at]
    const inner = open.at(-1)
    if (character === '{') open.push({ start: at, hasComma: false })
    else if (character === ',' && inner !== undefined) inner.hasComma = true
    else if (character === '}' && inner !== undefined) {
      open.pop()
      if (inner.hasComma || at - inner.start <= rangeCharactersMax) found.push(inner.start)
    }
    at++
  }
  return found.toSorted((one, other) => one - other)
}

/**
 * Returns the end of a quoted part or expansion that begins at `at`, where braces have no meaning; else `at` itself.
 */
function pastQuoted(text: string, at: number): number {
  const character = text[at]
  if (character === '\\') return at + 2
  if (character === "'") return behind(text, "'", at + 1)
  if (character === '"' || character === '`') {
    for (let to = at + 1; to < text.length; to++) {
      if (text[to] === '\\') to++
      else if (text[to] === character) return to + 1
    }
    return text.length
  }
  if (character !== '$') return at
  if (text[at + 1] === '{') return closing(text, at + 1, '{', '}')
  if (text[at + 1] === '(') return closing(text, at + 1, '(', ')')
  return at + 1
}

const behind = (text: string, what: string, from: number): number => {
  const at = text.indexOf(what, from)
  return at === -1 ? text.length : at + 1
}

function closing(text: string, start: number, open: string, close: string): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === open) depth++
    else if (text[at] === close && --depth === 0) return at + 1
  }
  return text.length
}

function braceAt(text: string, start: number): Brace | undefined {
  const members: string[] = []
  let depth = 1
  let from = start + 1
  for (let at = start + 1; at < text.length;) {
    const past = pastQuoted(text, at)
    if (past !== at) {
      at = past
      continue
    }
    const character = text[at]
    if (character === '{') depth++
    else if (character === ',' && depth === 1) {
      members.push(text.slice(from, at))
      from = at + 1
    } else if (character === '}' && --depth === 0) {
      const last = text.slice(from, at)
      if (members.length > 0) return { start, end: at + 1, members: [...members, last] }
      const range = rangeOf(last)
      return range === undefined ? undefined : { start, end: at + 1, members: range }
    }
    at++
  }
  return undefined
}

function rangeOf(text: string): readonly string[] | undefined {
  const found = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.(-?\d+))?$/.exec(text)
  if (found === null) return undefined
  const [, first = '', last = '', by] = found
  const letters = /^[A-Za-z]$/.test(first)
  if (letters !== /^[A-Za-z]$/.test(last)) return undefined
  const from = letters ? first.charCodeAt(0) : Number(first)
  const to = letters ? last.charCodeAt(0) : Number(last)
  const stride = Math.max(1, Math.abs(Number(by ?? 1)))
  const count = Math.floor(Math.abs(to - from) / stride) + 1
  // For a range this large, the analysis does not depend on the single numbers, so one unknown word stands for all.
  if (!(count <= shellLimits.fieldsMax)) return [unknownPart]
  const width = !letters && /^-?0\d/.test(first + last) ? Math.max(first.length, last.length) : 0
  return Array.from({ length: count }, (_, at) => {
    const value = from + (to >= from ? at : -at) * stride
    return letters ? String.fromCharCode(value) : String(value).padStart(width, '0')
  })
}

/**
 * Returns the possible expansions of consecutive words or parts, from those of each: every combination, up to
 * `shellLimits.combinationsMax`.
 */
export function everyCombination<T>(
  context: Context,
  all: readonly (readonly (readonly T[])[])[],
): readonly (readonly T[])[] {
  let combined: readonly Combination<T>[] = [{ before: undefined, parts: [] }]
  for (const more of all) {
    const [only] = more
    if (more.length === 1 && only !== undefined) {
      for (const { parts } of combined) for (const one of only) parts.push(one)
      continue
    }
    if (combined.length * more.length > shellLimits.combinationsMax)
      note(context, "a command's words have too many possible values to try them all")
    combined = combined
      .flatMap((before) => more.map((way): Combination<T> => ({ before, parts: [...way] })))
      .slice(0, shellLimits.combinationsMax)
  }
  return combined.map(partsOfAll)
}

/** A combination of ways, with the beginning that it shares with others. */
interface Combination<T> {
  readonly before: Combination<T> | undefined
  readonly parts: T[]
}

function partsOfAll<T>(last: Combination<T>): readonly T[] {
  if (last.before === undefined) return last.parts
  const all: (readonly T[])[] = []
  for (let at: Combination<T> | undefined = last; at !== undefined; at = at.before) all.push(at.parts)
  return all.toReversed().flat()
}
