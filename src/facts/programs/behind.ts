import type { ShellWord } from '../../model/shell.ts'

/** A word without its first characters: what stands behind `if=` or `@`. A home that no shell has expanded is meant. */
export function behind(word: ShellWord, at: number): ShellWord {
  const { pattern: _, ...rest } = word
  return { ...rest, value: word.value.slice(at) }
}
