import { type ShellWord, unknownPart } from '../../../model/shell.ts'
import { escapeGlob, hasPair } from '../../../model/text.ts'
import { isKnown, concatenate, namesOf, originOf, type ShellText, type Field } from '../values/text.ts'

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
