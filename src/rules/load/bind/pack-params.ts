import { limits } from '../../../model/limits.ts'
import { quoted, quotedSome } from '../../../model/text.ts'
import type { JsonObject } from '../../../model/json.ts'
import type { PolicyDefinition } from '../../../model/policy.ts'
import type { Problem } from '../../../model/problem.ts'
import { didYouMean } from '../../../model/suggest.ts'
import type { PackUse } from './pack.ts'

/** Selects those of a pack's params that a rule declares. */
export function ownParams({ params }: PackUse, definition: PolicyDefinition): JsonObject {
  return Object.fromEntries(Object.entries(params).filter(([name]) => Object.hasOwn(definition.params, name)))
}

/** Reports params that are given to a pack and that none of its rules declares. */
export function undeclaredParams(
  { name: pack, params, ...use }: PackUse,
  rules: readonly PolicyDefinition[],
): readonly Problem[] {
  const known = [...new Set(rules.flatMap((definition) => Object.keys(definition.params)))].toSorted()
  const unknown = Object.keys(params).filter((name) => !known.includes(name))
  return unknown.slice(0, limits.policyProblemsMax).map((name) => {
    const there = known.length === 0 ? 'its rules have no params' : `there are ${quotedSome(known)}`
    return {
      severity: 'error',
      place: use.place(['params', name], 'key'),
      message: `no rule in the pack ${quoted(pack)} has a param ${quoted(name)}`,
      remedy: didYouMean(name, known) ?? there,
    }
  })
}
