import { unwrapLimits } from '../../model/limits.ts'
import { type ShellWord, unknownPart } from '../../model/shell.ts'

/** A word that is known whole. */
export const known = (value: string): ShellWord => ({ value })

/** Any number of words of which nothing is known. */
export const unknownWord: ShellWord = { value: unknownPart, unresolved: true }

/** A word made of other words' values: not known where a part of it is not. */
export const wordOf = (value: string): ShellWord =>
  value.includes(unknownPart) ? { value, unresolved: true } : { value }

/** Words made one text, as ssh, su and watch make a script of theirs. */
export function joined(words: readonly ShellWord[], between = ' '): ShellWord {
  const value = words.map((word) => word.value).join(between)
  return words.some((word) => word.unresolved === true || word.several === true)
    ? { value, unresolved: true }
    : { value }
}

/** A word with another value, as little known as it was, and no pattern any more. */
export function changed(word: ShellWord, value: string): ShellWord {
  return {
    value,
    ...(word.unresolved === true && { unresolved: true }),
    ...(word.several === true && { several: true }),
  }
}

/** A word without its first characters: what stands behind `if=` or `@`. */
export function behind(word: ShellWord, at: number): ShellWord {
  const { pattern: _, ...rest } = word
  return { ...rest, value: word.value.slice(at) }
}

/** `NAME=value` as an assignment, or nothing. */
function assignmentOf(word: ShellWord): { readonly name: string; readonly value: ShellWord } | undefined {
  const name = /^([A-Za-z_]\w*)\+?=/.exec(word.value)
  return name?.[1] === undefined ? undefined : { name: name[1], value: changed(word, word.value.slice(name[0].length)) }
}

/** Operands split into the assignments in front and what stands behind them. */
export function assignmentsBefore(words: readonly ShellWord[]) {
  const assignments: { readonly name: string; readonly value: ShellWord }[] = []
  for (const [at, word] of words.entries()) {
    const assignment = assignmentOf(word)
    if (assignment === undefined) return { assignments, rest: words.slice(at) }
    assignments.push(assignment)
  }
  return { assignments, rest: [] }
}

/** What stands behind the first `--`, where there is one. */
export function behindDashes(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  const at = words.findIndex((word) => word.value === '--')
  return at === -1 ? undefined : words.slice(at + 1)
}

/** `timeout 5 -- make`: the operands end the options, and the command may be kept apart once more. */
export const withoutDashes = (words: readonly ShellWord[]): readonly ShellWord[] =>
  words[0]?.value === '--' ? words.slice(1) : words

/** The names of a list that is written with spaces between. */
export const names = (list: string): readonly string[] => list.split(/\s+/).filter((name) => name !== '')

/** A text with an argument in every place of `{}`, or not known where that were too long to be meant. */
export function filled(text: string, placeholder: string, argument: string): string {
  if (placeholder === '') return text
  const pieces = text.split(placeholder)
  const length = text.length + (pieces.length - 1) * argument.length
  return length > unwrapLimits.filledMax ? unknownPart : pieces.join(argument)
}
