import { type ShellWord, unknownPart } from '../../../model/shell.ts'
import { escapeGlob, hasPair } from '../../../model/text.ts'
import { concatenate, type Field, isKnown, namesOf, originOf, type ShellText } from '../values/text.ts'
import { shellLimits } from '../../../model/limits.ts'
import { type Context, note } from '../state/context.ts'

/** A part of a word after expansion, before word splitting. */
export interface Piece {
  readonly text: ShellText
  /** In quotes: it is neither split nor a glob, and it makes a word even if it is empty. */
  readonly quoted: boolean
  /** From an expansion: it is subject to word splitting if it is not quoted. */
  readonly splits: boolean
  /** Starts a new word: the next element of `"$@"`. */
  readonly begins?: true
  /** May become any number of words: `"$@"` of a script whose arguments are not known. */
  readonly several?: true
}

interface Open {
  text: ShellText
  pattern: string
  globbed: boolean
  several: boolean
}

/** Splits the unquoted pieces into words, by the characters of `IFS`; `undefined` if `IFS` is unknown. */
export function fieldsOf(pieces: readonly Piece[], ifs: string | undefined): Field[] {
  const fields: Field[] = []
  let open: Open | undefined
  const close = () => {
    if (open !== undefined) fields.push(fieldOf(open))
    open = undefined
  }
  const add = (text: ShellText, quoted: boolean, several: boolean) => {
    open ??= { text: { value: '' }, pattern: '', globbed: false, several: false }
    open.text = open.text.value === '' && open.text.from === undefined ? text : concatenate(open.text, text)
    const globs = text.pattern !== undefined || (!quoted && hasGlob(text.value))
    open.pattern += text.pattern ?? (globs ? text.value : escapeGlob(text.value))
    open.globbed ||= globs
    open.several ||= several
  }
  for (const piece of pieces) {
    if (piece.begins === true) close()
    const { text, quoted } = piece
    if (quoted || !piece.splits) {
      add(text, quoted, piece.several === true)
      continue
    }
    const unresolved = !isKnown(text)
    if (ifs === undefined || ifs === '') {
      if (text.value !== '') add(text, false, piece.several === true || ifs === undefined)
      continue
    }
    let rest = text.value
    while (rest !== '') {
      const end = nextSplit(rest, ifs)
      const part = rest.slice(0, end)
      const skipped = skip(rest, end, ifs)
      if (part !== '' || (end < rest.length && !/\s/.test(rest.charAt(end)))) {
        add(
          part === text.value ? text : { ...text, value: part },
          false,
          piece.several === true || (unresolved && part.includes(unknownPart)),
        )
      }
      if (end < rest.length) close()
      rest = rest.slice(skipped)
    }
  }
  close()
  return fields
}

function nextSplit(text: string, ifs: string): number {
  for (let at = 0; at < text.length; at++) if (ifs.includes(text.charAt(at))) return at
  return text.length
}

/** Returns the position after a separator, which includes the white space around it. */
function skip(text: string, end: number, ifs: string): number {
  let at = end
  let hard = false
  for (; at < text.length; at++) {
    const character = text.charAt(at)
    if (!ifs.includes(character)) break
    if (/\s/.test(character)) continue
    if (hard) break
    hard = true
  }
  return at
}

const hasGlob = (value: string): boolean => /[*?]/.test(value) || hasPair(value, '[', ']')

function fieldOf({ text, pattern, globbed, several }: Open): Field {
  const unresolved = !isKnown(text)
  if (!unresolved && !globbed && !several) {
    const word = { value: text.value }
    return text.from === undefined ? { word } : { word, from: text.from }
  }
  const word: ShellWord = {
    value: text.value,
    ...(unresolved && { unresolved: true }),
    ...(several && { several: true }),
    ...(globbed && { pattern }),
    ...(unresolved && namesOf(text)),
    ...(unresolved && originOf(text)),
  }
  return { word, ...(text.from !== undefined && { from: text.from }) }
}

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
