import { isSelfProtection, type Rule, type RuleSet } from '../model/rule.ts'
import { matchesNothing } from './match/matcher.ts'
import { limits } from '../model/limits.ts'
import { serverIn } from '../model/remote.ts'
import { authority } from '../model/effect.ts'
import { changedSet } from './merge.ts'

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

/**
 * Adds the rule that asks the gate elsewhere, where a file names one. The rules here count beside it. While it does not
 * answer, they are enough if some have the authority of that file; else `onUnreachable` decides too.
 *
 * INVARIANT: a file with less authority does not loosen. Its rules, which may refuse nothing, take the place of no
 * `onUnreachable`.
 */
export function withRemote(set: RuleSet): RuleSet {
  if (set.remote === undefined) return set
  const { timeout, onUnreachable = {}, namedBy, ...server } = set.remote
  const { write = 'block', read = 'continue' } = onUnreachable
  const enough = set.rules.filter(({ source }) => authority[source.scope] >= authority[namedBy])
  const hasRules = protectionBy(enough) === 'enforce'
  const rule: Rule = {
    id: 'hookgate:remote',
    source: { id: 'hookgate:', scope: 'managed', file: server.url, workspaceRoot: undefined, pluginRoot: undefined },
    match: {
      spelled: 'PreToolUse, PermissionRequest, UserPromptSubmit',
      events: ['PreToolUse', 'PermissionRequest', 'UserPromptSubmit'],
      triggers: undefined,
      matcher: { kind: 'any' },
      subject: { kind: 'any' },
      condition: undefined,
    },
    handler: {
      kind: 'remote',
      server: serverIn(server),
      asks: { kind: 'gate', unreachable: hasRules ? 'rules' : { write, read } },
    },
    onFailure: 'continue',
    mode: 'enforce',
    timeoutMs: timeout === undefined ? limits.remoteAnswerMs : Math.max(1, Math.round(timeout * 1000)),
    sequence: undefined,
    untrustedReason: undefined,
  }
  return changedSet(set, { rules: [rule, ...set.rules] })
}
