import type { ShellCommand, ShellSurroundings, TouchedPath } from '../model/shell.ts'
import type { ToolFacts } from '../model/tool-facts.ts'
import { realPaths } from './paths/real-paths.ts'
import type { StuckRoots } from './stuck-roots.ts'

/** The facts, with the real places of their paths. Paths on another machine, or in a container, are nowhere here. */
export async function withRealPaths(
  facts: ToolFacts,
  around: ShellSurroundings,
  stuck: StuckRoots,
): Promise<ToolFacts> {
  const elsewhere = new Set(facts.shell.commands.flatMap((one) => (one.elsewhere === true ? one.paths : [])))
  const here = facts.paths.filter((path) => !elsewhere.has(path))
  if (here.length === 0) return facts
  const found = await realPaths(here, around, stuck)
  const real = new Map<TouchedPath, TouchedPath>()
  for (const [at, path] of here.entries()) real.set(path, found[at] ?? path)
  const realOf = (path: TouchedPath): TouchedPath => real.get(path) ?? path
  const withReal = (one: ShellCommand): ShellCommand =>
    one.paths.length === 0 ? one : { ...one, paths: one.paths.map(realOf) }
  return { shell: { ...facts.shell, commands: facts.shell.commands.map(withReal) }, paths: facts.paths.map(realOf) }
}
