import { z } from 'zod'
import { Failure } from '../../../model/failure.ts'
import { limits } from '../../../model/limits.ts'
import type { Described } from '../../../model/policy.ts'
import { buildSilenceMsMax, type Domain } from './domain.ts'
import { type Job, makeJob } from './job.ts'
import { errorMark, lineOf, tags } from '../wire/frames.ts'

const Reply = z.array(z.union([z.strictObject({ definition: z.string() }), z.strictObject({ failure: Failure })]))

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
  // The first job has to wait for a sandbox to start.
  const deadlineAtMs = performance.now() + limits.sandboxStartMs + limits.policyAnswerMsMax

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
  const described = Reply.parse(JSON.parse(text))
  if (described.length !== count) throw new TypeError(`${count} policies got ${described.length} descriptions`)
  return described
}
