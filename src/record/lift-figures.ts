import { liftingException } from '../model/exception.ts'

/** The number of times that an exception lifted the answer of a rule. */
export interface LiftFigures {
  /** `NAME`, or `NAME: REASON`. */
  readonly exception: string
  readonly ruleId: string
  readonly times: number
}

/** Counts what exceptions lifted, by the remarks that rules got at it. */
export function liftFigures(
  remarked: readonly { readonly ruleId: string; readonly remark: string }[],
): readonly LiftFigures[] {
  const lifted = new Map<string, LiftFigures>()
  for (const { ruleId, remark } of remarked) {
    const exception = liftingException(remark)
    if (exception === '') continue
    const key = JSON.stringify([exception, ruleId])
    lifted.set(key, { exception, ruleId, times: (lifted.get(key)?.times ?? 0) + 1 })
  }
  return [...lifted.values()]
}
