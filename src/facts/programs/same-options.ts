import { unversioned } from '../../model/text.ts'
import type { GivenOption } from '../../words/options.ts'
import { optionGroups } from './option-groups.ts'
import type { PreparedRow } from './row.ts'
import { names } from './words.ts'

/** The groups of names of one program: in general, and of its subcommands. */
interface ProgramGroups {
  readonly general: readonly string[]
  readonly own: ReadonlyMap<string, readonly string[]>
}

const textByProgram: ReadonlyMap<string, string> = new Map(
  Object.entries(optionGroups).flatMap(([keys, text]) => names(keys).map((name) => [name, text] as const)),
)
const groupsByProgram = new Map<string, ProgramGroups>()

/** Reads the groups of a program when they are first asked for. */
function groupsOf(program: string): ProgramGroups {
  const ready = groupsByProgram.get(program)
  if (ready !== undefined) return ready
  const general: string[] = []
  const own = new Map<string, readonly string[]>()
  const text = textByProgram.get(program) ?? textByProgram.get(unversioned(program)) ?? ''
  for (const part of text.split(';')) {
    const [, subcommands, list = ''] = /^(?:([^:,]*):)?(.*)$/s.exec(part) ?? []
    const groups = list.split(',').map((group) => names(group).join(' '))
    if (subcommands === undefined) general.push(...groups)
    else for (const one of subcommands.split('|')) own.set(names(one).join(' '), groups)
  }
  const found = { general, own }
  groupsByProgram.set(program, found)
  return found
}

/**
 * Finds which of a command's options have other names, as groups such as `m message`: by the table, and by the row,
 * where a letter stands before a longer name that begins with it.
 *
 * @param words the subcommand and what follows it, of which as many count as the table knows; none in front of one
 */
export function sameOptions(
  program: string,
  words: readonly string[],
  given: readonly Pick<GivenOption, 'name'>[],
  { twins }: PreparedRow,
): readonly string[] | undefined {
  if (given.length === 0) return undefined
  const { general, own } = groupsOf(program)
  const paths = words.map((_, at) => words.slice(0, words.length - at).join(' '))
  const listed = (words.length === 0 ? ['.'] : paths).flatMap((path) => own.get(path) ?? [])
  const isGiven = (name: string) => given.some((one) => one.name === name || one.name === `no-${name}`)
  const taken = new Set<string>()
  const found = [...listed, ...general, ...twins].filter((group) => {
    const all = group.split(' ')
    if (!all.some(isGiven) || all.some((name) => taken.has(name))) return false
    for (const name of all) taken.add(name)
    return true
  })
  return found.length === 0 ? undefined : found
}
