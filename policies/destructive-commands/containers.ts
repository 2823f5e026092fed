import { isWithin, setOf, type ShellCommand, type ShellFacts, type ShellView, type TouchedPath } from 'hookgate/policy'

/** Programs that start a command in a container, whose home folders are its own. */
const engines = setOf(
  'docker podman nerdctl docker-compose podman-compose kubectl oc k kubecolor k3s microk8s crictl devcontainer'.split(
    ' ',
  ),
)
/** Programs by which a command leaves its container again, or gets another root folder. */
const leaving = setOf('nsenter chroot arch-chroot ssh flatpak-spawn distrobox-host-exec host-spawn'.split(' '))

/** A container that a command runs in. */
export interface Container {
  readonly binds: ShellView['binds']
  /** It is gone as soon as the command has ended. */
  readonly passing: boolean
}

/** Returns the container that a command runs in; `undefined` if in none, or out of it again. */
export function containerOf(command: ShellCommand, { commands }: ShellFacts): Container | undefined {
  if (command.elsewhere !== true) return undefined
  const ways = command.reach.flatMap((one) => (one.through === 'wrapper' ? [one.program] : []))
  const last = ways.findLastIndex((one) => engines.has(one))
  if (last === -1 || ways.slice(last).some((one) => leaving.has(one))) return undefined
  let starter = commands[command.startedBy ?? -1]
  while (starter !== undefined && !engines.has(starter.program)) starter = commands[starter.startedBy ?? -1]
  const words = starter?.args.map(({ value }) => value) ?? []
  return {
    binds: command.view?.binds ?? [],
    passing: words.includes('run') && words.includes('--rm') && !sharesMore(words),
  }
}

/** Options by which a container has folders or rights that are not among its own mounts. */
const sharesMore = (words: readonly string[]) =>
  words.some((word) => /^--(?:volumes-from|privileged|pid|device|mount)\b/.test(word))

const home = /^\/(?:root|(?:home|Users)\/[^/]+)\/./

/**
 * Returns a path of a container as it is judged: one of this machine or of a volume as it is. Returns `undefined` for
 * what is of the container alone: its homes, and all that is gone with it.
 */
export function outOf(
  path: TouchedPath,
  { binds, passing }: Container,
  roots: readonly string[],
): TouchedPath | undefined {
  const { absolute, bound } = path
  if (bound === true) return path
  if (absolute === undefined) return inWorkingFolder(path, roots[0])
  const isShared = binds.some(({ there }) => isWithin(absolute, there) || isWithin(there, absolute))
  return !isShared && (passing || home.test(absolute)) ? undefined : path
}

/** A container works in a folder of its project, so what is named from there is judged as if it were the workspace. */
function inWorkingFolder(path: TouchedPath, root: string | undefined): TouchedPath {
  const inRoot = path.written.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, '')
  if (root === undefined || path.unresolved === true || /^[~/]|^$|^\.$|(?:^|\/)\.\.(?:\/|$)/.test(inRoot)) return path
  return { ...path, absolute: `${root}/${inRoot}`, root, inRoot }
}
