import { z } from 'zod'
import { Failure } from '../../../model/failure.ts'
import { limits } from '../../../model/limits.ts'
import type { Described } from '../../../model/policy.ts'
import type { Domain } from './domain.ts'
import { placed } from './failures.ts'
import type { Job } from './job.ts'
import { errorMark, frameOf, tags } from '../wire/frames.ts'

const Reply = z.array(z.union([z.strictObject({ definition: z.string() }), z.strictObject({ failure: Failure })]))

/** What each policy says of itself, where that need not be asked. */
export function toldBefore({ policies }: Domain): readonly (Described | undefined)[] {
  return policies.map(({ definition }) => (definition === undefined ? undefined : { definition }))
}

/** The question what they are to the policies of a domain of which that is not known. Nothing has run of them before. */
export function descriptionOf(domain: Domain, done: (described: readonly Described[]) => void): Job {
  const { policies } = domain
  const results = [...toldBefore(domain)]
  let missing = results.filter((one) => one === undefined).length

  const settle = (member: number, described: Described) => {
    if (results[member] !== undefined) return
    results[member] = described
    missing -= 1
    if (missing === 0) done(results.filter((one) => one !== undefined))
  }

  return {
    domains: [domain],
    memberCount: policies.length,
    size: 0,
    silenceMsMax: limits.policySilenceMs + policies.length * limits.policyBuildMs,
    isApart: () => true,
    // The first of all has to wait for a sandbox.
    deadlineAtMs: performance.now() + limits.sandboxStartMs + limits.policyAnswerMsMax,
    isSettled: () => missing === 0,
    isMemberSettled: (member) => results[member] !== undefined,
    frame: (id, members) => frameOf(tags.describe, id, domain.id, JSON.stringify(members)),
    hear(parts, members) {
      for (const [index, one] of readDescriptions(parts[1] ?? '', members.length).entries()) {
        settle(members[index] ?? 0, one)
      }
    },
    fail: (member, failure) => settle(member, { failure }),
    convict: (member, failure) => settle(member, { failure: placed(failure, policies[member]?.file) }),
    culprit: (policy) => ({ domain: domain.id, policy }),
  }
}

function readDescriptions(text: string, count: number): readonly Described[] {
  if (text.startsWith(errorMark)) {
    const message = z.string().parse(JSON.parse(text.slice(errorMark.length)))
    const failure: Failure = { code: 'policyThrew', message: `it cannot be loaded: ${message}` }
    return Array.from({ length: count }, () => ({ failure }))
  }
  const described = Reply.parse(JSON.parse(text))
  if (described.length !== count) throw new TypeError(`${count} policies got ${described.length} descriptions`)
  return described
}
