import { type ShellCommand, type ShellWord, unknownPart } from 'hookgate/policy'

/** A program with its arguments: a command of the facts, or one that another's option holds as text. */
export interface Call {
  readonly program: string
  readonly args: readonly ShellWord[]
  /** The command's facts. Absent for a call that was parsed from an option's value. */
  readonly command?: ShellCommand
  /** The text that it was read from. */
  readonly text?: string
  /** The number of commands that it starts, each of which is judged itself. */
  readonly starts?: number
  /** Its stdin comes from another command. */
  readonly isFed?: boolean
}

/** Tells whether a call is known to be harmless. */
export type Judge = (call: Call) => boolean

/** A program's subcommands and options, as text. See `matchesTable`. */
export interface Table {
  /** Options that take a value and may stand before or between the words of a subcommand. Blanks between them. */
  readonly valued?: string
  /** Options without a value that may stand before or between the words of a subcommand. */
  readonly flags?: string
  /** Options that are never harmless, wherever they stand. */
  readonly refused?: string
  /** Long options have one dash. */
  readonly oneDash?: true
  /** A rule a line: `words of the subcommand, conditions`. */
  readonly lines: string
}

/** A table as it is searched: its lists as names, and its lines by their first words. */
export interface PreparedTable {
  readonly valued: readonly string[]
  readonly flags: readonly string[]
  readonly refused: readonly string[]
  readonly oneDash?: true
  /** The lines that begin with a word, by that word. */
  readonly byWord: Readonly<Record<string, readonly string[]>>
  /** The lines that begin with any word, or with a condition. */
  readonly otherLines: readonly string[]
}

export type Rule = PreparedTable | Judge

/** True if a word may expand to an option: a variable, or a pattern that matches file names. */
export const mayBeOption = (word: ShellWord): boolean =>
  word.several === true ||
  (word.unresolved === true && (word.value.startsWith(unknownPart) || word.value.startsWith('-'))) ||
  (word.pattern !== undefined && /^[*?[]/.test(word.pattern))

/** True if all words of a call are known. */
export const isKnown = ({ args }: Call): boolean =>
  args.every(
    (word) =>
      word.unresolved !== true &&
      word.several !== true &&
      // The `?` of an address is a pattern to the shell, which matches no file.
      (word.pattern === undefined || /^https?:\/\//.test(word.value)),
  )

/** The operands at the beginning, none of them unknown: the words of a subcommand, and whatever comes before an option. */
export function leadingWords(args: readonly ShellWord[]): readonly string[] {
  const end = args.findIndex((word) => word.unresolved === true || word.several === true || word.value.startsWith('-'))
  return args.slice(0, end === -1 ? undefined : end).map((word) => word.value)
}

/** True if a text contains a word, with a blank before it and a blank or line end after it. */
export const has = (words: string, word: string): boolean => words.includes(` ${word} `) || words.includes(` ${word}\n`)
