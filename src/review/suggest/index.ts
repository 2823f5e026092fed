import { openEventFacts } from '../../facts/tool-call.ts'
import { HookgateError } from '../../model/errors.ts'
import type { HookEvent } from '../../model/event.ts'
import type { Environment } from '../../model/node-environment.ts'
import { readDangers } from '../../policy/compile/danger-examples.ts'
import type { Refusals } from '../../files/state/refusals.ts'
import { openDangers } from './dangers.ts'
import { chooseExceptions, type SuggestedException } from './exceptions.ts'
import {
  choosePermissions,
  type CallWithFacts,
  type RejectedSuggestion,
  type SuggestedPermission,
} from './permissions.ts'
import { callsIn, type RecordedCalls } from './questions.ts'
import { questionsAbout } from './sessions.ts'
import { withShippedRules } from './shipped-rules.ts'

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
