import { type ShellCommand, type ShellWord, unknownPart } from 'hookgate/policy'

/** A program with its arguments: a command of the facts, or one that another's option holds as text. */
export interface Call {
  readonly program: string
  readonly args: readonly ShellWord[]
  /** What the facts say besides. Absent where the call was read out of an option's text. */
  readonly command?: ShellCommand
  /** The text that it was read from. */
  readonly text?: string
  /** How many commands it starts that are judged themselves. */
  readonly starts?: number
  /** Whether bytes of another command come in. */
  readonly isFed?: boolean
}

/** Whether a call is known to be harmless. */
export type Judge = (call: Call) => boolean

/** A program's subcommands and options, as text: most programs are never asked about. See `matchesTable`. */
export interface Table {
  /** Options that take a value and may stand before or between the words of a subcommand. Blanks between them. */
  readonly valued?: string
  /** The same for options without a value. */
  readonly flags?: string
  /** Options that are never harmless, wherever they stand. */
  readonly refused?: string
  /** Whether long options have one dash. */
  readonly oneDash?: true
  /** A rule a line: `words of the subcommand, conditions`. */
  readonly lines: string
}

export type Rule = Table | Judge

/** Whether a word may turn out to be an option that nobody wrote: a variable, or a pattern that matches file names. */
export const mayBeOption = (word: ShellWord): boolean =>
  word.several === true ||
  (word.unresolved === true && (word.value.startsWith(unknownPart) || word.value.startsWith('-'))) ||
  (word.pattern !== undefined && /^[*?[]/.test(word.pattern))

/** Whether all of a call's words are known. */
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

/** Whether a list of words has one: a blank before each of them, and a blank or a line's end behind. */
export const has = (words: string, word: string): boolean => words.includes(` ${word} `) || words.includes(` ${word}\n`)
