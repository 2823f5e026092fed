import { limits } from '../model/limits.ts'
import { serverIn } from '../model/remote.ts'
import type { Rule, RuleSet } from '../model/rule.ts'
import { authority } from '../model/effect.ts'
import { changedSet } from './merge.ts'
import { protectionBy } from './protection.ts'

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
