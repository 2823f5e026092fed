import type { Place } from '../../model/errors.ts'
import type { RuleSet } from '../../model/rule.ts'
import { realPath } from '../../files/real-path.ts'
import { listTrust, type Problem, type RulesOptions } from '../../rules/index.ts'
import { untrustedText } from '../untrusted-text.ts'

/** Returns the trusted workspaces. Empty if the trust store cannot be read, which is reported elsewhere. */
export function trustedIn(options: RulesOptions): ReadonlySet<string> {
  try {
    return new Set(listTrust(options).map(({ root }) => root))
  } catch {
    return new Set()
  }
}

/**
 * Rules of a trusted workspace that do not count in full: somebody has looked at them, and believes that they do. That
 * nobody has trusted a workspace yet is no mistake in it.
 */
export function trustProblems(
  { rules }: RuleSet,
  placeOf: (ruleId: string) => Place | undefined,
  trusted: ReadonlySet<string>,
): readonly Problem[] {
  return rules.flatMap((rule): readonly Problem[] => {
    const { workspaceRoot, file } = rule.source
    const message = untrustedText(rule)
    if (message === undefined || workspaceRoot === undefined || !trusted.has(realPath(workspaceRoot))) return []
    return [{ severity: 'warning', place: placeOf(rule.id) ?? { file }, message, remedy: undefined }]
  })
}
