import type { Answered } from '../../answer.ts'
import { abstention } from '../../combine/combine.ts'
import { errorText, HookgateError } from '../../model/errors.ts'
import type { Verdict } from '../../model/verdict.ts'

/** A verdict as hookgate's own callers are given it; a refusal that names the error where the gate could not decide. */
export function verdictShown({
  verdict,
  error,
}: Pick<Answered, 'verdict' | 'error'>): Verdict & { readonly error?: object } {
  if (verdict !== undefined) return verdict
  const message = errorText(error)
  const code = error instanceof HookgateError ? error.code : 'internal'
  return { ...abstention, decision: 'deny', cancel: true, reason: message, error: { code, message } }
}
