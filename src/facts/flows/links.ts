import { shellLimits } from '../../model/limits.ts'
import type { TouchedPath } from '../../model/shell.ts'
import type { LeftOut } from '../bounds.ts'
import type { CommandEffects } from '../programs/effects.ts'

/**
 * What links that the commands themselves make lead to: `ln -s ~/.ssh k; cat k/id_rsa` reads `~/.ssh/id_rsa`. Such a
 * path has the place where it really is in `real`, before anybody has looked.
 */
export function withLinks(dids: readonly CommandEffects[]): readonly CommandEffects[] {
  if (!dids.some(({ linked }) => linked !== undefined)) return dids
  const links = new Map<string, string>()
  return dids.map((did) => {
    const moved = links.size === 0 ? did : withRealPaths(did, links)
    if (did.linked !== undefined) addLinks(did.linked, links)
    return moved
  })
}

function withRealPaths(did: CommandEffects, links: ReadonlyMap<string, string>): CommandEffects {
  let leftOut: LeftOut | undefined
  const tooMany = () => (leftOut = 'it makes more links to links than are followed')
  const paths = did.paths.map((path) => followedPath(path, links, tooMany))
  const appended = did.appended?.flatMap((path) => paths[did.paths.indexOf(path)] ?? [])
  return { ...did, paths, ...(appended !== undefined && { appended }), ...(leftOut !== undefined && { leftOut }) }
}

function addLinks({ to, names }: NonNullable<CommandEffects['linked']>, links: Map<string, string>): void {
  if (to.absolute === undefined || to.unresolved === true) return
  const base = to.absolute.slice(to.absolute.lastIndexOf('/') + 1)
  for (const { absolute, unresolved } of names) {
    if (absolute === undefined || unresolved === true || absolute === to.absolute) continue
    links.set(absolute, to.absolute)
    // Where the name is a folder, the link is made in it.
    if (base !== '') links.set(absolute === '/' ? `/${base}` : `${absolute}/${base}`, to.absolute)
  }
}

function followedPath(path: TouchedPath, links: ReadonlyMap<string, string>, tooMany: () => void): TouchedPath {
  const { absolute } = path
  if (absolute === undefined || path.access === 'delete') return path
  const real = followed(absolute, links)
  if (real === undefined) {
    tooMany()
    return { ...path, unresolved: true }
  }
  return real === absolute ? path : { ...path, real }
}

/** The longest beginning that is a link is replaced, some times over: links may lead to links. `undefined`: too many. */
function followed(path: string, links: ReadonlyMap<string, string>): string | undefined {
  let at = path
  for (let round = 0; round <= shellLimits.linksMax; round++) {
    const next = once(at, links)
    if (next === undefined) return at
    at = next
  }
  return undefined
}

function once(path: string, links: ReadonlyMap<string, string>): string | undefined {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    const to = links.get(path.slice(0, end))
    if (to !== undefined && !to.startsWith(path.slice(0, end))) return to + path.slice(end)
  }
  return undefined
}
