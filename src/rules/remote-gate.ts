import { limits } from '../model/limits.ts'
import { serverIn } from '../model/remote.ts'
import type { Rule, RuleSet } from '../model/rule.ts'
import { ruleSet } from './merge.ts'
import { protectionBy } from './protection.ts'

/**
 * Adds the rule that asks the gate elsewhere, where a file names one. The rules here count beside it, and are all that
 * counts while it does not answer. Without any, `onUnreachable` decides.
 */
export function withRemote(set: RuleSet): RuleSet {
  if (set.remote === undefined) return set
  const { timeout, onUnreachable = {}, ...server } = set.remote
  const { write = 'block', read = 'continue' } = onUnreachable
  const hasRules = protectionBy(set.rules) === 'enforce'
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
  return ruleSet([rule, ...set.rules], set)
}
