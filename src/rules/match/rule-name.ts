import type { Rule } from '../../model/rule.ts'
import { isLike } from '../../words/paths.ts'

/** Returns a rule's id without its source: `git-safety/force-push`. */
export function shortRuleId({ id, source }: Pick<Rule, 'id' | 'source'>): string {
  return id.startsWith(source.id) && /^[/#]/.test(id.slice(source.id.length)) ? id.slice(source.id.length + 1) : id
}

/** Returns whether a pattern such as `secrets/*` names a rule, by its id with or without its source. */
export function namesRule(pattern: string, rule: Pick<Rule, 'id' | 'source'>): boolean {
  return isLike(shortRuleId(rule), pattern) || isLike(rule.id, pattern)
}
/** Returns whether a pattern may name a rule of which only the id is known: its source may end at any `/` or `#` of it. */
export function mayNameRule(pattern: string, id: string): boolean {
  const starts = [0, ...[...id.matchAll(/[/#]/g)].map(({ index }) => index + 1)]
  return starts.some((start) => isLike(id.slice(start), pattern))
}
