import { shellLimits } from '../../../model/limits.ts'
import { type Context, note } from '../state/context.ts'

/**
 * Returns the possible expansions of consecutive words or parts, from those of each: every combination, up to
 * `shellLimits.combinationsMax`.
 */
export function everyCombination<T>(
  context: Context,
  all: readonly (readonly (readonly T[])[])[],
): readonly (readonly T[])[] {
  let combined: readonly Combination<T>[] = [{ before: undefined, parts: [] }]
  for (const more of all) {
    const [only] = more
    if (more.length === 1 && only !== undefined) {
      for (const { parts } of combined) for (const one of only) parts.push(one)
      continue
    }
    if (combined.length * more.length > shellLimits.combinationsMax)
      note(context, "a command's words have too many possible values to try them all")
    combined = combined
      .flatMap((before) => more.map((way): Combination<T> => ({ before, parts: [...way] })))
      .slice(0, shellLimits.combinationsMax)
  }
  return combined.map(partsOfAll)
}

/** A combination of ways, with the beginning that it shares with others. */
interface Combination<T> {
  readonly before: Combination<T> | undefined
  readonly parts: T[]
}

function partsOfAll<T>(last: Combination<T>): readonly T[] {
  if (last.before === undefined) return last.parts
  const all: (readonly T[])[] = []
  for (let at: Combination<T> | undefined = last; at !== undefined; at = at.before) all.push(at.parts)
  return all.toReversed().flat()
}
