import { type PlacedRead, type PreparedOptions, readPrepared } from '../../../words/options.ts'
import { type ShellCommand, type ShellWord, unknownPart } from '../../../model/shell.ts'
import { optionNames, optionsOf } from '../row.ts'
import { names } from '../words.ts'
import { type LineRule, readRules } from './line-rules.ts'

/** A program with its arguments: a command, or a text in an option of another program, such as a preview of `fzf`. */
export interface ProgramCall {
  readonly program: string
  readonly args: readonly ShellWord[]
  /** The command's facts. Absent for a call that was read from an option's value. */
  readonly command?: ShellCommand
  /** The text of the command in the call. */
  readonly text?: string
  /** The number of commands that the program starts, each of which is judged by itself. */
  readonly starts?: number
  /** True if stdin comes from another command. */
  readonly isFed?: boolean
}

/** Reads the texts in a call that are code themselves. */
export interface TextReaders {
  /** Tells whether a command in an option only looks. */
  readonly isHarmlessText: (text: string) => boolean
  readonly awkOnlyPrints: (script: string) => boolean
}

/** Returns whether a call only looks. */
export type Judge = (look: ProgramCall, readers: TextReaders) => boolean

/** The calls of a program that only look, and the options by which their words are read. */
export interface Table {
  /** Options that change nothing, and may also stand before a subcommand. Written as in `Row.options`: `o output +quiet`. */
  readonly options?: string
  /** Other options that take a value. */
  readonly valued?: string
  /** Options with which a call never counts as only looking, wherever they stand: `--config|-c`. */
  readonly never?: string
  /** Set if long options have one dash. */
  readonly oneDash?: true
  /** Lines of which a call has to match one, see `LineRule`. A new line or a `;` separates them. */
  readonly lines: string
}

/** When a call only looks: always (`true`), if it matches a line of a text or table, or if a function returns true. */
export type LookRule = true | string | Table | Judge

/** True if a word may expand to an option: a variable, or a pattern that matches file names. */
export const mayBeOption = (word: ShellWord): boolean =>
  word.several === true ||
  (word.unresolved === true && (word.value.startsWith(unknownPart) || word.value.startsWith('-'))) ||
  (word.pattern !== undefined && /^[*?[]/.test(word.pattern))

/** True if all words of a call are known. */
export const isKnown = ({ args }: Pick<ProgramCall, 'args'>): boolean =>
  args.every(
    (word) =>
      word.unresolved !== true &&
      word.several !== true &&
      // The `?` of an address is a pattern to the shell, which matches no file.
      (word.pattern === undefined || /^https?:\/\//.test(word.value)),
  )

/** The options and operands of a command line, in which `--` does not end the options. */
export interface LookLine extends Pick<PlacedRead, 'surely' | 'value' | 'values'> {
  readonly names: readonly string[]
  readonly operands: readonly ShellWord[]
  /** True if an unknown word may be a further option. */
  readonly unknown: boolean
}

/** Takes the place of `--`, which may be the value of an unknown option, and then does not end the options. */
const separator: ShellWord = { value: '' }

/** Reads all options of a command line, by options in the form of `Row.options`. */
export const readLook = (args: readonly ShellWord[], options: string, oneDash?: true): LookLine =>
  readWith(args, preparedFrom(options, oneDash))

const prepared = new Map<string, PreparedOptions>()

/** Prepares options once. An abbreviated long option counts as unknown. */
function preparedFrom(options: string, oneDash?: true): PreparedOptions {
  const key = `${options}${oneDash === true ? '-' : ''}`
  const before = prepared.get(key) ?? optionsOf({ options, wholeNames: true, ...(oneDash && { oneDash }) })
  prepared.set(key, before)
  return before
}

function readWith(args: readonly ShellWord[], options: PreparedOptions): LookLine {
  const words = args.map((word) => (word.value === '--' ? separator : word))
  const { given, operands, surely, value, values } = readPrepared(words, options)
  const taken = new Set(given.map((option) => option.value))
  return {
    // `-5` is a number, of lines mostly.
    names: given.flatMap(({ name }) => (name === '' || (!options.oneDash && /^\d$/.test(name)) ? [] : [name])),
    operands: operands.filter((word) => word !== separator),
    surely,
    value,
    values,
    unknown: words.some((word) => !taken.has(word) && mayBeOption(word) && !/^--[\w-]+=/.test(word.value)),
  }
}

/** Returns the words of a subcommand: the operands before the first option that may change something. */
export function leadingWords(args: readonly ShellWord[], options: string, oneDash?: true): readonly string[] {
  const known = namesIn(options)
  const { given, operands } = readPrepared(args, preparedFrom(options, oneDash))
  const stops = [given.find(({ name }) => !known.includes(name))?.at, args.findIndex(({ value }) => value === '--')]
  const before = new Set(args.slice(0, Math.min(...stops.map((at = -1) => (at === -1 ? args.length : at)))))
  const words = operands.filter((word) => before.has(word))
  const end = words.findIndex((word) => word.several === true || word.unresolved === true)
  return words.slice(0, end === -1 ? undefined : end).map(({ value }) => value)
}

/** The names of options in the form of `Row.options`, without their marks. */
export function namesIn(options: string): readonly string[] {
  const { valued, flags } = optionNames({ options })
  return [...valued, ...flags]
}

const tables = new Map<Table, (look: ProgramCall) => boolean>()

/** True if a line of the table matches the call. */
export function matchesTable(look: ProgramCall, table: Table): boolean {
  const matches = tables.get(table) ?? prepareTable(table)
  tables.set(table, matches)
  return matches(look)
}

function prepareTable({ options = '', valued = '', never, oneDash, lines }: Table): (look: ProgramCall) => boolean {
  const rules = readRules(lines)
  const own = namesIn(options)
  const known = [...own, ...names(valued)]
  const [refusal] = never === undefined ? [] : readRules(`!${never}`)
  return ({ args }) => {
    const path = leadingWords(args, options, oneDash)
    const read = (more = '') => readLook(args, `${options} ${valued} ${more}`, oneDash)
    if (refusal !== undefined && isRefused(read(), refusal.refused, known)) return false
    return rules.some((rule) => matchesRule(rule, { args, path, read, own, known }))
  }
}

interface TableLook {
  readonly args: readonly ShellWord[]
  readonly path: readonly string[]
  /** Reads the call's line with further options that take a value. */
  readonly read: (valued?: string) => LookLine
  /** Options that change nothing. */
  readonly own: readonly string[]
  /** All options that are known to the table. */
  readonly known: readonly string[]
}

function matchesRule(rule: LineRule, { args, path, read, own, known }: TableLook): boolean {
  const { words, valued } = rule
  if (words.length > path.length || !words.every((some, at) => isNamed(path[at] ?? '', some))) return false
  if (rule.isBare) return true
  const line = read(valued.join(' '))
  const operands = line.operands.length - words.length
  return (
    rule.required.every((some) => line.surely(...some)) &&
    (rule.refused.length === 0 || !isRefused(line, rule.refused, [...known, ...valued])) &&
    (rule.only === undefined ||
      (!line.unknown && line.names.every((name) => own.includes(name) || rule.only?.includes(name)))) &&
    (rule.most === undefined || (!line.unknown && operands <= rule.most)) &&
    operands >= rule.least &&
    !(rule.isKnown && args.some((word) => word.unresolved === true || word.several === true)) &&
    !(rule.isPlain && args.some(({ value }) => value.includes('=')))
  )
}

/** True if a word is one of several: `get-*` stands for every word with this beginning, `*` for any word. */
const isNamed = (word: string, alternatives: readonly string[]): boolean =>
  alternatives.some((name) => (name.endsWith('*') ? word.startsWith(name.slice(0, -1)) : word === name))

/** True if a refused option may be given: in full, abbreviated, or in an unknown word. */
const isRefused = (
  { names: given, unknown }: LookLine,
  refused: readonly string[],
  known: readonly string[],
): boolean =>
  unknown ||
  refused.some((one) =>
    given.some(
      (name) => name === one || (name.length > 1 && one.length > 1 && one.startsWith(name) && !known.includes(name)),
    ),
  )

/**
 * Judges programs that do nothing but start another. The started command is in the facts and is judged by itself, so
 * only its presence is checked here.
 */
export const startsAll = ({ starts = 0 }: ProgramCall): boolean => starts > 0

/** Reads the options in front of the first operand: further words belong to the started command. */
export const ownOptions = ({ args }: ProgramCall, options: string) =>
  readPrepared(args, optionsOf({ options, wholeNames: true, operandsLast: true }))

/** Options with a value that may stand in front of the words of a container's or a cluster's command. */
const inFront = 'n namespace context cluster f file p project-name profile env-file project-directory H host c C dir'

/** Judges a program that starts another in a container or an environment, behind words that must be known. */
export const enters =
  (lines: string): Judge =>
  (look) => {
    const { args, starts = 0 } = look
    const [first, second] = readLook(args, inFront).operands
    const last = lines.includes('compose') && first?.value === 'compose' ? second : first
    const place = last === undefined ? -1 : args.indexOf(last)
    // Behind a single word such as `exec`, the next word has to be known too: it may be an option.
    const isClear = args
      .slice(0, place + (last === first ? 2 : 1))
      .every((word) => word.unresolved !== true && word.several !== true)
    return starts > 0 && isClear && matchesTable(look, { options: inFront, lines })
  }
