import { type ShellWord, unknownPart } from '../../model/shell.ts'
import type { Doing } from './doing.ts'
import type { Described } from './row.ts'

/** Files that are read and whose names come on stdin, one a line. */
export function listed({ stdin }: Described, doing: Doing): void {
  if (stdin === undefined) return
  if (stdin.unresolved === true) return doing.lists('read')
  for (const line of stdin.value.split(/[\n\0]/)) doing.touch({ value: line }, 'read', { recursive: true })
}

/** What an environment's options hold, one word at each space. */
export function splitWords(word: ShellWord): readonly ShellWord[] {
  return word.value.split(/\s+/).flatMap((value) => {
    if (value === '') return []
    return value.includes(unknownPart) ? [{ value, unresolved: true as const }] : [{ value }]
  })
}
