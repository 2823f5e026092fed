import { type Judge, type LookRule, matchesTable, namesIn, type Table } from '../programs/looks/look.ts'
import { entriesOf, optionsKnown } from '../programs/table.ts'

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
  const made = looks.map((look) => judgeBy(look, name))
  judges.set(name, made)
  return made
}

function judgeBy(look: LookRule, program: string): Judge {
  if (look === true) return () => true
  if (typeof look === 'function') return look
  const table = withOptionsOf(program, typeof look === 'string' ? { lines: look } : look)
  return (call) => matchesTable(call, table)
}

/** Adds the options with a value that the program's row knows, so that no look says them again. */
function withOptionsOf(program: string, table: Table): Table {
  const row = optionsKnown(program)
  if (row === undefined) return table
  const own = new Set(namesIn(`${table.options ?? ''} ${table.valued ?? ''}`))
  const more = row.valued.filter((name) => !own.has(name))
  return { ...table, valued: `${table.valued ?? ''} ${more.join(' ')}` }
}

/** True for a program of the system that only prints: it runs none of its words as a command and writes no file. */
export const isPlain = (program: string): boolean => entriesOf(program).some((entry) => entry.program.prints === true)
