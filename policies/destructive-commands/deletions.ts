import {
  placedName,
  type PolicyEvent,
  quoted,
  type ShellCommand,
  type ShellFacts,
  type ShellSearch,
  type TouchedPath,
  unknownPart,
} from 'hookgate/policy'
import { outOf } from './containers.ts'
import { isEverything } from './globs.ts'
import { type Around, isWorkedIn, type Place, placeOf } from './places.ts'

/** One path that a command deletes. */
export interface Deletion {
  readonly command: ShellCommand
  /** The command's index. */
  readonly at: number
  readonly path: TouchedPath
  readonly place: Place
  /** True if the path is in the home, and the session works in the home itself, not in a project. */
  readonly workedIn: boolean
  /** True if everything below the path is deleted too, also because a `find` names it all. */
  readonly recursive: boolean
  /** True if every file of a folder is deleted, but not the folders in it: `rm ~/Documents/*`. */
  readonly every: boolean
  /** True if the path is exact: it does not end in an unknown part. */
  readonly certain: boolean
  /** True if another command passes on the names that a search found, and may have left some out. */
  readonly handed: boolean
  /** The names that a search over a folder looks for; `undefined` where none is searched. */
  readonly sought?: readonly string[]
  /** True if a search finds only empty folders or links. An empty file may be needed: `__init__.py`. */
  readonly onlyEmpty: boolean
  /** The test by which a search finds only some files, other than by their names: `-newer marker`. */
  readonly narrowed?: string
  /** The path, as a reason names it. */
  readonly named: string
  /** True if no question is asked first: by `rm -f`, and by every program that never asks. */
  readonly forced: boolean
}

export const temporaryFolders = {
  type: 'strings',
  default: [],
  description:
    'absolute folders whose content may be deleted, in addition to the usual `/tmp`, `/var/tmp` and `$TMPDIR`',
} as const

/** True for a deletion that no other rule judges: those on moves, on wiping, and on git. */
const isJudgedHere = ({ access, change }: TouchedPath) =>
  access === 'delete' && change !== 'moved' && change !== 'wiped' && change !== 'versioned'

/** Returns all deletions of a tool call, with the place of each path. */
export function deletionsIn(shell: ShellFacts, event: PolicyEvent, folders: readonly string[]): readonly Deletion[] {
  const around = aroundOf(event, folders)
  return shell.commands.flatMap((command, at) => {
    if (!command.paths.some(isJudgedHere)) return []
    const { container } = command
    return command.paths.flatMap((touched): readonly Deletion[] => {
      const path = container === undefined ? touched : outOf(touched, command, container, around.roots)
      if (path === undefined || !isJudgedHere(path)) return []
      const place = placeOf(path, around)
      const finder = finderOf(command, path, shell)
      const { onlyEmpty = false, narrowed } = finder?.search ?? {}
      const sought = finder?.search === undefined ? undefined : namesLimiting(finder.search)
      const forced = path.change !== 'asked'
      const found =
        sought !== undefined && (path.unresolved === true || path.pattern !== undefined) && path.absolute !== undefined
      const recursive =
        path.recursive === true ||
        (found && sought.length === 0) ||
        (sought === undefined && isNamedWhole(path) && !isPassing(place))
      const certain = path.unresolved !== true || (found && (place !== 'workspace' || sought.length === 0))
      const isSearched = (found || narrowed !== undefined) && sought !== undefined
      const name = isMirrored(command, path)
        ? `what is only in ${nameOf(path)}`
        : found && sought.length > 0
          ? nameOfSought(sought, path)
          : nameOf(path)
      const named = placedName(name, path, command, shell)
      const every = isEvery(path) || isFoundByCode(command, path) || (isListedBelow(path, sought) && !isPassing(place))
      const handed = found && finder !== command && !isStartedBy(command, finder, shell)
      const workedIn = isWorkedIn(path, around)
      const how = { recursive, every, certain, named, forced, handed, onlyEmpty, workedIn }
      const search = { ...(isSearched && { sought }), ...(narrowed !== undefined && { narrowed }) }
      return [{ command, at, path, place, ...how, ...search }]
    })
  })
}

/** True if code deletes whatever it finds in a folder: the folder is known, and the name is not. */
const isFoundByCode = ({ code }: ShellCommand, { unresolved, written, absolute }: TouchedPath) =>
  code !== undefined &&
  unresolved === true &&
  absolute !== undefined &&
  written.endsWith(`/${unknownPart}`) &&
  /glob\b|<[^>]*\*[^>]*>|\breaddir|\blist\.files\b|\blistdir|\bscandir|\biterdir|\bwalk|\bchildren\b|\bentries\b|\bfind(?:depth)?\s?\(/i.test(
    code.text ?? '',
  )

export const isEvery = ({ pattern }: TouchedPath) =>
  pattern !== undefined && isEverything(pattern.slice(pattern.lastIndexOf('/') + 1))

/** Returns the names one of which everything has that a search finds; none if it may find any name. */
export const namesLimiting = ({ names, andOthers }: ShellSearch): readonly string[] => (andOthers === true ? [] : names)

export const isFinder = (command: ShellCommand | undefined): boolean => command?.search?.finds === 'all'

/** Returns the search that deletes a path itself, or that names it for the command. */
export function finderOf(command: ShellCommand, path: TouchedPath, shell: ShellFacts): ShellCommand | undefined {
  if (isFinder(command)) return command
  const namer = path.from?.find((at) => isFinder(shell.commands[at]))
  return namer === undefined ? undefined : shell.commands[namer]
}

function isStartedBy({ startedBy }: ShellCommand, one: ShellCommand | undefined, shell: ShellFacts): boolean {
  const starter = startedBy === undefined ? undefined : shell.commands[startedBy]
  return starter !== undefined && (starter === one || isStartedBy(starter, one, shell))
}

/** True if a program names the path, and not only a part of it: it may be anything that the program lists. */
const isNamedWhole = ({ from, written }: TouchedPath) => from !== undefined && /^(?:\uFDD0|\$\w*)$/.test(written)

/** True if a program names what is touched of a folder: it may list every file there, one after the other. */
export const isListedBelow = ({ from, absolute, written }: TouchedPath, sought: readonly string[] = []) =>
  from !== undefined && absolute !== undefined && sought.length === 0 && /\/(?:\uFDD0|\$\w+|\$\{\w+\})$/.test(written)

/** True for places where single files come and go, so that a listing of them is judged like single files. */
const isPassing = (place: Place) => place === 'workspace' || place.startsWith('in-')

export function aroundOf({ session, workspaceRoots }: PolicyEvent, folders: readonly string[]): Around {
  const roots = workspaceRoots.length === 0 ? [session.cwd] : workspaceRoots
  return { roots, cwd: session.cwd, temporary: folders }
}

/** Returns the folder of what a search or a list found in it, as it is written. */
const folderOf = ({ written, absolute = '' }: TouchedPath) =>
  written === unknownPart ? absolute : written.endsWith(foundIn) ? written.slice(0, -foundIn.length) || '/' : written
const foundIn = `/${unknownPart}`

export function nameOf(path: TouchedPath): string {
  const { written, absolute = '', from } = path
  // What a search found has no name of its own.
  const isFound = written === unknownPart || (from !== undefined && written.endsWith(foundIn))
  return isFound && absolute !== '' ? `files below ${quoted(folderOf(path))}` : quoted(written || absolute)
}

/** True if a folder is made like another one: what that has not is deleted. */
const isMirrored = ({ paths }: ShellCommand, path: TouchedPath) =>
  paths.some(({ access, recursive, written }) => access === 'write' && recursive === true && written === path.written)

/** Names every file of a folder or a pattern, as `nameOf` calls that. */
export const everyFileIn = (name: string) => (name.startsWith('files ') ? `all ${name}` : `every file in ${name}`)

/** Names what a search found by the names that it looks for, two of them at most. */
function nameOfSought(sought: readonly string[], path: TouchedPath): string {
  const names = sought.slice(0, 2).map((one) => quoted(one))
  return `what is called ${names.join(' or ')} below ${quoted(folderOf(path))}`
}
