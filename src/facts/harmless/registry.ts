import { archives } from './families/archives.ts'
import { builtins } from './families/builtins.ts'
import { clouds } from './families/clouds.ts'
import { clusters } from './families/clusters.ts'
import { commands } from './families/commands.ts'
import { containers } from './families/containers.ts'
import { databases } from './families/databases.ts'
import { development } from './families/development.ts'
import { forges } from './families/forges.ts'
import { gitLooks, versionControl } from './families/git.ts'
import { infrastructure } from './families/infrastructure.ts'
import { macos } from './families/macos.ts'
import { network } from './families/network.ts'
import { packages } from './families/packages.ts'
import { search } from './families/search.ts'
import { starters } from './families/starters.ts'
import { texts } from './families/texts.ts'
import { type Judge, type Looks, matchesTable, type Table } from './look.ts'
import { names } from '../programs/words.ts'

/** All families of programs some of whose calls only look. */
export const lookFamilies: readonly Looks[] = [
  archives,
  builtins,
  clouds,
  clusters,
  commands,
  containers,
  databases,
  development,
  forges,
  gitLooks,
  infrastructure,
  macos,
  network,
  packages,
  search,
  starters,
  texts,
  versionControl,
]

/** By program, the entries of all families. A call only looks if one of them says so. */
const looks: ReadonlyMap<string, readonly (true | string | Table | Judge)[]> = byName()

function byName() {
  const all = new Map<string, (true | string | Table | Judge)[]>()
  for (const family of lookFamilies) {
    for (const [keys, look] of Object.entries(family)) {
      for (const name of names(keys)) {
        const before = all.get(name)
        if (before === undefined) all.set(name, [look])
        else before.push(look)
      }
    }
  }
  return all
}

/** Returns a program's name without its version: `python` for `python3.12`. */
const plainName = (program: string): string =>
  /^python[\d.]*$/.test(program) ? 'python' : /^pip\d/.test(program) ? 'pip' : program

const judges = new Map<string, readonly Judge[]>()

/** Returns functions that judge whether calls of a program only look; `undefined` for an unknown program. */
export function looksOf(program: string): readonly Judge[] | undefined {
  const name = plainName(program)
  const known = judges.get(name) ?? looks.get(name)?.map(judgeBy)
  if (known !== undefined) judges.set(name, known)
  return known
}

function judgeBy(look: true | string | Table | Judge): Judge {
  if (look === true) return () => true
  if (typeof look === 'function') return look
  const table = typeof look === 'string' ? { lines: look } : look
  return (call) => matchesTable(call, table)
}

const plain: ReadonlySet<string> = new Set(Object.keys(commands).flatMap(names))

/** True for a program of the system that only prints: it runs none of its words as a command and writes no file. */
export const isPlain = (program: string): boolean => plain.has(program)
