import { ask, deny, type Impact, impactReason, type PolicyAnswer } from 'hookgate/policy'

/** Returns the impacts that calls of git have. */
export const ofGit = (impacts: readonly Impact[]): readonly Impact[] => impacts.filter(({ area }) => area === 'git')

/** The answer to an impact: what nothing undoes is refused, all else asked about. */
export function answerTo(impact: Impact, effect?: 'deny' | 'ask'): PolicyAnswer {
  const rated = impact.undo === 'never' && impact.unsure !== true ? 'deny' : 'ask'
  return (effect ?? rated) === 'deny'
    ? deny(impactReason(impact), { at: impact.by })
    : ask(impactReason(impact), { at: impact.by })
}

/** Returns the first refusal, or else the first question. */
export const strictest = (answers: readonly PolicyAnswer[]): PolicyAnswer | undefined =>
  answers.find((one) => 'effect' in one && one.effect === 'deny') ?? answers[0]

/** Judges impacts of git as they are rated. */
export const judge = (impacts: readonly Impact[], isOf: (impact: Impact) => boolean): PolicyAnswer | undefined =>
  strictest(
    ofGit(impacts)
      .filter(isOf)
      .map((impact) => answerTo(impact)),
  )

/** `*` at the end of a pattern is any text. */
const isLike = (branch: string, pattern: string): boolean =>
  pattern.endsWith('*') ? branch.startsWith(pattern.slice(0, -1)) : branch === pattern

export const isAmong = (branch: string, patterns: readonly string[]): boolean =>
  patterns.some((one) => isLike(branch, one))
