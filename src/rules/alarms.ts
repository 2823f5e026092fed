import { limits } from '../model/limits.ts'
import { type Problem, problemText } from '../model/problem.ts'

/** Returns the warnings to show while the last valid rules stay in force because the current files do not load. */
export function alarmsFor(errors: readonly Problem[], readAtMs: number): readonly string[] {
  const inForce = `the rules as of ${new Date(readAtMs).toISOString().slice(0, 19)}Z stay in force`
  const named = errors.slice(0, limits.wrongFieldsNamedMax)
  const more = errors.length - named.length
  const lines = named.map((error) => `the rules do not load: ${problemText(error)}; ${inForce}`)
  return more === 0 ? lines : [...lines, `${more} more mistakes: see \`hookgate check\``]
}
