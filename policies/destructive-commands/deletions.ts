import { readOptions, type PolicyEvent, type ShellCommand, type ShellFacts, type TouchedPath } from 'hookgate/policy'
import { type Around, type Place, placeOf } from './places.ts'

/** One path that a command deletes. */
export interface Deletion {
  readonly command: ShellCommand
  readonly path: TouchedPath
  readonly place: Place
  /** As a reason calls it. */
  readonly named: string
  /** Nothing is asked on the way: `rm -f`, and every program that never asks. */
  readonly forced: boolean
}

export const temporaryFolders = {
  type: 'strings',
  default: [],
  description: 'absolute folders whose content may be deleted, besides the usual `/tmp`, `/var/tmp` and `$TMPDIR`',
} as const

/** Programs whose deletions are another rule's affair, or are none: what is moved is still there. */
const others = new Set(['git', 'mv', 'shred', 'srm', 'wipe', 'rename', 'mmv'])

/** What an event's commands delete, each path by its place. */
export function deletionsIn(shell: ShellFacts, event: PolicyEvent, folders: readonly string[]): readonly Deletion[] {
  const around = aroundOf(event, folders)
  return shell.commands.flatMap((command) =>
    others.has(command.program)
      ? []
      : command.paths.flatMap((path) =>
          path.access === 'delete'
            ? [{ command, path, place: placeOf(path, around), named: nameOf(path), forced: isForced(command) }]
            : [],
        ),
  )
}

export function aroundOf({ session, workspaceRoots }: PolicyEvent, folders: readonly string[]): Around {
  const roots = workspaceRoots.length === 0 ? [session.cwd] : workspaceRoots
  return { roots, cwd: session.cwd, temporary: folders }
}

/** What stands for a part of a path that is not known. */
const unknownPart = '\uFDD0'
export const nameOf = ({ written, absolute }: TouchedPath) =>
  (written === '' ? (absolute ?? '') : written).replaceAll(unknownPart, '…')

const isForced = ({ program, args }: ShellCommand) =>
  program !== 'rm' || readOptions(args, { flags: ['force', 'recursive'], abbreviations: true }).has('f', 'force')
