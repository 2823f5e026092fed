import { archives } from './archives.ts'
import { builds } from './builds.ts'
import { builtins } from './builtins.ts'
import { clouds } from './clouds.ts'
import { containers } from './containers.ts'
import { coreutils } from './coreutils.ts'
import { databases } from './databases.ts'
import { disks } from './disks.ts'
import { editors } from './editors.ts'
import { environments } from './environments.ts'
import { finders } from './find.ts'
import { git } from './git.ts'
import { httpClients } from './http.ts'
import { interpreters } from './interpreters.ts'
import { launchers } from './launchers.ts'
import { namespaces } from './namespaces.ts'
import { bytes } from './network.ts'
import { otherLanguages } from './other-languages.ts'
import { packages } from './packages.ts'
import { parallel } from './parallel.ts'
import { windowsShells } from './powershell.ts'
import { privileges } from './privileges.ts'
import { readers } from './readers.ts'
import { remoteCopies } from './remote.ts'
import { search } from './search.ts'
import { servers } from './servers.ts'
import { shells } from './shells.ts'
import { streamEditors } from './stream-editors.ts'
import { system } from './system.ts'
import { tar } from './tar.ts'
import { terminals } from './terminals.ts'
import { vcs } from './vcs.ts'
import { versionManagers } from './version-managers.ts'
import { xargs } from './xargs.ts'
import { prepareRow, type PreparedRow, type Row, type Rows } from './row.ts'
import type { Unwrap } from './starts.ts'
import { unwrapOf } from './unwrap.ts'
import { names } from './words.ts'

/** All families of programs. To add a program, add a row to the family it belongs to. */
const families: readonly Rows[] = [
  archives,
  builds,
  builtins,
  clouds,
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
    const bare = preparedAt(name.replace(/[-.\d]+$/, ''))
    if (bare !== undefined) return bare
  }
  const dot = name.indexOf('.')
  return dot > 0 ? preparedAt(name.slice(0, dot + 1)) : undefined
}

/** Tells whether a program starts nothing but what its row says. */
export function isPlain(name: string): boolean {
  const row = programNamed(name)?.row
  return row !== undefined && plain.has(row)
}

/** Tells whether a program runs code or settings that it finds in its folder, as `make`, `npm test` and `eslint` do. */
export function isBuilder(name: string): boolean {
  const row = programNamed(name)?.row
  return row !== undefined && building.has(row)
}

/** Returns the function that finds what a program starts; `undefined` if it starts nothing. */
export const unwrapFor = (name: string): Unwrap | undefined => programNamed(name)?.unwrap
