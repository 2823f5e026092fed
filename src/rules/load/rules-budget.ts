import { limits } from '../../model/limits.ts'
import type { IsTrusted } from '../../model/policy-loading.ts'
import { type Refusal, refused } from '../../model/problem.ts'
import type { Source } from '../../model/rule.ts'

/** Counts the bytes of a rules file, or of a file read like one; refuses once there are too many. */
export type RulesBudget = (file: string, bytes: number) => Refusal | undefined

/** Opens one budget shared by all untrusted rules files, since a repository may have rules in each of its folders. */
export function openRulesBudgets(isTrusted: IsTrusted): (source: Source) => RulesBudget {
  const bytesMax = limits.untrustedRulesBytesMax
  let total = 0
  return (source) => (file, bytes) => {
    if (source.workspaceRoot === undefined || isTrusted(source, file)) return undefined
    total += bytes
    if (total <= bytesMax) return undefined
    const remedy = 'remove some, or review them and run `hookgate trust`'
    return refused(`the rules that nobody has trusted are larger than ${bytesMax} bytes in total`, remedy)
  }
}

/** Never refuses: for files that a person explicitly asked to see. */
export const noBudget: RulesBudget = () => undefined
