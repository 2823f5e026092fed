import { serverIn } from '../../model/remote.ts'
import type { Rule } from '../../model/rule.ts'
import { parseCondition } from '../match/condition.ts'
import { takesTool } from '../match/subject.ts'
import { approvingOf } from './approving.ts'
import type { HookPosition } from './draft.ts'
import { problem, refuse, type RulesFileState } from './reading.ts'
import type { AuthzenHook } from './wire.ts'

/** Makes the rule of a decision point that is asked; nothing if it is refused, which is reported. */
export function authzenRule(
  reading: RulesFileState,
  { id, spelled, matcher, path, sequence }: HookPosition,
  hook: AuthzenHook,
  events: Rule['match']['events'],
): readonly Rule[] {
  const { source, home } = reading
  if (!events.every(takesTool)) {
    const message = `a decision point is asked about calls, and ${spelled} is about none`
    problem(reading, 'error', [...path, 'type'], 'value', message, 'put it under `PreToolUse`')
    return []
  }
  if (source.bundled === true) {
    const message = 'a bundle asks no server: it only decides'
    problem(reading, 'error', [...path, 'type'], 'value', message, 'put it into the managed hooks.json')
    return []
  }
  const condition = hook.if === undefined ? undefined : parseCondition(hook.if, events, home)
  if (condition !== undefined && 'kind' in condition) {
    refuse(reading, condition, [...path, 'if'])
    return []
  }
  return [
    {
      id,
      source,
      match: { spelled, events, triggers: undefined, matcher, subject: { kind: 'any' }, condition },
      handler: { kind: 'remote', server: serverIn(hook), asks: { kind: 'authzen', subject: hook.subject } },
      onFailure: hook.onFailure ?? 'block',
      mode: hook.mode ?? reading.mode,
      ...approvingOf(hook),
      timeoutMs: hook.timeout === undefined ? undefined : Math.max(1, Math.round(hook.timeout * 1000)),
      sequence,
      untrustedReason: undefined,
    },
  ]
}
