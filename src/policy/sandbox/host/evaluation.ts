import type { Failure } from '../../../model/failure.ts'
import { limits } from '../../../model/limits.ts'
import type { PolicyCall, PolicyRequest, PolicyResult } from '../../../model/policy.ts'
import { type Domain, isSlow, timed } from './domain.ts'
import { placed } from './failures.ts'
import type { Job } from './job.ts'
import { onMachineClock } from '../wire/machine-clock.ts'
import { isSilence, readReply, saidNothing } from './decode-answers.ts'
import { frameOf, tags } from '../wire/frames.ts'

interface EvaluationEvents {
  /** How a policy that was asked has answered. */
  onResult(call: PolicyCall, failure: Failure | undefined): void
  /** Told once, with a result for each call. */
  done(results: readonly PolicyResult[]): void
}

/** The question to all policies that apply to one event. */
export function evaluationOf(request: PolicyRequest, live: ReadonlyMap<number, Domain>, events: EvaluationEvents): Job {
  const { calls } = request
  const results: (PolicyResult | undefined)[] = Array.from({ length: calls.length })
  const whole = questionsTo(calls)
  const domains = whole.map(({ domain }) => live.get(domain)).filter((domain) => domain !== undefined)
  const questionsFor = (members: readonly number[]) =>
    members.length === calls.length ? whole : questionsOf(calls, members)
  const startedAtMs = performance.now()
  const endsAtMs = startedAtMs + limits.policyAnswerMsMax
  let missing = calls.length

  const settle = (member: number, result: PolicyResult) => {
    if (results[member] !== undefined) return
    results[member] = result
    missing -= 1
    if (missing === 0) events.done(results.filter((one) => one !== undefined))
  }
  const take = (member: number, result: PolicyResult) => {
    const call = calls[member]
    if (call !== undefined) events.onResult(call, 'failure' in result ? result.failure : undefined)
    settle(member, result)
  }
  const fail = (failure: Failure) => ({ failure, durationMs: performance.now() - startedAtMs })
  const fileOf = (member: number) => {
    const call = calls[member]
    return call && live.get(call.domain)?.policies[call.policy]?.file
  }
  return {
    domains,
    memberCount: calls.length,
    size: request.input.length,
    silenceMsMax: silenceMsMax(request, domains),
    isApart: () => !request.isTrusted || domains.some(isSlow),
    // An isolate has its own end to waiting, and its word on it is the better one.
    deadlineAtMs: endsAtMs + limits.graceMs,
    isSettled: () => missing === 0,
    isMemberSettled: (member) => results[member] !== undefined,
    frame(id, members) {
      const parts: (string | number)[] = [tags.ask, id, onMachineClock(endsAtMs), request.atMs]
      parts.push(JSON.stringify(request.values))
      for (const { domain, text } of questionsFor(members)) parts.push(domain, text)
      return frameOf(...parts) + oneLine(request.input)
    },
    hear(parts, members) {
      // All of it is read before any of it counts: who lies in one place is not to be believed in another.
      const questions = questionsFor(members)
      const answers = readAnswer(parts, questions)
      for (const [at, { domain }] of questions.entries()) {
        const asked = live.get(domain)
        if (asked !== undefined) timed(asked, Number(parts[2 * at]))
      }
      for (const [member, result] of answers) take(member, result)
    },
    fail: (member, failure) => settle(member, fail(failure)),
    convict: (member, failure) => take(member, fail(placed(failure, fileOf(member)))),
    culprit: (member) => calls[member] ?? { domain: 0, policy: 0 },
  }
}

/** What a thread has answered: for each domain the time and the text. @throws where it is no answer to these calls */
function readAnswer(parts: readonly string[], questions: readonly Question[]): [number, PolicyResult][] {
  const read: [number, PolicyResult][] = []
  for (const [at, { members }] of questions.entries()) {
    const durationMs = Number(parts[2 * at])
    if (!Number.isFinite(durationMs)) throw new TypeError('a duration is not a number')
    const text = parts[2 * at + 1] ?? ''
    if (isSilence(text, members.length)) {
      const result = { ...saidNothing, durationMs }
      for (const member of members) read.push([member, result])
      continue
    }
    const said = readReply(text, members.length)
    for (const [index, one] of said.entries()) read.push([members[index] ?? 0, { ...one, durationMs }])
  }
  if (parts.length !== 2 * questions.length) throw new TypeError('there are more answers than calls')
  return read
}

/** What one domain is asked. */
interface Question {
  readonly domain: number
  readonly members: readonly number[]
  /** Its calls as JSON. */
  readonly text: string
}

/** Events of one kind ask with the very same calls, over and over. */
function questionsTo(calls: readonly PolicyCall[]): readonly Question[] {
  const known = questionsKnown.get(calls)
  if (known !== undefined) return known
  const questions = questionsOf(calls, [...calls.keys()])
  questionsKnown.set(calls, questions)
  return questions
}
const questionsKnown = new WeakMap<readonly PolicyCall[], readonly Question[]>()

function questionsOf(calls: readonly PolicyCall[], members: readonly number[]): readonly Question[] {
  const asked = members.flatMap((member) => {
    const call = calls[member]
    return call === undefined ? [] : [{ member, call }]
  })
  return [...Map.groupBy(asked, ({ call }) => call.domain)].map(([domain, own]) => ({
    domain,
    members: own.map(({ member }) => member),
    text: JSON.stringify(own.map(({ call: { policy, facts, params } }) => [policy, facts, params])),
  }))
}

/** Between JSON's tokens a line end is only white space; inside of its strings there is none. */
function oneLine(json: string): string {
  return `${json.includes('\n') ? json.replaceAll('\n', ' ') : json}\n`
}

/** Each domain reads the event for itself, and may have to be built anew on the way. */
function silenceMsMax({ input }: PolicyRequest, domains: readonly Domain[]): number {
  const megabytes = input.length / (1024 * 1024)
  const policies = domains.reduce((sum, domain) => sum + domain.policies.length, 0)
  return limits.policySilenceMs + 2 * megabytes * limits.policyCpuMsPerMegabyte + policies * limits.policyBuildMs
}
