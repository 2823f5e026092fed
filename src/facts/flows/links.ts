import { shellLimits } from '../../model/limits.ts'
import type { TouchedPath } from '../../model/shell.ts'
import type { LeftOut } from '../bounds.ts'
import type { CommandEffects } from '../programs/effects.ts'

/**
 * Resolves paths through the links that the commands themselves would create: `ln -s ~/.ssh k; cat k/id_rsa` reads
 * `~/.ssh/id_rsa`. The target is set as the path's `real`, since these links are not on the disk yet.
 */
export function withLinks(effects: readonly CommandEffects[]): readonly CommandEffects[] {
  if (!effects.some(({ linked }) => linked !== undefined)) return effects
  const links = new Map<string, string>()
  return effects.map((effect) => {
    const moved = links.size === 0 ? effect : withRealPaths(effect, links)
    if (effect.linked !== undefined) addLinks(effect.linked, links)
    return moved
  })
}

function withRealPaths(effect: CommandEffects, links: ReadonlyMap<string, string>): CommandEffects {
  let leftOut: LeftOut | undefined
  const tooMany = () => (leftOut = 'it makes more links to links than are followed')
  const paths = effect.paths.map((path) => followedPath(path, links, tooMany))
  const appended = effect.appended?.flatMap((path) => paths[effect.paths.indexOf(path)] ?? [])
  return { ...effect, paths, ...(appended !== undefined && { appended }), ...(leftOut !== undefined && { leftOut }) }
}

function addLinks({ to, names }: NonNullable<CommandEffects['linked']>, links: Map<string, string>): void {
  if (to.absolute === undefined || to.unresolved === true) return
  const base = to.absolute.slice(to.absolute.lastIndexOf('/') + 1)
  for (const { absolute, unresolved } of names) {
    if (absolute === undefined || unresolved === true || absolute === to.absolute) continue
    links.set(absolute, to.absolute)
    // If the name is an existing folder, `ln` creates the link inside it.
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

/**
 * Replaces the longest prefix that is a link, repeatedly, since links may lead to links. Returns `undefined` after more
 * than `shellLimits.linksMax` replacements.
 */
function followed(path: string, links: ReadonlyMap<string, string>): string | undefined {
  let at = path
  for (let round = 0; round <= shellLimits.linksMax; round++) {
    const next = followOnce(at, links)
    if (next === undefined) return at
    at = next
  }
  return undefined
}

function followOnce(path: string, links: ReadonlyMap<string, string>): string | undefined {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    const to = links.get(path.slice(0, end))
    if (to !== undefined && !to.startsWith(path.slice(0, end))) return to + path.slice(end)
  }
  return undefined
}
