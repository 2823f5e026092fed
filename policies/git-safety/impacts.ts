import { answerTo, type Impact, isLike, type PolicyAnswer, strictest } from 'hookgate/policy'

/** Returns the impacts that calls of git have. */
export const ofGit = (impacts: readonly Impact[]): readonly Impact[] => impacts.filter(({ area }) => area === 'git')

/** Judges impacts of git as they are rated. */
export const judge = (impacts: readonly Impact[], isOf: (impact: Impact) => boolean): PolicyAnswer | undefined =>
  strictest(
    ofGit(impacts)
      .filter(isOf)
      .map((impact) => answerTo(impact)),
  )

export const isAmong = (branch: string, patterns: readonly string[]): boolean =>
  patterns.some((one) => isLike(branch, one))
