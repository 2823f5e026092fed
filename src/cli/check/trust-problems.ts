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
 * Reports rules of a trusted workspace that are not fully in force, though a person has reviewed and trusted it. A
 * workspace that is not trusted yet is not reported.
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
