import type { Rule } from '../model/rule.ts'

/** What becomes of a rule that is not trusted, and why; `undefined` for one that is. */
export function untrustedText({ handler, untrustedReason }: Rule): string | undefined {
  if (untrustedReason === undefined) return undefined
  return handler.kind === 'policy'
    ? `this policy can only tighten: ${untrustedReason}`
    : `this hook will not run: ${untrustedReason}`
}
