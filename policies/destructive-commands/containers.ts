import { isWithin, type ShellCommand, type ShellContainer, type TouchedPath } from 'hookgate/policy'

const home = /^\/(?:root|(?:home|Users)\/[^/]+)\/./

/**
 * Returns a path of a container as it is judged: one of this machine or of a volume as it is. Returns `undefined` for
 * what is of the container alone: its homes, and all that is gone with it.
 */
export function outOf(
  path: TouchedPath,
  { view }: ShellCommand,
  { passing, open }: ShellContainer,
  roots: readonly string[],
): TouchedPath | undefined {
  const { absolute, bound } = path
  if (bound === true) return path
  if (absolute === undefined) return inWorkingFolder(path, roots[0])
  const isShared = view?.binds.some(({ there }) => isWithin(absolute, there) || isWithin(there, absolute))
  return isShared !== true && ((passing === true && open !== true) || home.test(absolute)) ? undefined : path
}

/** A container works in a folder of its project, so what is named from there is judged as if it were the workspace. */
function inWorkingFolder(path: TouchedPath, root: string | undefined): TouchedPath {
  const inRoot = path.written.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, '')
  if (root === undefined || path.unresolved === true || /^[~/]|^$|^\.$|(?:^|\/)\.\.(?:\/|$)/.test(inRoot)) return path
  return { ...path, absolute: `${root}/${inRoot}`, root, inRoot }
}
