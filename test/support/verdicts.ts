import { abstention } from '../../src/combine/combine.ts'
import type { Verdict } from '../../src/model/verdict.ts'

/** A verdict with these parts, and nothing in the others. */
export function verdictOf(parts: Partial<Verdict>): Verdict {
  return { ...abstention, ...parts, cancel: parts.decision === 'deny' }
}
