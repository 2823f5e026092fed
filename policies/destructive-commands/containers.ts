import { setOf, type ShellCommand, type ShellFacts, type TouchedPath } from 'hookgate/policy'

/** Programs that start a command in a container, whose home folders are its own. */
const engines = setOf(
  'docker podman nerdctl docker-compose podman-compose kubectl oc k kubecolor k3s microk8s crictl devcontainer'.split(
    ' ',
  ),
)
/** Programs by which a command leaves its container again, or gets another root folder. */
const leaving = setOf('nsenter chroot arch-chroot ssh flatpak-spawn distrobox-host-exec host-spawn'.split(' '))

interface Mount {
  /** A folder of this machine, or the name of a volume. */
  readonly source: string
  readonly target: string
}

/** A container that a command runs in. */
export interface Container {
  readonly mounts: readonly Mount[]
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
  return { mounts: mountsIn(words), passing: words.includes('run') && words.includes('--rm') && !sharesMore(words) }
}

/** Options by which a container has folders or rights that are not among its own mounts. */
const sharesMore = (words: readonly string[]) =>
  words.some((word) => /^--(?:volumes-from|privileged|pid|device|mount)\b/.test(word))

function mountsIn(words: readonly string[]): readonly Mount[] {
  return words.flatMap((word, at) => {
    const before = words[at - 1] ?? ''
    const given = /^(?:-v|--volume|--mount)$/.test(before)
      ? word
      : /^(?:--(?:volume|mount)=|-v(?=[^=]))(.+)$/.exec(word)?.[1]
    if (given === undefined) return []
    const named = (names: string) => new RegExp(`(?:^|,)(?:${names})=([^,]*)`).exec(given)?.[1]
    const [here = '', there = here] = given.split(':')
    const target = named('target|dst|destination') ?? there
    return [{ source: named('source|src') ?? here, target: target.replace(/(.)\/+$/, '$1') }]
  })
}

const isWithin = (path: string, folder: string) =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
const home = /^\/(?:root|(?:home|Users)\/[^/]+)\/./

/**
 * Returns the path of this machine that a path in a container stands for: below a mount that of its source, elsewhere
 * the path itself. Returns `undefined` for what is of the container alone: its homes, and all that is gone with it.
 */
export function outOf(
  path: TouchedPath,
  { mounts, passing }: Container,
  roots: readonly string[],
): TouchedPath | undefined {
  const { absolute } = path
  if (absolute === undefined) return inWorkingFolder(path, roots[0])
  const around = mounts.filter(({ target }) => isWithin(absolute, target))
  const mount = around.toSorted((one, other) => other.target.length - one.target.length)[0]
  if (mount === undefined) {
    const holdsMount = mounts.some(({ target }) => isWithin(target, absolute))
    return !holdsMount && (passing || home.test(absolute)) ? undefined : path
  }
  if (!mount.source.startsWith('/')) return path
  const moved = (one: string) => `${mount.source}${one.slice(mount.target.length)}`
  const here = moved(absolute)
  const root = roots.find((one) => isWithin(here, one))
  return {
    ...path,
    absolute: here,
    ...(path.pattern !== undefined && { pattern: moved(path.pattern) }),
    ...(root !== undefined && { root, inRoot: here.slice(root.length + 1) }),
  }
}

/** A container works in a folder of its project, so what is named from there is judged as if it were the workspace. */
function inWorkingFolder(path: TouchedPath, root: string | undefined): TouchedPath {
  const inRoot = path.written.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, '')
  if (root === undefined || path.unresolved === true || /^[~/]|^$|^\.$|(?:^|\/)\.\.(?:\/|$)/.test(inRoot)) return path
  return { ...path, absolute: `${root}/${inRoot}`, root, inRoot }
}
