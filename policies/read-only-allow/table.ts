import { type OptionsRead, readOptions, type ShellWord } from 'hookgate/policy'
import { type Call, mayBeOption, type PreparedTable, type Table } from './call.ts'

/**
 * True if a line of the table matches the call. A line is a subcommand's words, `a,b` for either and `*` for any, and
 * then its conditions:
 *
 * - `!name` this option must not be given; long ones not even in part, for many programs take them so
 * - `~name` only options that are marked so, or by `=`, may be given; `~` alone: none
 * - `=name` this option takes a value (and may be given)
 * - `+a,b` one of these options must be given, and not be taken back
 * - `<2` at most two operands follow the subcommand; `>0` more than none do
 * - `^` every word must be known
 * - `@=` no word may hold a `=`
 *
 * One letter is a short option, more are a long one.
 */
export function matchesTable(call: Call, table: PreparedTable): boolean {
  const path = subcommandOf(call.args, table)
  if (path === undefined) return false
  const [first = ''] = path
  const named = Object.hasOwn(table.byWord, first) ? (table.byWord[first] ?? []) : []
  if (named.length === 0 && table.otherLines.length === 0) return false
  // Most lines know of the same options with values, and a command may have thousands of words.
  const read = new Map<string, Options>()
  const optionsBy = (names: readonly string[]): Options => {
    const key = names.join(' ')
    const options = read.get(key) ?? optionsOf(call.args, names, table)
    read.set(key, options)
    return options
  }
  if (table.refused.length > 0 && isRefused(optionsBy(table.valued), table.refused, table.valued)) return false
  const isFit = (line: string) => fits(line.split(' '), call, table, path, optionsBy)
  return named.some(isFit) || table.otherLines.some(isFit)
}

/** Arranges a large table once, when the policy is loaded, from the texts that a `Table` has. */
export const prepareLines = (lines: string, valued?: string, flags?: string, refused?: string): PreparedTable =>
  prepareTable({
    lines,
    ...(valued !== undefined && { valued }),
    ...(flags !== undefined && { flags }),
    ...(refused !== undefined && { refused }),
  })

/** Arranges a table by the first words of its lines. For most tables that is done when a call of its program comes. */
export function prepareTable({ valued, flags, refused, oneDash, lines }: Table): PreparedTable {
  const byWord: Record<string, string[]> = {}
  const otherLines: string[] = []
  for (const line of lines.split('\n')) {
    if (line === '') continue
    if (line.startsWith('*') || conditions.includes(line.charAt(0))) {
      otherLines.push(line)
      continue
    }
    const end = line.indexOf(' ')
    for (const word of (end === -1 ? line : line.slice(0, end)).split(',')) (byWord[word] ??= []).push(line)
  }
  return {
    valued: namesIn(valued),
    flags: namesIn(flags),
    refused: namesIn(refused),
    ...(oneDash === true && { oneDash }),
    byWord,
    otherLines,
  }
}

const namesIn = (text: string | undefined): readonly string[] =>
  text === undefined || text === '' ? [] : text.split(' ')
const conditions = '!~=+<>^@'

/** The operands that lead to the subcommand: up to the first option that is not known. */
function subcommandOf(
  args: readonly ShellWord[],
  { valued, flags, oneDash }: PreparedTable,
): readonly string[] | undefined {
  const path: string[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at]
    if (word === undefined || word.several === true || word.unresolved === true) return path
    const { value } = word
    if (!value.startsWith('-') || value === '-') {
      path.push(value)
      continue
    }
    const [, name = '', equals] = /^--?([^=]*)(=?)/.exec(value) ?? []
    const isLong = oneDash === true || value.startsWith('--')
    if (isLong ? valued.includes(name) : valued.includes(value.charAt(1))) {
      if (isLong ? equals === '' : value.length === 2) at++
    } else if (!flags.includes(name)) return path
  }
  return path
}

export interface Options {
  readonly names: readonly string[]
  readonly operands: number
  /** Further options are possible. */
  readonly unknown: boolean
  readonly surely: OptionsRead['surely']
}

function fits(
  tokens: readonly string[],
  call: Call,
  table: PreparedTable,
  path: readonly string[],
  optionsBy: (valued: readonly string[]) => Options,
): boolean {
  const start = tokens.findIndex((token) => conditions.includes(token.charAt(0)))
  const words = start === -1 ? tokens : tokens.slice(0, start)
  if (words.length > path.length || !words.every((word, at) => isOneOf(path[at], word))) return false
  if (start === -1) return true
  const given = tokens.slice(start)
  const marked = (mark: string) => given.filter((token) => token.startsWith(mark)).map((token) => token.slice(1))
  const valued = [...table.valued, ...marked('=')]
  const options = optionsBy(valued)
  const only = marked('~')
  return given.every((token) => {
    const value = token.slice(1)
    switch (token.charAt(0)) {
      case '!':
        return !isRefused(options, [value], valued)
      case '~':
        return (
          !options.unknown &&
          options.names.every((name) => only.includes(name) || valued.includes(name) || table.flags.includes(name))
        )
      case '+':
        return options.surely(...value.split(','))
      case '<':
        return !options.unknown && options.operands - words.length <= Number(value)
      case '>':
        return options.operands - words.length > Number(value)
      case '@':
        return !call.args.some((word) => word.value.includes(value))
      case '^':
        return call.args.every((word) => word.unresolved !== true && word.several !== true)
      default:
        return true
    }
  })
}

const isOneOf = (word: string | undefined, words: string): boolean =>
  word !== undefined && (words === '*' || words.split(',').includes(word))

/** True if a refused option may be among the words: in full, abbreviated, or in an unknown word. */
const isRefused = ({ names, unknown }: Options, refused: readonly string[], known: readonly string[]): boolean =>
  unknown ||
  refused.some((one) =>
    names.some(
      (name) => name === one || (name.length > 1 && one.length > 1 && one.startsWith(name) && !known.includes(name)),
    ),
  )

/** Reads all options, also those behind `--`, which may be the value of an option that is not known to take one. */
export function optionsOf(
  args: readonly ShellWord[],
  valued: readonly string[],
  { oneDash }: Pick<Table, 'oneDash'>,
): Options {
  // A word that is no option, in place of `--`, does not end the options.
  const separator: ShellWord = { value: '' }
  const words = args.map((word) => (word.value === '--' ? separator : word))
  const { given, operands, surely } = readOptions(words, { valued, oneDash: oneDash === true })
  const values = new Set(given.map(({ value }) => value))
  return {
    // `-5` is a number, of lines mostly.
    names: given.flatMap(({ name }) => (name === '' || (oneDash !== true && /^\d$/.test(name)) ? [] : [name])),
    operands: operands.filter((word) => word !== separator).length,
    surely,
    unknown: words.some((word) => !values.has(word) && mayBeOption(word) && !/^--[\w-]+=/.test(word.value)),
  }
}
