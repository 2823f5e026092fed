import type { Failure } from '../../model/failure.ts'
import { limits } from '../../model/limits.ts'
import type { CompiledModule, CompiledPolicy } from '../../model/policy.ts'
import { policyLoad } from './policy-load.ts'

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
}

export function makeDomain(id: number, library: CompiledModule, policies: readonly CompiledPolicy[]): Domain {
  return { id, policies, text: JSON.stringify(policyLoad(library, policies)), losses: 0, refused: undefined }
}

/** A sandbox was lost while it was building this, which takes nothing but memory. Twice in a row is no chance. */
export function blame(domain: Domain): void {
  domain.losses += 1
  if (domain.losses < 2) return
  const message = `the policies of its source bring down what loads them: together they may take ${limits.policyLoadedMemoryMb} MB`
  domain.refused = { code: 'policyOutOfMemory', message }
}
