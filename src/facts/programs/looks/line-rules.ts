/**
 * One line of a `Table`: the words of a subcommand, and conditions on the words and options behind them. They are written
 * as in the patterns of deeds:
 *
 * - `get|list` either word; `get-*` any word with this beginning; `*` any word
 * - `--list|-l` one of these options has to be given, and not be taken back
 * - `!--force|-f` none of these options may be given, also not abbreviated, nor a word that may expand to such an option
 * - `[--all|--sort=]` of the other options only these may be given; an option with `=` takes a value
 * - `..2` at most two operands follow the words, `1..` at least one
 * - `!$` all words must be known; `!=` no word may contain `=`
 */
export interface LineRule {
  readonly words: readonly (readonly string[])[]
  readonly required: readonly (readonly string[])[]
  readonly refused: readonly string[]
  /** Options that may be given. Absent if all may but the refused ones. */
  readonly only: readonly string[] | undefined
  /** Options among `only` that take a value. */
  readonly valued: readonly string[]
  readonly most: number | undefined
  readonly least: number
  /** Whether all words must be known: `!$`. */
  readonly isKnown: boolean
  /** Whether no word may contain `=`: `!=`. */
  readonly isPlain: boolean
  /** Whether the line has words and no conditions. */
  readonly isBare: boolean
}

/** Reads the lines of a table. */
export const readRules = (lines: string): readonly LineRule[] =>
  lines
    .split(/[;\n]/)
    .map((line) => line.trim())
    .filter((line, _, all) => line !== '' || all.length === 1)
    .map(readRule)

function readRule(line: string): LineRule {
  const parts = line.split(/\s+/).filter((part) => part !== '')
  const words = parts.filter((part) => /^[^-![]/.test(part) && !/^\.\.\d|^\d\.\.$/.test(part))
  const lists = parts.filter((part) => part.startsWith('['))
  const required = parts.filter((part) => part.startsWith('-')).map(optionNames)
  const listed = lists.flatMap((part) => optionNames(part.slice(1, -1)))
  const valued = listed.filter((name) => name.endsWith('=')).map((name) => name.slice(0, -1))
  const most = parts.find((part) => part.startsWith('..'))
  return {
    words: words.map((part) => part.split('|')),
    required,
    refused: parts.filter((part) => part.startsWith('!-')).flatMap((part) => optionNames(part.slice(1))),
    only: lists.length === 0 ? undefined : [...listed.map((name) => name.replace('=', '')), ...required.flat()],
    valued,
    most: most === undefined ? undefined : Number(most.slice(2)),
    least: parts.includes('1..') ? 1 : 0,
    isKnown: parts.includes('!$'),
    isPlain: parts.includes('!='),
    isBare: words.length === parts.length,
  }
}

const optionNames = (alternatives: string): readonly string[] =>
  alternatives === '' ? [] : alternatives.split('|').map((name) => name.replace(/^-+/, ''))
