import type { Failure } from '../../../model/failure.ts'
import { limits } from '../../../model/limits.ts'
import type { CompiledModule, CompiledPolicy } from '../../../model/policy.ts'
import { policyLoad } from '../wire/policy-load.ts'

/** The policies of one source, as the gate keeps them to load them into each new sandbox. */
export interface Domain {
  readonly id: number
  readonly policies: readonly CompiledPolicy[]
  /** What crosses to a thread: the JSON of a `PolicyLoad`. */
  readonly text: string
  /** Sandboxes lost in a row while they were building it. */
  buildLosses: number
  /** Why no sandbox is given it any more. */
  refused: Failure | undefined
  /** Until when its events count as slow, on the clock of `performance.now()`. */
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

/** How long a thread may be silent while it builds these policies, ms of CPU time. */
export const buildSilenceMsMax = (domains: readonly Domain[]): number =>
  limits.policySilenceMs + limits.policyBuildMs * domains.reduce((sum, { policies }) => sum + policies.length, 0)

/** Notes how long its policies took for one event. */
export function noteDuration(domain: Domain, durationMs: number): void {
  if (durationMs > limits.policySlowMs) domain.slowUntilMs = performance.now() + limits.policySlowForMs
}

export const isSlow = ({ slowUntilMs }: Domain): boolean => slowUntilMs > 0 && performance.now() < slowUntilMs

/** Refuses a domain over whose building two sandboxes were lost in a row: memory is all that building takes. */
export function noteBuildLoss(domain: Domain): void {
  domain.buildLosses += 1
  if (domain.buildLosses < 2) return
  const message = `the policies of its source crash the process that loads them: together they can use ${limits.policyLoadedMemoryMb} MB`
  domain.refused = { code: 'policyOutOfMemory', message }
}
