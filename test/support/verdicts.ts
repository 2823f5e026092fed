import { abstention, type Verdict } from '../../src/model/verdict.ts'

/** Builds a verdict of these parts. */
export function verdictOf(parts: Partial<Verdict>): Verdict {
  return { ...abstention, ...parts, cancel: parts.decision === 'deny' }
}
