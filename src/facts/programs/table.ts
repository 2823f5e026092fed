import { archives } from './families/archives.ts'
import { builds } from './families/builds.ts'
import { builtins } from './families/builtins.ts'
import { checkers } from './families/checkers.ts'
import { clouds } from './families/clouds.ts'
import { cmdlets } from './families/cmdlets.ts'
import { containers } from './families/containers.ts'
import { coreutils } from './families/coreutils.ts'
import { databases } from './families/databases.ts'
import { disks } from './families/disks.ts'
import { editors } from './families/editors.ts'
import { environments } from './families/environments.ts'
import { finders } from './families/find.ts'
import { git } from './families/git.ts'
import { httpClients } from './families/http.ts'
import { interpreters } from './families/interpreters.ts'
import { launchers } from './families/launchers.ts'
import { namespaces } from './families/namespaces.ts'
import { bytes } from './families/network.ts'
import { otherLanguages } from './families/other-languages.ts'
import { packages } from './families/packages.ts'
import { parallel } from './families/parallel.ts'
import { windowsShells } from './families/powershell.ts'
import { privileges } from './families/privileges.ts'
import { readers } from './families/readers.ts'
import { remoteCopies } from './families/remote.ts'
import { search } from './families/search.ts'
import { servers } from './families/servers.ts'
import { shells } from './families/shells.ts'
import { streamEditors } from './families/stream-editors.ts'
import { system } from './families/system.ts'
import { tar } from './families/tar.ts'
import { terminals } from './families/terminals.ts'
import { vcs } from './families/vcs.ts'
import { versionManagers } from './families/version-managers.ts'
import { xargs } from './families/xargs.ts'
import { optionNames, prepareRow, type PreparedRow, type Row, type Rows } from './row.ts'
import type { Unwrap } from './starts.ts'
import { unwrapOf } from './unwrap.ts'
import { names } from './words.ts'
import { withoutEnd } from '../../model/text-ends.ts'

/** All families of programs. To add a program, add a row to the family it belongs to. */
const families: readonly Rows[] = [
  archives,
  builds,
  builtins,
  checkers,
  clouds,
  cmdlets,
  containers,
  coreutils,
  databases,
  disks,
  editors,
  environments,
  finders,
  git,
  httpClients,
  interpreters,
  launchers,
  namespaces,
  bytes,
  otherLanguages,
  packages,
  parallel,
  privileges,
  readers,
  remoteCopies,
  search,
  servers,
  shells,
  streamEditors,
  system,
  tar,
  terminals,
  vcs,
  versionManagers,
  windowsShells,
  xargs,
]

/** Families of programs that work on files, texts and the network, and start nothing but what their rows say. */
const plain = rowsOf([
  archives,
  builtins,
  bytes,
  checkers,
  cmdlets,
  coreutils,
  disks,
  editors,
  finders,
  git,
  httpClients,
  readers,
  search,
  streamEditors,
  tar,
])

/** Families of programs that run code or settings in the folder that they work on. */
const building = rowsOf([builds, editors, interpreters, otherLanguages, packages, versionManagers])

/** Families of programs that may run what they are given on stdin. An editor shows it, a linter or a formatter reads it. */
const given = rowsOf([builds, interpreters, otherLanguages, packages, versionManagers])

function rowsOf(some: readonly Rows[]): ReadonlySet<Row> {
  return new Set(some.flatMap((rows) => Object.values(rows)))
}

/** The rows of all families by the names of their programs. */
export const programRows: readonly (readonly [name: string, row: Row])[] = families.flatMap((rows) =>
  Object.entries(rows).flatMap(([keys, row]) => names(keys).map((name) => [name, row] as const)),
)

const rowsByName: ReadonlyMap<string, Row> = new Map(programRows)
const prepared = new Map<Row, PreparedRow>()

/** Prepares a row when it is first used: all of them take a fifth of the time of a start without a gate. */
function preparedAt(name: string): PreparedRow | undefined {
  const row = rowsByName.get(name)
  if (row === undefined) return undefined
  const program = prepared.get(row) ?? prepareRow(row, unwrapOf)
  prepared.set(row, program)
  return program
}

/** Finds a program's row by its name, without a version or type suffix: `python3.12`, `mkfs.ext4`. */
export function programNamed(name: string): PreparedRow | undefined {
  const program = preparedAt(name)
  if (program !== undefined || name === '') return program
  const last = name.charCodeAt(name.length - 1)
  if (last >= 0x30 && last <= 0x39) {
    const bare = preparedAt(withoutEnd(name, '-.0123456789'))
    if (bare !== undefined) return bare
  }
  const dot = name.indexOf('.')
  return dot > 0 ? preparedAt(name.slice(0, dot + 1)) : undefined
}

/** Returns the options of a program's row, of those before a subcommand where it has subcommands; `undefined` without a row. */
export function optionsKnown(name: string): ReturnType<typeof optionNames> | undefined {
  const row = programNamed(name)?.row
  return row?.options === undefined ? undefined : optionNames(row)
}

/** Tells whether a program starts nothing but what its row says. */
export function isPlain(name: string): boolean {
  const row = programNamed(name)?.row
  return row !== undefined && plain.has(row)
}

/** Tells whether a program starts nothing and changes no variable, whatever its words are. */
export const startsNothing = (name: string): boolean => programNamed(name)?.row.startsNothing === true

/** Tells whether a program runs code or settings that it finds in its folder, as `make`, `npm test` and `eslint` do. */
export function isBuilder(name: string): boolean {
  const row = programNamed(name)?.row
  return row !== undefined && building.has(row)
}

const ofShells = rowsOf([shells, windowsShells])
const ofLanguages = rowsOf([interpreters, otherLanguages])

/** Tells which kind of code a program takes on stdin, if it does. */
export function codeOnStdin(name: string): 'shell' | 'language' | undefined {
  const row = programNamed(name)?.row
  if (row === undefined) return undefined
  return ofShells.has(row) ? 'shell' : ofLanguages.has(row) ? 'language' : undefined
}

/** Tells whether a builder may run what it is given on stdin, as `make -f -` does. */
export function isGivenCode(name: string): boolean {
  const row = programNamed(name)?.row
  return row !== undefined && given.has(row)
}

/** Returns the function that finds what a program starts; `undefined` if it starts nothing. */
export const unwrapFor = (name: string): Unwrap | undefined => programNamed(name)?.unwrap
