import { isDeepStrictEqual } from 'node:util'
import type { KeptException, RefusingRule } from '../../model/refusal.ts'
import type { Refusals } from '../../files/state/refusals.ts'
import type { Dangers } from './dangers.ts'
import type { RejectedSuggestion } from './permissions.ts'
import type { Question } from './questions.ts'

/** An exception that would have spared questions of hookgate's own rules. */
export interface SuggestedException {
  readonly exception: KeptException
  readonly spares: number
}

interface ExceptionChoice {
  readonly chosen: readonly SuggestedException[]
  readonly rejected: readonly RejectedSuggestion[]
  /** Questions of which `hookgate allow` knows no exception, or no longer. */
  readonly unknown: number
}

/** Chooses the exceptions that would have spared the most questions: those that `hookgate allow` would write. */
export async function chooseExceptions(
  questions: readonly Question[],
  refusals: Pick<Refusals, 'find'>,
  dangers: Dangers,
  { leastTimes, max }: { readonly leastTimes: number; readonly max: number },
): Promise<ExceptionChoice> {
  const counted: { exception: KeptException; spares: number }[] = []
  const rejected = new Map<string, string>()
  let unknown = 0
  for (const { refusals: ids, times } of questions) {
    const kept = ids.map((id) => refusals.find(id)).find((one) => one !== undefined)
    const exceptions = kept?.rules.flatMap((rule) => rule.exceptions ?? []) ?? []
    const isLiftable =
      kept?.rules.every((rule) => rule.obstacle === undefined && rule.exceptions !== undefined) ?? false
    if (!isLiftable || exceptions.length === 0) {
      unknown += times
      continue
    }
    const grave = kept?.rules.find(isGrave)
    if (grave !== undefined) {
      // An exception for the other rules would still not spare the question.
      for (const exception of exceptions) {
        rejected.set(exceptionText(exception), `what ${grave.name} prevents is ${grave.severity ?? ''}`)
      }
      continue
    }
    for (const exception of exceptions) {
      const known = counted.find((one) => isDeepStrictEqual(one.exception, exception))
      if (known === undefined) counted.push({ exception, spares: times })
      else known.spares += times
    }
  }
  const chosen: SuggestedException[] = []
  const often = counted.filter(({ spares }) => spares >= leastTimes).toSorted((a, b) => b.spares - a.spares)
  for (const one of often) {
    // oxlint-disable-next-line no-await-in-loop -- there are few
    const danger = await dangers.exceptedBy(plain(one.exception))
    if (danger === undefined) chosen.push(one)
    else rejected.set(exceptionText(one.exception), danger)
  }
  const left: readonly RejectedSuggestion[] = [...rejected].map(([text, danger]) => ({ text, danger }))
  return { chosen: chosen.slice(0, max), rejected: left, unknown }
}

/** A rule of this severity keeps asking, however often a person has agreed. */
const isGrave = ({ severity }: RefusingRule) => severity === 'high' || severity === 'critical'

/** Leaves out the keys that are not set. */
const plain = ({ rule, command, path, project }: KeptException) => ({
  rule,
  project,
  ...(command !== undefined && { command }),
  ...(path !== undefined && { path }),
})

const exceptionText = ({ rule, command, path }: KeptException): string => `${rule}: ${command ?? path ?? ''}`
