import type { Exception } from '../model/exception.ts'
import type { Problem } from '../model/errors.ts'
import type { Rule } from '../model/rule.ts'
import { authority } from '../model/effect.ts'
import { didYouMean } from '../words/suggest.ts'
import { quoted } from '../model/text.ts'
import { isReallyWithin } from '../files/real-path.ts'
import type { LoadedRules } from './load/draft.ts'
import { namesRule, shortRuleId } from './match/word-pattern.ts'

/** Warns of exceptions that have no effect: expired ones, and those of rules that do not exist or have more authority. */
export function exceptionProblems(
  loaded: readonly LoadedRules[],
  workspaceRoots: readonly string[],
  nowMs: number,
): readonly Problem[] {
  const rules = loaded.flatMap((one) => one.rules)
  return loaded.flatMap(({ exceptions }) =>
    exceptions.flatMap(
      (one) => expired(one, nowMs) ?? (isAbout(one, workspaceRoots) ? ineffective(one, rules) : []) ?? [],
    ),
  )
}

function expired({ endsAtMs, place }: Exception, nowMs: number): Problem | undefined {
  if (place === undefined || endsAtMs === undefined || nowMs < endsAtMs) return undefined
  const remedy = 'remove it, or give it a later `until`'
  return { severity: 'warning', place, message: 'this exception has expired', remedy }
}

/** The rules of another project are not among those that are read. */
const isAbout = ({ project }: Exception, roots: readonly string[]) =>
  project === undefined || roots.some((root) => isReallyWithin(root, project) || isReallyWithin(project, root))

function ineffective({ rule, scope, place }: Exception, rules: readonly Rule[]): Problem | undefined {
  if (place === undefined) return undefined
  const named = rules.filter((one) => namesRule(rule, one))
  if (named.length === 0) {
    const remedy = didYouMean(rule, rules.map(shortRuleId)) ?? '`hookgate explain --all ls` lists the rules in force'
    return { severity: 'warning', place, message: `no rule in force is named ${quoted(rule)}`, remedy }
  }
  if (named.some((one) => authority[scope] >= authority[one.source.scope])) return undefined
  const above = [...new Set(named.map(({ source }) => source.scope))]
  const message = `a ${scope}'s file cannot except ${quoted(rule)}, which is a rule of the ${above.join(' and ')} file`
  return { severity: 'warning', place, message, remedy: `except it in ${named[0]?.source.file ?? ''}` }
}
