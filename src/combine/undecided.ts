import { errorText, HookgateError } from '../model/errors.ts'
import type { Verdict } from '../model/verdict.ts'
import { abstention } from './combine.ts'

/** Returns the verdict for callers of hookgate's own API if the gate could not decide: a refusal that names the error. */
export function undecided(error: unknown): Verdict & { readonly error: object } {
  const message = errorText(error)
  const code = error instanceof HookgateError ? error.code : 'internal'
  return { ...abstention, decision: 'deny', cancel: true, reason: message, error: { code, message } }
}
