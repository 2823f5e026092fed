import { counted } from '../words/counted.ts'
import { isSelfProtection, type Rule, type RuleSet } from '../model/rule.ts'
import { matchesNothing } from './match/matcher.ts'
import { limits } from '../model/limits.ts'
import { serverIn } from '../model/remote.ts'
import { authority } from '../model/effect.ts'
import { changedSet } from './merge.ts'
import { type BundleInForce, isAboutRoot } from '../model/bundle-settings.ts'
import { isError } from '../model/errors.ts'
import { isUsualRecord } from '../model/record-settings.ts'
import type { LoadedRules } from './load/draft.ts'

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

/**
 * Says what managed files leave to users, or to nobody: choices, not mistakes. Empty if there is no managed file.
 *
 * @param bundle the one that a managed file names
 */
export function leftOpen(loaded: readonly LoadedRules[], bundle: BundleInForce | undefined): readonly string[] {
  const managed = loaded.filter(({ source }) => source.scope === 'managed')
  if (managed.length === 0) return []
  const rules = managed.flatMap((one) => one.rules)
  const userMaySet = [...new Set(managed.flatMap((one) => one.userMaySet ?? []))]
  const exceptions = managed.flatMap((one) => one.exceptions)
  const records = managed.flatMap(({ record }) => record ?? [])
  const disabled = managed.flatMap((one) => one.disabled)
  const observing = rules.filter(({ mode }) => mode === 'observe')
  return [
    // Rules that did not load are a mistake, which is reported.
    ...(rules.length === 0 && bundle === undefined && !managed.some(({ problems }) => problems.some(isError))
      ? ['it has no rules: each user decides what is checked; add `"preset": "recommended"`']
      : []),
    ...(observing.length > 0 && observing.length === rules.length
      ? ['its rules only observe, so they refuse nothing; remove `"mode": "observe"`, or name another preset']
      : []),
    ...(observing.length > 0 && observing.length < rules.length
      ? [`${observing.length} of its rules only ${observing.length === 1 ? 'observes' : 'observe'}`]
      : []),
    ...(isAboutRoot(bundle?.state.problem)
      ? [`its signed rules never count, since ${bundle?.state.problem ?? ''}`]
      : []),
    ...(bundle === undefined ? [] : goingOn(bundle.settings)),
    ...(disabled.length > 0
      ? [`${counted(disabled.length, 'rule of its packs is', 'rules of its packs are')} left out`]
      : []),
    ...(exceptions.length > 0
      ? [`${counted(exceptions.length, 'exception takes', 'exceptions take')} back what rules say`]
      : []),
    ...(managed.some(({ selfProtection }) => selfProtection === false)
      ? ['an agent may change hookgate itself: `selfProtection` is false']
      : []),
    ...(userMaySet.length > 0 ? [`users may loosen ${userMaySet.map((key) => `\`${key}\``).join(' and ')}`] : []),
    ...(records.every(isUsualRecord) ? [] : ['not every decision is recorded, or for less time than usual']),
    ...(managed.some((one) => one.export !== undefined)
      ? []
      : ['the record stays on each machine: there is no `export`']),
    ...(managed.some(({ contact }) => contact !== undefined)
      ? []
      : ['a refusal does not say whom to ask: there is no `contact`']),
  ]
}

/** Says where calls go on without the signed rules. */
function goingOn({ onStale = 'continue', onMissing = onStale }: BundleInForce['settings']): readonly string[] {
  const named = [
    ...(onMissing === 'continue' ? [['missing', 'onMissing'] as const] : []),
    ...(onStale === 'continue' ? [['stale', 'onStale'] as const] : []),
  ]
  return named.map(
    ([what, key]) => `where its signed rules are ${what}, calls go on: \`${key}\` in \`bundle\` is \`continue\``,
  )
}
