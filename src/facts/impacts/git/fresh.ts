import type { ShellFacts, TouchedPath } from '../../../model/shell.ts'
import { isWithin } from '../../../words/paths.ts'
import type { GitCall } from './git-calls.ts'

/**
 * True if all that a call changes lies in a temporary folder that a call before it on the same line has cloned, or added
 * as a worktree: nobody has worked there yet.
 */
export function isFresh(shell: ShellFacts, calls: readonly GitCall[], { command, at }: GitCall): boolean {
  const made = calls
    .filter((call) => call.at < at && (call.subcommand === 'clone' || isAdded(call)))
    .flatMap((call) => call.command.paths.filter(({ access }) => access === 'write'))
  const changed = command.paths.filter(({ access }) => access === 'write' || access === 'delete')
  return (
    made.length > 0 &&
    changed.length > 0 &&
    changed.every((path) => made.some((folder) => isTemporary(folder, shell) && isAtOrBelow(path, folder)))
  )
}

const isAdded = ({ subcommand, args }: GitCall) => subcommand === 'worktree' && args[0]?.value === 'add'

/** Of a folder that is not known, the name has to be one that `mktemp` made. */
const isTemporary = ({ absolute, unresolved, from = [] }: TouchedPath, { commands }: ShellFacts): boolean =>
  unresolved === true
    ? from.length > 0 && from.every((at) => /^g?mktemp$/.test(commands[at]?.program ?? ''))
    : /^(?:\/private)?(?:\/var)?\/tmp\/./.test(absolute ?? '')

function isAtOrBelow(path: TouchedPath, folder: TouchedPath): boolean {
  const [inner, outer] =
    folder.unresolved === true
      ? [path.written, folder.written]
      : [path.unresolved === true ? '' : path.absolute, folder.absolute]
  return (
    inner !== undefined &&
    outer !== undefined &&
    (inner === outer || (outer !== '/' && isWithin(inner, outer) && !inner.includes('/..')))
  )
}
