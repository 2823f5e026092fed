import type { ShellCommand, ShellSurroundings, TouchedPath } from '../model/shell.ts'
import type { ToolFacts } from '../model/tool-facts.ts'
import type { LeftOut } from './bounds.ts'
import { realPaths } from './paths/real-paths.ts'
import type { StuckRoots } from './stuck-roots.ts'

/**
 * Returns the facts with symbolic links in their paths resolved. Only `facts.paths` are resolved: paths on another
 * machine or in a container do not exist on this disk, and are not among them.
 */
export async function withRealPaths(
  facts: ToolFacts,
  around: ShellSurroundings,
  stuck: StuckRoots,
): Promise<ToolFacts> {
  const { paths } = facts
  if (paths.length === 0) return facts
  const { found, isCut } = await realPaths(paths, around, stuck)
  const real = new Map<TouchedPath, TouchedPath>()
  for (const [at, path] of paths.entries()) real.set(path, found[at] ?? path)
  const realOf = (path: TouchedPath): TouchedPath => real.get(path) ?? path
  const withReal = (one: ShellCommand): ShellCommand =>
    one.paths.length === 0 ? one : { ...one, paths: one.paths.map(realOf) }
  const { shell } = facts
  const uncertain = isCut && shell.commands.length > 0 ? [...shell.uncertain, morePaths] : shell.uncertain
  return { shell: { ...shell, commands: shell.commands.map(withReal), uncertain }, paths: found }
}

const morePaths: LeftOut = 'it touches more paths than are looked at'
