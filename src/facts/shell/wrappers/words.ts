import { type ShellWord, unknownPart } from '../../../model/shell.ts'
import { unwrapLimits } from '../../../model/limits.ts'

/** A word that is known whole. */
export const known = (value: string): ShellWord => ({ value })

/** Words made one text, as ssh, su and watch make a script of theirs. */
export function joined(words: readonly ShellWord[], between = ' '): ShellWord {
  const value = words.map((word) => word.value).join(between)
  return words.some((word) => word.unresolved === true || word.several === true)
    ? { value, unresolved: true }
    : { value }
}

/** A word with another value, as little known as it was. What is said of its pattern no longer holds. */
export function changed(word: ShellWord, value: string): ShellWord {
  return {
    value,
    ...(word.unresolved === true && { unresolved: true }),
    ...(word.several === true && { several: true }),
  }
}

/** The part of a word behind its first characters. */
export const behind = (word: ShellWord, at: number): ShellWord => changed(word, word.value.slice(at))

/** `NAME=value` as an assignment, or nothing. */
function assignmentOf(word: ShellWord): { readonly name: string; readonly value: ShellWord } | undefined {
  const name = /^([A-Za-z_]\w*)\+?=/.exec(word.value)
  return name?.[1] === undefined ? undefined : { name: name[1], value: behind(word, name[0].length) }
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

/** A table's row of names, for lists that would else be taller than they are worth. */
export const names = (row: string): readonly string[] => row.trim().split(/\s+/)

/** A text with an argument in every place of `{}`, or not known where that were too long to be meant. */
export function filled(text: string, placeholder: string, argument: string): string {
  if (placeholder === '') return text
  const pieces = text.split(placeholder)
  const length = text.length + (pieces.length - 1) * argument.length
  return length > unwrapLimits.filledMax ? unknownPart : pieces.join(argument)
}
