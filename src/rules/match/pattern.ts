import { limits } from '../../model/limits.ts'
import { quoted } from '../../model/text.ts'
import { type Refusal, refused } from '../../model/problem.ts'
import { waysToMatch } from './pattern-cost.ts'

/** Compiles a regular expression, and refuses one that is malformed or could take too long to match. */
export function compiledPattern(text: string, flags = ''): RegExp | Refusal {
  let pattern: RegExp
  try {
    pattern = new RegExp(text, flags)
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^Invalid regular expression: /, '') : String(error)
    const remedy = /\(\?[a-z]+\)/.test(text) ? 'JavaScript has no inline flags: write `[Bb]ash`' : undefined
    return refused(`the matcher is not a regular expression: ${quoted(why)}`, remedy)
  }
  if (waysOf(text, limits.matcherSubjectCharactersMax) > limits.matcherWaysMax) {
    return refused(
      `the matcher ${quoted(text)} could take very long to match`,
      'use fewer repetitions, and do not nest them',
    )
  }
  return pattern
}

/** Ignores a trailing `.*`, since by then the pattern has already matched. */
export const waysOf = (text: string, length: number) => waysToMatch(text.replace(/(?:\.\*)+$/, ''), length)
