import { type RequestForm, shellTraits } from '../../model/shell-traits.ts'
import { type ShellCommand } from '../../model/shell.ts'
import { unversioned } from '../../model/text.ts'
import { type NamedFamily, namedFamilies } from './family-names.ts'
import { namesBehindG } from './behind-g.ts'
import {
  type Family,
  type KnownProgram,
  type ProcessWords,
  type ProgramTrait,
  programTraits,
  type SqlWords,
  type StoreLanguage,
  type TextForm,
} from './program.ts'
import { optionNames, prepareRow, type PreparedRow, type Row } from './row.ts'
import type { Unwrap } from './starts.ts'
import { unwrapOf } from './unwrap.ts'
import { names } from './words.ts'

/** A program under one of its names. */
export interface RegistryEntry {
  readonly name: string
  readonly program: KnownProgram
  readonly family: Family
}

/** The families of all programs by name. */
const familiesByName: ReadonlyMap<string, ReadonlySet<NamedFamily>> = namedFamilies.reduce((all, family) => {
  for (const name of family.names) all.set(name, (all.get(name) ?? new Set()).add(family))
  return all
}, new Map<string, Set<NamedFamily>>())

const entriesByFamily = new Map<NamedFamily, ReadonlyMap<string, readonly RegistryEntry[]>>()

/** Returns the entries of a family's programs by name. */
function entriesIn(named: NamedFamily): ReadonlyMap<string, readonly RegistryEntry[]> {
  const ready = entriesByFamily.get(named)
  if (ready !== undefined) return ready
  const family = named.load()
  const entries = Object.entries(family.programs).flatMap(([keys, program]) =>
    names(keys).map((name): RegistryEntry => ({ name, program, family })),
  )
  const found = Map.groupBy(entries, ({ name }) => name)
  entriesByFamily.set(named, found)
  return found
}

const entriesByName = new Map<string, readonly RegistryEntry[]>()

function entriesNamed(name: string): readonly RegistryEntry[] | undefined {
  const ready = entriesByName.get(name)
  if (ready !== undefined) return ready
  const families = familiesByName.get(name)
  const own = name.startsWith('g') ? name.slice(1) : ''
  const found =
    families === undefined
      ? namesBehindG.has(own) && entriesNamed(own)?.map(({ program, family }) => ({ name, program, family }))
      : [...families].flatMap((family) => entriesIn(family).get(name) ?? [])
  if (found === undefined || found === false) return undefined
  entriesByName.set(name, found)
  return found
}

const noEntries: readonly RegistryEntry[] = []

/** Returns what is known of a program. A key that ends in a dot stands for every name that begins so: `mkfs.ext4`. */
export function entriesOf(name: string): readonly RegistryEntry[] {
  const dot = name.indexOf('.')
  // A name that begins with a dot is that of a file, and not of the builtin `.`.
  return entriesNamed(name) ?? (dot > 0 ? entriesNamed(name.slice(0, dot + 1)) : undefined) ?? noEntries
}

/**
 * As `entriesOf`; a name that has no entry is looked for without the version behind it: `dnf5`, `helm3`, `kubectl1.28`. This
 * is for dangers only, since nobody is spared a question by what a name may mean.
 */
export function entriesOfVersion(name: string): readonly RegistryEntry[] {
  const entries = entriesOf(name)
  if (entries.length > 0) return entries
  const bare = unversioned(name)
  return bare === name ? entries : entriesOf(bare)
}

const allNames = (): readonly string[] => [...familiesByName.keys(), ...[...namesBehindG].map((own) => `g${own}`)]

const besidesRow: ReadonlySet<string> = new Set([
  'does',
  'looks',
  'abbreviates',
  'locates',
  'request',
  'sql',
  'store',
  'text',
  'printsVariables',
  'chooses',
  'listsProcesses',
  ...programTraits,
] satisfies (keyof KnownProgram)[])

const hasRow = ({ program }: RegistryEntry): boolean => Object.keys(program).some((key) => !besidesRow.has(key))

/** Tells whether an entry, or its family for all that are in it, says something of a program. */
const says = ({ program, family }: RegistryEntry, trait: ProgramTrait): boolean =>
  (program[trait] ?? family.rows?.[trait]) === true

const traitsByEntries = new WeakMap<readonly RegistryEntry[], ReadonlySet<ProgramTrait>>()

/** Tells whether the entry of a program says something of it. Of each command this is asked dozens of times. */
export function hasTrait(name: string, trait: ProgramTrait): boolean {
  const entries = entriesOf(name)
  if (entries.length === 0) return false
  const ready = traitsByEntries.get(entries)
  if (ready !== undefined) return ready.has(trait)
  const said = new Set(programTraits.filter((one) => entries.some((entry) => says(entry, one))))
  traitsByEntries.set(entries, said)
  return said.has(trait)
}

/** What rules may ask of a program, whatever its words are. */
type KnownOfAll = Pick<ShellCommand, 'traits' | 'request'>

const knownOfAll = new Map<RegistryEntry, KnownOfAll>()

/**
 * Returns what an entry says of a program that holds whatever its words are. An interpreter may have its version behind
 * its name: `python3.12`.
 */
export function traitsOf(name: string): KnownOfAll | undefined {
  const [entry] = entriesOf(name)
  if (entry === undefined) {
    const bare = unversioned(name)
    return bare === name || codeOnStdin(name) === undefined ? undefined : traitsOf(bare)
  }
  const ready = knownOfAll.get(entry)
  if (ready !== undefined) return ready
  const { request } = entry.program
  const traits = shellTraits.filter((trait) => says(entry, trait))
  const found = { ...(traits.length > 0 && { traits }), ...(request !== undefined && { request }) }
  knownOfAll.set(entry, found)
  return found
}

/** Returns the names of all programs whose words ask for something over HTTP in one way, for patterns over code. */
export function namesOfRequest(form: RequestForm): readonly string[] {
  const ready = requestNames.get(form)
  if (ready !== undefined) return ready
  const found = allNames().filter((name) => entriesOf(name).some(({ program }) => program.request === form))
  requestNames.set(form, found)
  return found
}
const requestNames = new Map<RequestForm, readonly string[]>()

/** Tells whether a program only succeeds or fails, and prints nothing: `true`, `:`, `false`. */
export const doesNothing = (name: string): boolean =>
  (hasTrait(name, 'succeeds') || hasTrait(name, 'fails')) && textFormOf(name) === undefined

/** Matches a word that installs packages among the alternatives of a pattern of deeds. */
const installs = /(?:^|[ |])(?:install|add|i|get|ci|sync)(?:$|[ |])/

/** Returns the names of all programs that install packages by a word, for patterns over code: `npm install`. Loads all. */
export const packageManagers = (): readonly string[] =>
  allNames().flatMap((name) =>
    entriesOf(name)
      .flatMap(({ program: { does = [] } }) => does)
      .flatMap((deeds) => [deeds].concat(deeds.also ?? []))
      .some(
        ({ kind, work = [], easily = [] }) =>
          (kind === 'install' || kind === 'run') && [...work, ...easily].some((one) => installs.test(one)),
      )
      ? [name]
      : [],
  )

/** Returns where a client of a database has SQL among its words; `undefined` for all other programs. */
export const sqlWordsOf = (name: string): SqlWords | undefined =>
  entriesOfVersion(name).find(({ program }) => program.sql !== undefined)?.program.sql

/** Returns how a program's words say which processes it ends, hinders or finds. */
export const processesOf = (name: string): ProcessWords | undefined =>
  entriesOf(name).find(({ program }) => program.chooses !== undefined)?.program.chooses

/** Tells whether a program lists all processes, or all of a user, by its words. */
export const listsAllProcesses = (name: string, words: string): boolean =>
  entriesOf(name).some(({ program }) => program.listsProcesses?.(words) === true)

/** Tells whether a program lists processes, whichever. */
export const listsProcesses = (name: string): boolean =>
  entriesOf(name).some(({ program }) => program.listsProcesses !== undefined)

/** Returns how the text that a program prints follows from its words. */
export const textFormOf = (name: string): TextForm | undefined =>
  entriesOf(name).find(({ program }) => program.text !== undefined)?.program.text

/** Tells whether a command's program says that the command prints all variables. */
export const printsVariables = (command: ShellCommand): boolean =>
  entriesOf(command.program).some(({ program }) => program.printsVariables?.(command) === true)

/** Returns the language in which a client speaks to a store that knows no SQL. */
export const storeLanguageOf = (name: string): StoreLanguage | undefined =>
  entriesOfVersion(name).find(({ program }) => program.store !== undefined)?.program.store

/** Returns the program of which a manager of versions prints the path, by its words: `pyenv which python`. */
export function locatedBy(name: string, words: string): string | undefined {
  const locates = entriesOf(name).find(({ program }) => program.locates !== undefined)?.program.locates
  return locates === 'which' ? /^which (?:-\S+ )*([\w.+-]+)$/.exec(words)?.[1] : locates?.(words)
}

const rowIn = ({ program, family }: RegistryEntry): Row =>
  family.rows === undefined ? program : { ...family.rows, ...program }

/** Returns the rows of all programs that have one. Only tests go through them, so no start makes them. */
export const programRows = (): readonly (readonly [name: string, row: Row])[] =>
  allNames().flatMap((name) => {
    const entry = entriesOf(name).find(hasRow)
    return entry === undefined ? [] : [[name, rowIn(entry)] as const]
  })

const prepared = new Map<KnownProgram, PreparedRow>()
/** The same by the names that they were asked for: a command asks for its own some dozens of times. */
const preparedByName = new Map<string, PreparedRow>()

/** Prepares a row when it is first used: all of them take a fifth of the time of a start without a gate. */
function preparedAt(name: string): PreparedRow | undefined {
  const ready = preparedByName.get(name)
  if (ready !== undefined) return ready
  const entry = entriesNamed(name)?.find(hasRow)
  if (entry === undefined) return undefined
  const program = prepared.get(entry.program) ?? prepareRow(rowIn(entry), unwrapOf)
  prepared.set(entry.program, program)
  preparedByName.set(name, program)
  return program
}

/** Finds a program's row by its name, without a version or type suffix: `python3.12`, `mkfs.ext4`. */
export function programNamed(name: string): PreparedRow | undefined {
  const program = preparedAt(name)
  if (program !== undefined || name === '') return program
  const bare = unversioned(name)
  const found = bare === name ? undefined : preparedAt(bare)
  if (found !== undefined) return found
  const dot = name.indexOf('.')
  return dot > 0 ? preparedAt(name.slice(0, dot + 1)) : undefined
}

const rowNamed = (name: string): Row | undefined => programNamed(name)?.row

/** Returns the options of a program's row, of those before a subcommand where it has subcommands; `undefined` without a row. */
export function optionsKnown(name: string): ReturnType<typeof optionNames> | undefined {
  const row = rowNamed(name)
  return row?.options === undefined ? undefined : optionNames(row)
}

/** Tells whether a program starts nothing but what its row says. */
export const isPlain = (name: string): boolean => rowNamed(name)?.saysWhatStarts === true

/** Tells whether a program starts nothing and changes no variable, whatever its words are. */
export const startsNothing = (name: string): boolean => rowNamed(name)?.startsNothing === true

/** Tells whether a program runs code or settings that it finds in its folder. */
export const isBuilder = (name: string): boolean => rowNamed(name)?.obeysFolder === true

/** Tells which kind of code a shell or an interpreter takes on stdin. */
export function codeOnStdin(name: string): 'shell' | 'language' | undefined {
  const code = rowNamed(name)?.codeOnStdin
  return code === 'settings' ? undefined : code
}

/** Tells whether a program that obeys settings or code in its folder may also take them on stdin, as `make -f -` does. */
export function isGivenCode(name: string): boolean {
  const code = rowNamed(name)?.codeOnStdin
  return code === 'settings' || code === 'language'
}

/** Returns the function that finds what a program starts; `undefined` if it starts nothing. */
export const unwrapFor = (name: string): Unwrap | undefined => programNamed(name)?.unwrap
