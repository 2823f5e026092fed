import { isWithin, placedName, quoted, type ShellFacts, type TouchedPath, unknownPart } from 'hookgate/policy'

/** A path that is changed, with the command that does it. */
export interface Change {
  readonly path: TouchedPath
  /** As a reason calls it. */
  readonly named: string
  /** The command's index; absent for other tools. */
  readonly at?: number
}

/** Returns the paths that a tool or shell command writes, deletes or changes the rights of. */
export function changesIn(shell: ShellFacts, paths: readonly TouchedPath[]): readonly Change[] {
  if (shell.commands.length === 0) return paths.filter(isChange).map((path) => ({ path, named: nameOf(path) }))
  return shell.commands.flatMap((command, at) =>
    command.paths.filter(isChange).map((path) => ({ path, named: placedName(nameOf(path), path, command, shell), at })),
  )
}

const isChange = ({ access }: TouchedPath) => access === 'write' || access === 'delete'

/**
 * True for a change of whatever there is in a folder: by a program that goes down into it and edits, or of all that a
 * search without a name finds there.
 */
export function editsBelow({ path, at = -1 }: Change, { commands }: ShellFacts): boolean {
  const { access, absolute, written, recursive, unresolved, metadata, from = [] } = path
  const isWhole = recursive === true || (unresolved === true && written.endsWith(unknownPart))
  if (access !== 'write' || metadata === true || !isWhole) return false
  if (from.some((one) => commands[one]?.search?.names.some((name) => !/^[.*]*$/.test(name)) === true)) return false
  const { args = [], paths = [] } = commands[at] ?? {}
  // A container that is given a folder does not edit it by that.
  if (args.some(({ value }) => value.startsWith(`${written}:`) || /(?:^|,)(?:source|src)=/.test(value))) return false
  return paths.some((one) => one.access === 'read' && one.written === written && one.absolute === absolute)
}

export const nameOf = ({ written, absolute = '' }: TouchedPath) => quoted(written === '' ? absolute : written)

export const verbOf = ({ path }: Change) =>
  path.access === 'delete'
    ? path.change === 'moved'
      ? 'move'
      : 'delete'
    : path.metadata === true
      ? 'change the rights of'
      : 'write'

/** Returns the path relative to a home directory, `undefined` outside of all of them. */
export function inSomeHome({ inHome, absolute = '' }: TouchedPath): string | undefined {
  return (
    inHome ??
    /^(?:\/(?:home|Users)\/[^/]+|\/(?:var\/)?root|[A-Za-z]:[\\/]Users[\\/][^\\/]+)[\\/](.+)$/
      .exec(absolute)?.[1]
      ?.replaceAll('\\', '/')
  )
}

/** Returns the home directory that a path is in; `undefined` if it is in none, or not by this name. */
export function homeOf({ absolute = '', inHome }: TouchedPath): string | undefined {
  if (inHome === undefined || (inHome !== '' && !absolute.endsWith(`/${inHome}`))) return undefined
  return inHome === '' ? absolute : absolute.slice(0, -inHome.length - 1) || '/'
}

/** True for a path of no project: outside of all workspaces, or in the home that the session is in. */
export const isPersonal = ({ root }: TouchedPath): boolean => root === undefined

/** Returns the end of a path that begins in a folder that is not known: `.bashrc` of `$DIR/.bashrc`. */
export function endInUnknown({ written, absolute, unresolved }: TouchedPath): string | undefined {
  if (unresolved !== true || absolute !== undefined) return undefined
  const slash = written.indexOf('/')
  const end = written.slice(slash + 1)
  return /^(?:\uFDD0|\$\w+)$/.test(written.slice(0, slash)) && !end.includes(unknownPart) ? end : undefined
}

/** True if a path is listed, or is below one that is. */
export const isUnder = (way: string, listed: readonly string[]) => listed.some((one) => isWithin(way, one))
