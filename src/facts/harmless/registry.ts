import { type Judge, type LookRule, matchesTable } from '../programs/looks/look.ts'
import { entriesOf } from '../programs/table.ts'

/** Returns a program's name without its version: `python` for `python3.12`. */
const plainName = (program: string): string =>
  /^python[\d.]*$/.test(program) ? 'python' : /^pip\d/.test(program) ? 'pip' : program

const judges = new Map<string, readonly Judge[]>()

/**
 * Returns functions that judge whether calls of a program only look; `undefined` for a program of which that is not known.
 * A call only looks if one of them says so.
 */
export function looksOf(program: string): readonly Judge[] | undefined {
  const name = plainName(program)
  const ready = judges.get(name)
  if (ready !== undefined) return ready
  const looks = entriesOf(name).flatMap((entry) => entry.program.looks ?? [])
  if (looks.length === 0) return undefined
  const made = looks.map(judgeBy)
  judges.set(name, made)
  return made
}

function judgeBy(look: LookRule): Judge {
  if (look === true) return () => true
  if (typeof look === 'function') return look
  const table = typeof look === 'string' ? { lines: look } : look
  return (call) => matchesTable(call, table)
}

/** True for a program of the system that only prints: it runs none of its words as a command and writes no file. */
export const isPlain = (program: string): boolean => entriesOf(program).some((entry) => entry.program.prints === true)
