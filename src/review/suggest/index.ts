import { isDeepStrictEqual } from 'node:util'
import { openEventFacts } from '../../facts/tool-call.ts'
import type { Refusals } from '../../files/state/refusals.ts'
import { HookgateError } from '../../model/errors.ts'
import type { HookEvent } from '../../model/event.ts'
import type { Environment } from '../../model/node-environment.ts'
import type { KeptException, RefusingRule } from '../../model/refusal.ts'
import { readDangers } from '../../policy/compile/definition/examples.ts'
import { type Dangers, openDangers } from './dangers.ts'
import {
  type CallWithFacts,
  choosePermissions,
  type RejectedSuggestion,
  type SuggestedPermission,
  withShippedRules,
} from './permissions.ts'
import { callsIn, type Question, questionsAbout, type RecordedCalls } from './questions.ts'
import { withoutUnset } from '../../model/refusal.ts'

export { callsIn, questionsAbout }

/** Settings that would have spared questions, those that spare most first. */
export interface Suggestions {
  readonly permissions: readonly SuggestedPermission[]
  readonly exceptions: readonly SuggestedException[]
  readonly rejected: readonly RejectedSuggestion[]
  readonly questions: {
    readonly byAgents: number
    readonly byRules: number
    /** Questions about calls that did not run after it. */
    readonly declined: number
    /** Questions about calls of which the record holds only a part. */
    readonly unusable: number
    /** Questions of rules to which no exception is known. */
    readonly unknown: number
    /** Questions of agents that were only counted: at the record's level `decisions`. */
    readonly countedOnly: number
  }
}

interface SuggestOptions {
  readonly refusals: Pick<Refusals, 'find'>
  readonly env: Environment
  readonly home: string
  /** Suggestions that spare fewer questions are left out. */
  readonly leastTimes: number
  /** The most permissions, and the most exceptions. */
  readonly max: number
}

/** @throws HookgateError `unavailable` if the examples of dangers are missing: nothing is suggested without them */
export async function suggestionsFrom(calls: RecordedCalls, options: SuggestOptions): Promise<Suggestions> {
  const examples = readDangers()
  if (examples === undefined) {
    const remedy = 'install hookgate again; in a checkout, run `npm run build`'
    throw new HookgateError('unavailable', 'the examples of dangers are missing', { remedy })
  }
  const eventFacts = openEventFacts(options.home)
  const factsOf = (event: HookEvent) => eventFacts(event, options.env)
  const dangers = openDangers(examples, factsOf)
  const { questions, others, declined, unusable, countedOnly = 0 } = calls
  const [asked, byRules] = [questions.filter(({ asker }) => asker === 'agent'), questions.filter(isOfRule)]
  const known = await Promise.all(asked.map(async (one) => ({ ...one, facts: await factsOf(one.event) })))
  const around = asked.length === 0 ? [] : await Promise.all(others.map((event) => knownCall(event, factsOf)))
  const permissions = await withShippedRules(options, (objectionTo) =>
    choosePermissions(known, around, { ...dangers, objectionTo }, options),
  )
  const exceptions = await chooseExceptions(byRules, options.refusals, dangers, options)
  return {
    permissions: permissions.chosen,
    exceptions: exceptions.chosen,
    rejected: [...permissions.rejected, ...exceptions.rejected],
    questions: {
      byAgents: sumOf(asked),
      byRules: sumOf(byRules),
      declined,
      unusable,
      unknown: exceptions.unknown,
      countedOnly,
    },
  }
}

const isOfRule = ({ asker }: { readonly asker: string }) => asker === 'hookgate'
const sumOf = (questions: readonly { readonly times: number }[]) => questions.reduce((sum, { times }) => sum + times, 0)

async function knownCall(event: HookEvent, factsOf: (one: HookEvent) => Promise<CallWithFacts['facts']>) {
  return { event, facts: await factsOf(event) }
}

/** An exception that would have spared questions of hookgate's own rules. */
interface SuggestedException {
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
    const danger = await dangers.exceptedBy(withoutUnset(one.exception))
    if (danger === undefined) chosen.push(one)
    else rejected.set(exceptionText(one.exception), danger)
  }
  const left: readonly RejectedSuggestion[] = [...rejected].map(([text, danger]) => ({ text, danger }))
  return { chosen: chosen.slice(0, max), rejected: left, unknown }
}

/** A rule of this severity keeps asking, however often a person has agreed. */
const isGrave = ({ severity }: RefusingRule) => severity === 'high' || severity === 'critical'

const exceptionText = ({ rule, command, path }: KeptException): string => `${rule}: ${command ?? path ?? ''}`
