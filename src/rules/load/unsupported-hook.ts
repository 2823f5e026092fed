import type { EventName } from '../../model/event.ts'
import type { Refusal } from '../../model/problem.ts'
import type { Rule } from '../../model/rule.ts'
import { quoted } from '../../model/text.ts'
import { builtinRule } from '../builtin-rule.ts'
import type { HookPosition } from './draft.ts'
import { problem, type RulesFileState } from './reading.ts'
import type { ForeignHook } from './wire.ts'

/**
 * Makes a rule of a hook that hookgate does not run, in a file that its agent reads too. The other hooks of the file are
 * in force.
 *
 * If its failure is to matter, it fails where it would have run; otherwise it is mentioned once, as the session begins.
 */
export function unsupportedRule(
  reading: RulesFileState,
  { id, spelled, matcher, path }: HookPosition,
  { type, onFailure = 'continue' }: ForeignHook,
  events: readonly EventName[],
): Rule {
  const guards = onFailure !== 'continue'
  const message = `this hook is not run: hookgate runs \`command\` and \`policy\` hooks, not \`${type}\` hooks`
  const remedy = guards
    ? `where it would run, it counts as failed (\`onFailure\` is \`${onFailure}\`): move it to a file that only the agent reads`
    : 'the agent runs it itself if it reads this file'
  problem(reading, 'warning', [...path, 'type'], 'value', message, remedy)
  return builtinRule({
    id,
    source: reading.source,
    builtin: {
      kind: 'unsupported',
      what: `\`${type}\` hook`,
      why: `hookgate runs \`command\` and \`policy\` hooks, not \`${type}\` hooks`,
    },
    match: guards ? { spelled, events, matcher } : { spelled: 'SessionStart', events: ['SessionStart'] },
    onFailure,
    mode: reading.mode,
  })
}

/** Makes a rule that says, as the session begins, that no call can meet the hooks of a group. They stay silent. */
export function unmatchedRule(
  { source, mode }: RulesFileState,
  id: string,
  matcher: string,
  problems: readonly Omit<Refusal, 'kind'>[],
): Rule {
  const reasons = problems.map(({ message, remedy }) => (remedy === undefined ? message : `${message}; ${remedy}`))
  const why = `its matcher ${quoted(matcher)} matches no tool: ${reasons.join('; ')}`
  const match = { spelled: 'SessionStart', events: ['SessionStart'] } as const
  return builtinRule({
    id,
    source,
    builtin: { kind: 'unsupported', what: 'hook', why },
    match,
    onFailure: 'continue',
    mode,
  })
}
