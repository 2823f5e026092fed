import type { ShellWord } from '../../model/shell.ts'
import type { Doing } from './doing.ts'
import type { Role } from './role.ts'
import type { Described } from './row.ts'

/** Files whose names come on stdin, one a line, where the text of that is known. */
export function listed({ stdin }: Described, doing: Doing, role: Role): void {
  if (stdin === undefined || stdin.unresolved === true) return
  const lines = stdin.value.split(/[\n\0]/, linesMax)
  for (const line of lines) doing.touch({ value: line }, role, { recursive: true })
}
/** A list that somebody has written into a command. */
const linesMax = 200

/** What an environment's options hold, one word at each space. */
export function splitWords(word: ShellWord): readonly ShellWord[] {
  return word.value.split(/\s+/).flatMap((value) => {
    if (value === '') return []
    return value.includes('\uFDD0') ? [{ value, unresolved: true as const }] : [{ value }]
  })
}
