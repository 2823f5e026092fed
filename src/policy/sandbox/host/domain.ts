import type { Failure } from '../../../model/failure.ts'
import { limits } from '../../../model/limits.ts'
import type { CompiledModule, CompiledPolicy } from '../../../model/policy.ts'
import { policyLoad } from '../wire/policy-load.ts'

/** The policies of one source, as the gate keeps them: whatever sandbox comes up is given them. */
export interface Domain {
  readonly id: number
  readonly policies: readonly CompiledPolicy[]
  /** What crosses to a thread: the JSON of a `PolicyLoad`. */
  readonly text: string
  /** How often a sandbox was lost while it was building it. */
  losses: number
  /** Why it is given to nobody any more. */
  refused: Failure | undefined
  /** Until when its events are asked one at a time, on the clock of `performance.now()`. */
  slowUntilMs: number
}

export function makeDomain(id: number, library: CompiledModule, policies: readonly CompiledPolicy[]): Domain {
  const text = JSON.stringify(policyLoad(library, policies))
  return { id, policies, text, losses: 0, refused: undefined, slowUntilMs: 0 }
}

/** Takes to heart what its policies took for one event. */
export function timed(domain: Domain, durationMs: number): void {
  if (durationMs > limits.policySlowMs) domain.slowUntilMs = performance.now() + limits.policySlowForMs
}

export const isSlow = ({ slowUntilMs }: Domain): boolean => slowUntilMs > 0 && performance.now() < slowUntilMs

/** A sandbox was lost while it was building this, which takes nothing but memory. Twice in a row is no chance. */
export function blame(domain: Domain): void {
  domain.losses += 1
  if (domain.losses < 2) return
  const message = `the policies of its source crash the process that loads them: together they can use ${limits.policyLoadedMemoryMb} MB`
  domain.refused = { code: 'policyOutOfMemory', message }
}
