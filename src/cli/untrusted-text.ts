import type { Rule } from '../model/rule.ts'

/** Says how an untrusted rule is handled, and why; `undefined` for a trusted rule. */
export function untrustedText({ handler, untrustedReason }: Rule): string | undefined {
  if (untrustedReason === undefined) return undefined
  return handler.kind === 'policy'
    ? `this policy can only tighten: ${untrustedReason}`
    : `this hook will not run: ${untrustedReason}`
}
