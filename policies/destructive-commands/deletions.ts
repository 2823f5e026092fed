import {
  type PolicyEvent,
  setOf,
  type ShellCommand,
  type ShellFacts,
  type TouchedPath,
  unknownPart,
} from 'hookgate/policy'
import { containerOf, outOf } from './containers.ts'
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

/** Programs whose deletions another rule judges, or that only move files. */
const notJudgedHere = setOf(['git', 'mv', 'gmv', 'shred', 'srm', 'wipe', 'scrub', 'rename', 'prename', 'mmv'])
const finders = setOf(['find', 'gfind', 'bfs', 'fd', 'fdfind'])
export const isFinder = ({ program }: ShellCommand) => finders.has(program)

/** Returns all deletions of a tool call, with the place of each path. */
export function deletionsIn(shell: ShellFacts, event: PolicyEvent, folders: readonly string[]): readonly Deletion[] {
  const around = aroundOf(event, folders)
  // One search may give what it finds to hundreds of commands.
  const namesOf = new Map<ShellCommand, readonly string[]>()
  const soughtBy = (finder: ShellCommand) => {
    const sought = namesOf.get(finder) ?? namesSoughtBy(finder)
    namesOf.set(finder, sought)
    return sought
  }
  return shell.commands.flatMap((command, at) => {
    if (notJudgedHere.has(command.program) || !command.paths.some(({ access }) => access === 'delete')) return []
    const forced = isForced(command)
    const container = containerOf(command, shell)
    return command.paths.flatMap((touched): readonly Deletion[] => {
      const path = container === undefined ? touched : outOf(touched, container, around.roots)
      if (path?.access !== 'delete') return []
      const place = placeOf(path, around)
      const finder = finderOf(command, path, shell)
      const sought = finder === undefined ? undefined : soughtBy(finder)
      const onlyEmpty = finder !== undefined && findsOnlyEmpty(finder)
      const found =
        sought !== undefined && (path.unresolved === true || path.pattern !== undefined) && path.absolute !== undefined
      const recursive =
        path.recursive === true ||
        (found && sought.length === 0) ||
        (sought === undefined && isNamedWhole(path) && !isPassing(place))
      const certain = path.unresolved !== true || (found && (place !== 'workspace' || sought.length === 0))
      const named = nameOf(path)
      const every = isEvery(path) || isFoundByCode(command, path) || (isListedBelow(path, sought) && !isPassing(place))
      const handed = found && finder !== command && !isStartedBy(command, finder, shell)
      const workedIn = isWorkedIn(path, around)
      const how = { recursive, every, certain, named, forced, handed, onlyEmpty, workedIn }
      const narrowed = narrowedBy(finder)
      const isSearched = (found || narrowed !== undefined) && sought !== undefined
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

/** Returns the search that deletes a path itself, or that names it for the command. */
export function finderOf(command: ShellCommand, path: TouchedPath, shell: ShellFacts): ShellCommand | undefined {
  if (isFinder(command)) return command
  const namer = path.from?.find((at) => finders.has(shell.commands[at]?.program ?? ''))
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

/** Returns the tests of a search, which limit what it acts on: its words before the first action. */
export function testsOf({ args }: ShellCommand): readonly string[] {
  const action = args.findIndex(({ value }) => actions.test(value))
  return (action === -1 ? args : args.slice(0, action)).map(({ value }) => value)
}

const actions = /^-(?:exec|execdir|ok|okdir|delete|f?print[0f]?|f?ls|x|X|-exec(?:-batch)?)$/

/** True if everything that a search finds is an empty folder, or a link: what links lead to stays. */
function findsOnlyEmpty(finder: ShellCommand): boolean {
  if (!/^(?:g?find|bfs)$/.test(finder.program)) return false
  const words = testsOf(finder)
  if (words.some((word) => /^(?:-o|-or|,|\(|-L|-follow)$/.test(word))) return false
  const has = (test: string, value?: string) =>
    words.some(
      (word, at) =>
        word === test && (value === undefined || words[at + 1] === value) && !/^(?:!|-not)$/.test(words[at - 1] ?? ''),
    )
  return has('-type', 'l') || has('-xtype', 'l') || (has('-empty') && has('-type', 'd'))
}

/** Returns the names that a `find` is limited to; empty if it finds any name. */
export function namesSoughtBy(finder: ShellCommand): readonly string[] {
  const words = testsOf(finder)
  const names = words.flatMap((name, at) =>
    namedBy.test(words[at - 1] ?? '') && !/^(?:!|-not)$/.test(words[at - 2] ?? '') ? [{ name, at }] : [],
  )
  // After the last `-o` there may be no test of a name, or a negated group: `-name dist -prune -o -delete` finds everything else.
  const either = words.findLastIndex((word) => word === '-o' || word === '-or' || word === ',')
  const hasNegatedGroup = words.some((word, at) => word === '(' && /^(?:!|-not)$/.test(words[at - 1] ?? ''))
  return !hasNegatedGroup && names.some(({ at }) => at > either) ? names.map(({ name }) => name) : []
}

/** Returns the first test of a `find` that leaves most files out; `undefined` if all of them may be found. */
function narrowedBy(finder: ShellCommand | undefined): string | undefined {
  if (finder === undefined || !/^(?:g?find|bfs)$/.test(finder.program)) return undefined
  const words = testsOf(finder)
  if (words.some((word) => /^(?:-o|-or|,|\()$/.test(word))) return undefined
  const at = words.findIndex(
    (word, index) =>
      narrowingTests.test(word) &&
      !/^(?:!|-not)$/.test(words[index - 1] ?? '') &&
      !valuesOfAll.test(words[index + 1] ?? ''),
  )
  if (at === -1) return undefined
  return words[at] === '-empty' ? '-empty' : `${words[at] ?? ''} ${words[at + 1] ?? ''}`
}

const narrowingTests =
  /^-(?:i?path|i?wholename|i?regex|i?lname|inum|samefile|links|size|newer\w*|[acm]newer|user|group|[ug]id|perm|[acm]time|[acm]min|empty)$/
/** Values with which such a test leaves no file out. */
const valuesOfAll = /^(?:[+-]0+[ckMGbw]?|\.?\/?[.*?/]+)$/

const namedBy = /^-i?(?:name|path|regex|wholename)$|^-(?:e|-extension|g|-glob)$/

export function aroundOf({ session, workspaceRoots }: PolicyEvent, folders: readonly string[]): Around {
  const roots = workspaceRoots.length === 0 ? [session.cwd] : workspaceRoots
  return { roots, cwd: session.cwd, temporary: folders }
}

export function nameOf({ written, absolute = '' }: TouchedPath): string {
  if (written === '') return absolute.replaceAll(unknownPart, '…')
  // What a search found has no name of its own.
  return written === unknownPart && absolute !== '' ? `files below ${absolute}` : written.replaceAll(unknownPart, '…')
}

/** Returns whether a command deletes without asking. For `rm`, the last of `-f`, `-i` and `-I` counts. */
function isForced({ program, args }: ShellCommand): boolean {
  if (program !== 'rm') return true
  const words = args.map(({ value }) => value)
  const end = words.indexOf('--')
  const says = (end === -1 ? words : words.slice(0, end)).flatMap((word) =>
    word.startsWith('--')
      ? /^--(?:f|i)/.test(word)
        ? [word.charAt(2)]
        : []
      : word.startsWith('-')
        ? (word.match(/[fiI]/g) ?? [])
        : [],
  )
  return says.at(-1) === 'f'
}
