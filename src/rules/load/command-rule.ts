import { subscribedEvents } from '../../agents/event-names.ts'
import { agentNames } from '../../agents/registry.ts'
import { limits } from '../../model/limits.ts'
import type { JsonPath } from '../../model/problem.ts'
import type { Rule } from '../../model/rule.ts'
import { parseCondition } from '../match/condition.ts'
import type { Format } from '../places.ts'
import { handlerOf, misplacedVariable } from './command-hook.ts'
import type { HookPosition } from './draft.ts'
import { problem, refuse, type RulesFileState } from './reading.ts'
import { approvingOf } from './approving.ts'
import type { CommandHook } from './wire.ts'

/**
 * Makes the rule of a hook; nothing if it is refused, which is reported.
 *
 * @param isTheirs whether its file may be an agent's own
 */
export function commandRule(
  reading: RulesFileState,
  { id, spelled, matcher, path, sequence }: HookPosition,
  hook: CommandHook,
  isTheirs: boolean,
): readonly Rule[] {
  const { source, format, home } = reading
  const dialect = hook.dialect ?? 'claude-code'
  const other = agentNames.map((agent) => subscribedEvents(agent, spelled)).find((row) => row !== undefined)
  const subscribed = subscribedEvents(dialect, spelled) ?? other
  if (subscribed === undefined) return []
  const { events, triggers } = subscribed
  const condition = hook.if === undefined ? undefined : parseCondition(hook.if, events, home)
  const misplaced = misplacedVariable(hook, source.pluginRoot)
  if (misplaced !== undefined) refuse(reading, misplaced, [...path, 'command'])
  if (condition !== undefined && 'kind' in condition) refuse(reading, condition, [...path, 'if'])
  if (misplaced !== undefined || (condition !== undefined && 'kind' in condition)) return []
  warnOfHook(reading, hook, path)
  // A hook in Claude Code's own file was written for its timeout, which is longer than hookgate's.
  const hostTimeoutMs = isTheirs && claudeFormats.has(format) ? hostTimeoutAt(spelled) : undefined
  const rule: Rule = {
    id,
    source,
    match: { spelled, events, triggers, matcher, subject: { kind: 'any' }, condition },
    handler: handlerOf(hook, dialect, source.pluginRoot),
    onFailure: hook.onFailure ?? 'continue',
    mode: hook.mode ?? reading.mode,
    ...approvingOf(hook),
    timeoutMs: hook.timeout === undefined ? hostTimeoutMs : Math.max(1, Math.round(hook.timeout * 1000)),
    ...(hostTimeoutMs !== undefined && { hostTimeoutMs }),
    sequence,
    untrustedReason: undefined,
  }
  return [rule]
}

const claudeFormats: ReadonlySet<Format> = new Set<Format>(['settings', 'copy', 'plugin'])

/** Claude Code's default timeout (its hooks reference). */
const hostTimeoutAt = (spelled: string) => (quickEvents.has(spelled) ? hostQuickTimeoutMs : limits.hostTimeoutMs)
/** Default timeout of a hook in Claude Code's own files at events that a person waits for, such as a prompt. */
const hostQuickTimeoutMs = 30_000
const quickEvents: ReadonlySet<string> = new Set(['UserPromptSubmit', 'PreModelSwitch', 'PostModelSwitch'])

function warnOfHook(reading: RulesFileState, hook: CommandHook, path: JsonPath): void {
  if (hook.asyncRewake === true) {
    const message = '`asyncRewake` has no effect here: hookgate waits for the hook'
    problem(reading, 'warning', [...path, 'asyncRewake'], 'key', message, 'remove it')
  }
  if (hook.args !== undefined && hook.shell !== undefined) {
    problem(reading, 'warning', [...path, 'shell'], 'key', 'no shell is used with `args`', 'remove `shell` or `args`')
  }
}
