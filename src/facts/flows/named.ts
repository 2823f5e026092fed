import { shellLimits } from '../../model/limits.ts'
import { type ShellCommand, type ShellFlow, type TouchedPath, unknownPart } from '../../model/shell.ts'
import type { CommandEffects } from '../programs/effects.ts'

/**
 * Adds the files that one command names and another one opens: `find ~/.ssh | xargs cat` reads files in `~/.ssh`, and so
 * does `ls ~/.ssh/* | cpio -o`. As with `find -exec`, only the folder that holds such a file is known.
 */
export function withNamed(
  commands: readonly ShellCommand[],
  effects: readonly CommandEffects[],
  structural: readonly ShellFlow[],
): readonly CommandEffects[] {
  if (structural.length === 0) return effects
  const into = Map.groupBy(
    structural.filter(({ via }) => via === 'pipe'),
    ({ to }) => to,
  )
  return effects.map((effect, at) => {
    const opens = openedBy(commands, effects, at)
    if (opens === undefined) return effect
    const named = placesNamed(opens.names, effects, into)
    if (named === undefined) return { ...effect, leftOut: 'it touches more paths than are analyzed' }
    if (named.length === 0) return effect
    const added = named.flatMap((place) => opens.as.flatMap((path) => openedOf(place, path)))
    return { ...effect, paths: [...effect.paths.filter((path) => !opens.as.includes(path)), ...added] }
  })
}

interface Opened {
  /** Index of the command that receives the names on stdin. */
  readonly names: number
  /** How each named file is accessed. */
  readonly as: readonly TouchedPath[]
}

function openedBy(
  commands: readonly ShellCommand[],
  effects: readonly CommandEffects[],
  at: number,
): Opened | undefined {
  const command = commands[at]
  const effect = effects[at]
  if (effect === undefined || command === undefined) return undefined
  if (effect.listed !== undefined)
    return { names: at, as: [{ written: unknownPart, access: effect.listed, recursive: true }] }
  const { startedBy } = command
  const starter = startedBy === undefined ? undefined : commands[startedBy]
  if (startedBy === undefined || starter === undefined || !argumentPassers.has(starter.program)) return undefined
  const as = effect.paths.filter(({ written, absolute }) => absolute === undefined && written === unknownPart)
  return as.length === 0 ? undefined : { names: startedBy, as }
}
const argumentPassers: ReadonlySet<string> = new Set(['xargs', 'gxargs', 'parallel'])

/**
 * Returns the paths listed by the commands upstream in a pipe. Commands in between that list no files are taken as filters
 * of lines, and looked through. Returns `undefined` if there are more than `shellLimits.filtersMax`.
 */
function placesNamed(
  to: number,
  effects: readonly CommandEffects[],
  into: ReadonlyMap<number, readonly ShellFlow[]>,
): readonly TouchedPath[] | undefined {
  const places: TouchedPath[] = []
  const seen = new Set([to])
  const waiting = [to]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.size > shellLimits.filtersMax) return undefined
    for (const { from } of into.get(next) ?? []) {
      if (seen.has(from)) continue
      seen.add(from)
      const names = effects[from]?.paths.filter(({ access, metadata }) => access === 'read' && metadata === true) ?? []
      if (names.length === 0) waiting.push(from)
      else places.push(...names)
    }
  }
  return places
}

/** Returns the paths that may be opened: what a folder holds, and for reads the listed path itself, as in `ls FILE`. */
function openedOf(place: TouchedPath, path: TouchedPath): readonly TouchedPath[] {
  const held = heldBy(place, path)
  if (path.access !== 'read' || place.unresolved === true) return [held]
  const { metadata: _, ...itself } = place
  return [itself, held]
}

function heldBy(
  { absolute, real, root, inRoot, inHome }: TouchedPath,
  { written, access, recursive }: TouchedPath,
): TouchedPath {
  return {
    written,
    access,
    unresolved: true,
    ...(recursive === true && { recursive }),
    ...(absolute !== undefined && { absolute }),
    ...(real !== undefined && { real }),
    ...(root !== undefined && { root }),
    ...(inRoot !== undefined && { inRoot }),
    ...(inHome !== undefined && { inHome }),
  }
}
