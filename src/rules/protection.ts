import type { Rule } from '../model/rule.ts'

/** What the rules in force do about calls: `none` checks nothing, `observe` checks and refuses nothing. */
export type Protection = 'none' | 'observe' | 'enforce'

/** Judges whether any call is checked by these rules, and whether one could be refused. */
export function protectionBy(rules: readonly Rule[]): Protection {
  const active = rules.filter((rule) => !isBuiltIn(rule) && !isNotRun(rule))
  if (active.length === 0) return 'none'
  return active.every(onlyObserves) ? 'observe' : 'enforce'
}

/** Rules that hookgate adds by itself guard its own files, and nothing of the user's. */
const isBuiltIn = ({ id }: Rule) => id.startsWith('hookgate:')

/** An untrusted hook is not run: it counts only if it is to refuse or ask then. */
const isNotRun = ({ handler, untrustedReason, onFailure }: Rule) =>
  handler.kind === 'command' && untrustedReason !== undefined && onFailure === 'continue'

/** The answer of a hook that is not awaited does not count either. */
const onlyObserves = ({ handler, mode }: Rule) => mode === 'observe' || (handler.kind === 'command' && handler.async)
