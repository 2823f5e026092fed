import type { Failure } from '../../../model/failure.ts'
import { limits } from '../../../model/limits.ts'
import type { CompiledModule, CompiledPolicy } from '../../../model/policy.ts'
import { policyLoad } from '../wire/policy-load.ts'

/**
 * Duration of one event above which a source's events are evaluated one at a time, apart: a thousand times the usual.
 */
const policySlowMs = 50

/** How long a source stays in that mode after its last slow event. */
const policySlowForMs = 60_000

/**
 * How long a sandbox thread may be silent while an answer is pending: a policy's own limit, twice over. After that it
 * must be in code that cannot be interrupted from inside (native loops), and its process is killed.
 */
const policySilenceMs = 250

/** Time for building an isolate, per policy, compilation included: 100 times the measured 0.02 ms. */
const policyBuildMs = 2

/** The policies of one source, kept by the gate to be loaded into each new sandbox. */
export interface Domain {
  readonly id: number
  readonly policies: readonly CompiledPolicy[]
  /** The JSON of a `PolicyLoad`, as sent to a thread. */
  readonly text: string
  /** Sandboxes lost in a row while building this domain. */
  buildLosses: number
  /** Why the domain is no longer loaded into any sandbox. */
  refused: Failure | undefined
  /** When its events cease to count as slow, on the clock of `performance.now()`. */
  slowUntilMs: number
}

export function makeDomain(
  id: number,
  library: readonly CompiledModule[],
  policies: readonly CompiledPolicy[],
): Domain {
  const text = JSON.stringify(policyLoad(library, policies))
  return { id, policies, text, buildLosses: 0, refused: undefined, slowUntilMs: 0 }
}

/** Returns how long a thread may be silent while it builds these policies, in ms of CPU time. */
export const buildSilenceMsMax = (domains: readonly Domain[]): number =>
  policySilenceMs + policyBuildMs * domains.reduce((sum, { policies }) => sum + policies.length, 0)

/** Marks the domain as slow for a while if its policies took too long for one event. */
export function noteDuration(domain: Domain, durationMs: number): void {
  if (durationMs > policySlowMs) domain.slowUntilMs = performance.now() + policySlowForMs
}

export const isSlow = ({ slowUntilMs }: Domain): boolean => slowUntilMs > 0 && performance.now() < slowUntilMs

/** Counts a sandbox lost while building the domain, and refuses it after two in a row: building exhausts only memory. */
export function noteBuildLoss(domain: Domain): void {
  domain.buildLosses += 1
  if (domain.buildLosses < 2) return
  const message = `the policies of its source crash the process that loads them: together they can use ${limits.policyLoadedMemoryMb} MB`
  domain.refused = { code: 'policyOutOfMemory', message }
}
