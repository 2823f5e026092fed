import type { EventName } from '../../model/event.ts'
import type { Rule } from '../../model/rule.ts'
import type { HookPosition } from './draft.ts'
import { problem, type RulesFileState } from './reading.ts'
import type { ForeignHook } from './wire.ts'

/**
 * Makes a rule of a hook that hookgate does not run, in a file that its agent reads too. The other hooks of the file are
 * in force.
 *
 * If its failure is to matter, it fails where it would have run; otherwise it is mentioned once, as the session begins.
 */
export function unrunRule(
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
  return {
    id,
    source: reading.source,
    match: {
      spelled: guards ? spelled : 'SessionStart',
      events: guards ? events : ['SessionStart'],
      triggers: undefined,
      matcher: guards ? matcher : { kind: 'any' },
      subject: { kind: 'any' },
      condition: undefined,
    },
    handler: { kind: 'builtin', builtin: { kind: 'unrun', type } },
    onFailure,
    mode: reading.mode,
    timeoutMs: undefined,
    sequence: undefined,
    untrustedReason: undefined,
  }
}
