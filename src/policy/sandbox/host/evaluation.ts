import { z } from 'zod'
import { sizeOfInput } from '../encoded-input.ts'
import { Failure } from '../../../model/failure.ts'
import { JsonObject } from '../../../model/json.ts'
import { limits } from '../../../model/limits.ts'
import type { PolicyCalls } from '../../../model/policy-interest.ts'
import {
  type Described,
  type EncodedInput,
  PolicyAnswer,
  type PolicyCall,
  type PolicyRequest,
  type PolicyResult,
} from '../../../model/policy.ts'
import { buildSilenceMsMax, type Domain, isSlow, type Job, makeJob, noteDuration } from './job.ts'
import { errorMark, lineOf, tags, onMachineClock } from '../wire/frames.ts'

interface EvaluationEvents {
  /** Called with the outcome of each policy that was evaluated. */
  onResult(call: PolicyCall, failure: Failure | undefined): void
  /** Called once, with a result for each call. */
  done(results: readonly PolicyResult[]): void
}

/** How long an event may take. */
export interface EvaluationWaits {
  /** Until its policies are asked, in ms. */
  readonly waitMsMax: number
  /** Until all of them have answered, in ms from then on. */
  readonly answerMsMax: number
}
export const waitsOfAgents: EvaluationWaits = {
  waitMsMax: limits.policyWaitMsMax,
  answerMsMax: limits.policyAnswerMsMax,
}

/** Creates the job that evaluates all policies that apply to one event. */
export function evaluationOf(
  request: PolicyRequest,
  live: ReadonlyMap<number, Domain>,
  { waitMsMax, answerMsMax }: EvaluationWaits,
  events: EvaluationEvents,
): Job {
  const { all: calls } = request.calls
  const batches = request.calls.prepared(batchesOfAll)
  const domains = batches.map(({ domain }) => live.get(domain)).filter((domain) => domain !== undefined)
  const batchesFor = (members: readonly number[]) =>
    members.length === calls.length ? batches : batchesOf(calls, members)
  const startedAtMs = performance.now()
  const isCostly = isCostlyInput(request.input)
  /** Counted from when the job is sent: what others before it take is not taken from its own time. */
  let endsAtMs = startedAtMs + waitMsMax

  return makeJob<PolicyResult>({
    policies: calls,
    domains,
    size: sizeOfInput(request.input),
    silenceMsMax: silenceMsMax(request, domains),
    isCostly,
    isRestricted: () => isCostly || !request.isTrusted || domains.some(isSlow),
    // The isolate's own deadline comes first, because it reports more of what went wrong.
    deadlineAtMs: () => endsAtMs + limits.graceMs,
    encode(id, members) {
      endsAtMs = Math.min(performance.now(), startedAtMs + waitMsMax) + answerMsMax
      const parts: (string | number)[] = [tags.ask, id, onMachineClock(endsAtMs), request.atMs]
      parts.push(JSON.stringify(request.values))
      for (const { domain, text } of batchesFor(members)) parts.push(domain, text)
      return [lineOf(...parts), ...request.input]
    },
    decode(parts, members) {
      const asked = batchesFor(members)
      // INVARIANT: decoded whole before any of it counts: one malformed result makes the whole answer untrusted.
      const results = decodeResults(parts, asked)
      for (const [at, { domain: id }] of asked.entries()) {
        const domain = live.get(id)
        // A costly event says nothing of the time that the policies take for others.
        if (domain !== undefined && !isCostly) noteDuration(domain, Number(parts[partsPerDomain * at]))
      }
      return results
    },
    failed: (failure) => ({ failure, durationMs: performance.now() - startedAtMs }),
    onAnswer(member, result) {
      const call = calls[member]
      if (call !== undefined) events.onResult(call, 'failure' in result ? result.failure : undefined)
    },
    done: (results) => events.done(results),
  })
}

/** A text that crosses as it is costs less than the same length of facts, each of which many policies look at. */
function isCostlyInput([json, ...texts]: EncodedInput): boolean {
  return json.length + sizeOfInput(['', ...texts]) / 4 > limits.policyCostlyCharacters
}

/** The parts of an answer for each domain: its duration, the answers of its policies, and which of them took long. */
const partsPerDomain = 3

/** Decodes an answer. @throws if it does not answer these calls */
function decodeResults(parts: readonly string[], batches: readonly Batch[]): [number, PolicyResult][] {
  const results: [number, PolicyResult][] = []
  for (const [at, { members }] of batches.entries()) {
    const [duration = '', text = '', long = ''] = parts.slice(partsPerDomain * at, partsPerDomain * (at + 1))
    const totalMs = Number(duration)
    if (!Number.isFinite(totalMs)) throw new TypeError('a duration is not a number')
    const { otherMs, longMs } = ownTimesMs(long, totalMs, members.length)
    if (isAllAbstain(text, members.length) && longMs.size === 0) {
      const result = { ...abstains, durationMs: otherMs }
      for (const member of members) results.push([member, result])
      continue
    }
    for (const [index, outcome] of decodeAnswers(text, members.length).entries()) {
      results.push([members[index] ?? 0, { ...outcome, durationMs: longMs.get(index) ?? otherMs }])
    }
  }
  if (parts.length !== partsPerDomain * batches.length) throw new TypeError('there are more answers than calls')
  return results
}

/** The calls of one event into one domain. */
interface Batch {
  readonly domain: number
  readonly members: readonly number[]
  /** The calls as JSON. */
  readonly text: string
}

const batchesOfAll = ({ all }: PolicyCalls): readonly Batch[] => batchesOf(all, [...all.keys()])

function batchesOf(calls: readonly PolicyCall[], members: readonly number[]): readonly Batch[] {
  const some = members.flatMap((member) => {
    const call = calls[member]
    return call === undefined ? [] : [{ member, call }]
  })
  return [...Map.groupBy(some, ({ call }) => call.domain)].map(([domain, own]) => ({
    domain,
    members: own.map(({ member }) => member),
    text: JSON.stringify(own.map(({ call: { policy, facts, params } }) => [policy, facts, params])),
  }))
}

/** Returns how long a thread may be silent: each domain parses the event again, and may have to be rebuilt first. */
function silenceMsMax({ input }: PolicyRequest, domains: readonly Domain[]): number {
  const megabytes = sizeOfInput(input) / (1024 * 1024)
  return buildSilenceMsMax(domains) + 2 * megabytes * limits.policyCpuMsPerMegabyte
}

/** The times of the policies that one call evaluated. */
interface OwnTimes {
  /** By index in the call: policies that took long enough to be measured. */
  readonly longMs: ReadonlyMap<number, number>
  /** The mean time of each other policy. */
  readonly otherMs: number
}

/**
 * Divides the time of a call among its policies. `long` has those during which the clock of the sandbox advanced, as
 * `index:ms`. That clock counts whole milliseconds: in a shorter call it may advance in any policy, and tells nothing.
 *
 * @throws if `long` is not such a list
 */
function ownTimesMs(long: string, totalMs: number, policies: number): OwnTimes {
  if (long === '') return { longMs: none, otherMs: totalMs / policies }
  const measured = long.split(',').map(timeOf)
  if (totalMs < 1 || policies === 1) return { longMs: none, otherMs: totalMs / policies }
  const longMs = new Map(measured)
  let sumMs = 0
  for (const ms of longMs.values()) sumMs += ms
  return { longMs, otherMs: Math.max(0, totalMs - sumMs) / Math.max(1, policies - longMs.size) }
}

const none: OwnTimes['longMs'] = new Map()

function timeOf(text: string): readonly [index: number, ms: number] {
  const [, index, ms] = /^(\d+):(\d+(?:\.\d+)?)$/.exec(text) ?? []
  if (index === undefined || ms === undefined) throw new TypeError('a time is not `index:ms`')
  // The clock of the sandbox may be set forward meanwhile.
  return [Number(index), Math.min(Number(ms), limits.policyAnswerMsMax)]
}

/** One policy's result, as decoded from the sandbox's reply. */
type PolicyReply =
  | { readonly answers: readonly PolicyAnswer[]; readonly state?: JsonObject }
  | { readonly failure: Failure }

const abstains = Object.freeze({ answers: Object.freeze([]) }) satisfies PolicyReply

const Replies = z.array(z.unknown())
/** The reply of a policy that does not abstain. */
const Reply = z.union([
  z
    .array(PolicyAnswer)
    .min(1)
    .max(limits.policyAnswersMax)
    .transform((answers): PolicyReply => ({ answers })),
  z.strictObject({ failure: Failure }),
  z.strictObject({ state: JsonObject, answers: z.array(PolicyAnswer).max(limits.policyAnswersMax) }),
])

/** Decodes one domain's answers. @param calls how many are expected @throws if the text is malformed */
function decodeAnswers(text: string, calls: number): readonly PolicyReply[] {
  if (text.startsWith(errorMark)) return failuresOfThread(text, calls)
  const replies = Replies.safeParse(JSON.parse(text)).data ?? []
  if (replies.length !== calls) throw new TypeError(`${calls} calls got ${replies.length} answers`)
  return replies.map(replyOf)
}

/** Most replies are `0`, which needs no schema. */
function replyOf(reply: unknown): PolicyReply {
  if (reply === 0) return abstains
  const parsed = Reply.safeParse(reply)
  if (!parsed.success) throw new TypeError('an answer is not one that a policy can give')
  return parsed.data
}

/** Recognizes the answer in which every policy abstains, by far the most frequent, without parsing it. */
function isAllAbstain(text: string, calls: number): boolean {
  const allAbstain = (allAbstainTexts[calls] ??= `[${'0,'.repeat(Math.max(0, calls - 1))}0]`)
  return text === allAbstain
}
const allAbstainTexts: string[] = []

/** Decodes the error that a thread sends when its isolate cannot be used, as the failure of every call. */
function failuresOfThread(text: string, calls: number): readonly PolicyReply[] {
  const message = z.string().parse(JSON.parse(text.slice(errorMark.length)))
  const outcome: PolicyReply = { failure: { code: 'workerLost', message: `its sandbox failed: ${message}` } }
  return Array.from({ length: calls }, () => outcome)
}

const DescriptionReply = z.array(
  z.union([z.strictObject({ definition: z.string() }), z.strictObject({ failure: Failure })]),
)

/** Returns the descriptions of a domain if all of its definitions are known already. */
export function knownDescriptions({ policies }: Domain): readonly Described[] | undefined {
  const known = policies.flatMap(({ definition }) => (definition === undefined ? [] : [{ definition }]))
  return known.length === policies.length ? known : undefined
}

/** Creates the job that asks policies for their definitions, except those whose definition is known already. */
export function descriptionOf(domain: Domain, done: (described: readonly Described[]) => void): Job {
  const { id: domainId, policies } = domain
  const known = policies.map(({ definition }) => definition)
  const unknown = [...policies.keys()].filter((policy) => known[policy] === undefined)
  const policyAt = (member: number) => unknown[member] ?? 0
  // Where an agent waits, the load is given up sooner, by its caller. A sandbox that hangs is ended by its silence.
  const deadlineAtMs = performance.now() + limits.policyLoadMs

  return makeJob<Described>({
    policies: unknown.map((policy) => ({ domain: domainId, policy })),
    domains: [domain],
    size: 0,
    silenceMsMax: buildSilenceMsMax([domain]),
    // None of these policies has run before: they may be slow.
    isRestricted: () => true,
    isCostly: false,
    deadlineAtMs: () => deadlineAtMs,
    encode: (id, members) => [lineOf(tags.describe, id, domainId, JSON.stringify(members.map(policyAt)))],
    decode(parts, members) {
      const described = decodeDescriptions(parts[1] ?? '', members.length)
      return members.map((member, index) => [member, described[index] ?? noDescription])
    },
    failed: (failure) => ({ failure }),
    done(described) {
      const results = described.values()
      done(
        known.map((definition) =>
          definition === undefined ? (results.next().value ?? noDescription) : { definition },
        ),
      )
    },
  })
}

const noDescription: Described = { failure: { code: 'badOutput', message: 'it was not described' } }

function decodeDescriptions(text: string, count: number): readonly Described[] {
  if (text.startsWith(errorMark)) {
    const message = z.string().parse(JSON.parse(text.slice(errorMark.length)))
    const failure: Failure = { code: 'policyThrew', message: `it cannot be loaded: ${message}` }
    return Array.from({ length: count }, () => ({ failure }))
  }
  const described = DescriptionReply.parse(JSON.parse(text))
  if (described.length !== count) throw new TypeError(`${count} policies got ${described.length} descriptions`)
  return described
}
