import type { ToolKind, ToolUse } from '../../model/event.ts'
import { toolCarries } from '../../model/tool-kinds.ts'
import { limits } from '../../model/limits.ts'
import type { PathAccess, TouchedPath } from '../../model/shell.ts'
import type { ToolFacts } from '../../model/tool-facts.ts'
import {
  anyText,
  type ConditionGlob,
  folded,
  type GlobText,
  literal,
  meeting,
  pathGlob,
  type StepBudget,
} from '../../rules/match/glob.ts'
import type { Fit } from '../../rules/match/shell-condition.ts'
import { isWithin } from '../../words/paths.ts'

/** The folders that the paths of a permission list start from. */
export interface PathBases {
  readonly roots: readonly string[]
  readonly cwd: string
}

/** Returns the accesses that an entry is about, by the kinds of the tools that it names; none if not about files. */
export function accessesOf(kinds: readonly ToolKind[]): readonly PathAccess[] {
  const named = new Set(kinds.map((kind) => toolCarries[kind].access))
  const [reads, writes] = [named.has('read'), named.has('write')]
  return [...(reads ? (['read', 'execute'] as const) : []), ...(writes ? (['write', 'delete'] as const) : [])]
}

/** Returns the paths of a file tool's call that an entry is about. */
export function touchedBy(
  tool: ToolUse,
  accesses: readonly PathAccess[],
  { paths }: ToolFacts,
  cwd: string,
): readonly TouchedPath[] {
  switch (tool.kind) {
    case 'read':
    case 'write':
    case 'edit':
      return paths.filter(({ access }) => accesses.includes(access))
    case 'search':
      if (!accesses.includes('read')) return []
      // A search without a path covers all of the working directory.
      return paths.length > 0 ? paths : [{ written: cwd, access: 'read', recursive: true, absolute: cwd }]
    // Nothing says how a tool of these kinds uses the files that its input names.
    case 'mcp':
    case 'other':
      return paths
    // A list of names tells nothing of the files' content.
    case 'list':
    case 'shell':
    case 'fetch':
    case 'websearch':
    case 'browser':
    case 'agent':
      return []
  }
}

/** Returns how well a pattern of a `deny` or `ask` list fits a path, by its name or by where its links lead. */
export function pathFit(
  pattern: string,
  path: TouchedPath,
  bases: PathBases,
  kind: ToolKind,
  budget: StepBudget,
): Fit | undefined {
  const names = pathNames(path)
  if (names.length === 0 || names.some((name) => name.length > limits.conditionSubjectCharactersMax)) return 'possible'
  budget.left -= names.join('').length
  if (budget.left < 0) return 'possible'
  const starts = [...new Set([bases.cwd, ...bases.roots])]
  const globs = anchorPattern(pattern, starts, '/').map((one) => pathGlob(...one))
  const fits = (text: GlobText, beyond: boolean) => globs.some((glob) => meeting(glob, beyond, budget)(text))
  if (path.unresolved === true) return names.some((name) => fits(below(name), true)) ? 'possible' : undefined
  if (path.pattern !== undefined && isHiddenFrom(path.pattern, pattern)) return undefined
  if (path.pattern !== undefined && fits(marksOf(path.pattern), true)) return 'possible'
  const spelled = names.map(folded)
  if (path.pattern === undefined && spelled.some((name) => fits(name, false))) return 'certain'
  const reaches =
    path.recursive === true &&
    // The search tools of agents skip hidden files.
    !(kind === 'search' && isHidden(pattern)) &&
    names.some((name) => isReached(name, pattern, starts) && fits(below(name), true))
  return reaches || spelled.some((name) => path.pattern === undefined && fits(name, true)) ? 'possible' : undefined
}

/**
 * Returns whether every file that a path stands for is covered by a pattern of an `allow` list.
 *
 * INVARIANT: certain for the path as named and for where its links lead, case included. Patterns start from a workspace
 * root, since the working directory follows the agent's `cd`.
 */
export function isCovered(pattern: string, path: TouchedPath, { roots }: PathBases): boolean {
  const names = pathNames(path)
  if (path.unresolved === true || names.length === 0) return false
  const globs = roots.flatMap((root) =>
    anchorPattern(pattern, [root], root).map((one) => pathGlob(...one, (name) => name)),
  )
  return names.every(
    (name) => name.length <= limits.conditionSubjectCharactersMax && globs.some((glob) => meeting(glob, false)(name)),
  )
}

const pathNames = ({ absolute, real }: TouchedPath): readonly string[] =>
  [absolute, real].filter((name) => name !== undefined).map((name) => name.replaceAll('\\', '/'))

/**
 * Anchors a pattern: `//etc/**` is absolute, `/src/**`, `./src/**` and `src/**` start from each of some folders, and a
 * name without a slash fits at any depth.
 *
 * @param anyDepth the folder below which a pattern for any depth fits
 */
function anchorPattern(
  pattern: string,
  starts: readonly string[],
  anyDepth: string,
): readonly (readonly [base: string, pattern: string])[] {
  if (pattern.startsWith('//')) return [['/', pattern.slice(2)]]
  if (pattern.startsWith('**/')) return [[anyDepth, pattern]]
  if (!/\/[^]/.test(pattern)) return [[anyDepth, `**/${pattern}`]]
  return starts.map((start) => [start.replaceAll('\\', '/'), pattern.replace(/^\.?\//, '')])
}

const below = (name: string): ConditionGlob => [...literal(folded(name.replace(/\/$/, ''))), 0x2f, anyText]

/** Returns the marks of a shell's glob pattern: any text for each of its wildcards. */
function marksOf(pattern: string): ConditionGlob {
  const parts = [...folded(pattern).matchAll(/\\([^])|\[[^\]/]*(?:\]|(?=\/)|$)|[*?]+|[^\\[*?]+|[^]/g)]
  return parts.flatMap(([whole, escaped]) =>
    escaped === undefined && /^(?:[*?]|\[[^])/.test(whole) ? anyText : literal(escaped ?? whole),
  )
}

/** Returns whether a recursive access of a folder reaches a pattern: one for any depth only if the project is in it. */
function isReached(name: string, pattern: string, starts: readonly string[]): boolean {
  if (pattern.includes('/') && !pattern.startsWith('**/')) return true
  const folder = name.replace(/\/$/, '')
  return starts.some((start) => isWithin(start, folder))
}

/** Returns whether a pattern is about a file whose name begins with a dot. */
const isHidden = (pattern: string) => /(?:^|\/)\.[^/.*]/.test(pattern.replace(/^\.\//, ''))

/** A shell's wildcard at the start of a name matches no hidden file. */
const isHiddenFrom = (glob: string, pattern: string) =>
  isHidden(pattern.slice(pattern.lastIndexOf('/') + 1)) && /(?:^|\/)[*?[][^/]*$/.test(glob)
