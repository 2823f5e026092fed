import type { Rule } from '../model/rule.ts'

/** What becomes of a rule that is not trusted, and why; `undefined` for one that is. */
export function distrustText({ handler, distrust }: Rule): string | undefined {
  if (distrust === undefined) return undefined
  return handler.kind === 'policy' ? `this policy can only tighten: ${distrust}` : `this hook will not run: ${distrust}`
}
