import { isSelfProtection, type Rule } from '../model/rule.ts'
import { matchesNothing } from './match/matcher.ts'

/** What the rules in force do about calls: `none` checks nothing, `observe` checks and refuses nothing but changes to hookgate itself. */
export type Protection = 'none' | 'observe' | 'enforce'

/** Judges whether any call is checked by these rules, and whether one could be refused. */
export function protectionBy(rules: readonly Rule[]): Protection {
  const active = rules.filter((rule) => !isSelfProtection(rule) && !isNotRun(rule))
  if (active.length === 0) return 'none'
  return active.every(onlyObserves) ? 'observe' : 'enforce'
}

/** A hook that no call can meet is never run. An untrusted hook is not run, nor is one of a kind that only its agent runs: it counts only if it is to refuse then. */
const isNotRun = ({ match, handler, untrustedReason, onFailure }: Rule) =>
  matchesNothing(match.matcher) ||
  (onFailure === 'continue' &&
    (handler.kind === 'command' || handler.kind === 'remote'
      ? untrustedReason !== undefined
      : handler.kind === 'builtin' && handler.builtin.kind === 'unsupported'))

/** The answer of a hook that is not awaited does not count either. */
const onlyObserves = ({ handler, mode }: Rule) => mode === 'observe' || (handler.kind === 'command' && handler.async)
