import type { Dialect } from '../../model/dialect.ts'
import type { JsonObject } from '../../model/json.ts'
import { support } from './engine.ts'
import { decodeAnswer } from './decode-answer.ts'
import { decodeEvent } from './decode-event.ts'
import { encodeEvent } from './encode-event.ts'
import { encodeVerdict } from './encode-verdict.ts'
import { environment } from './environment.ts'

/**
 * The dialect of Cline.
 *
 * Hooks get events in the published protocol, that of engine A; as a caller, each of the three engines gets the answer
 * that it understands (see `engine.ts`).
 */
export const dialect: Dialect = {
  agent: 'cline',
  namesProject: true,
  events: [
    'PreToolUse',
    'PostToolUse',
    'UserPromptSubmit',
    'SessionStart',
    'SessionEnd',
    'Stop',
    'StopFailure',
    'PreCompact',
    'Notification',
  ],
  recognises,
  decodeEvent,
  support,
  encodeVerdict,
  encodeEvent,
  environment,
  decodeAnswer,
}

/** Recognises Cline by the names of the event and its task; Claude Code and its kin use another key for the event. */
function recognises(wire: JsonObject): boolean {
  if (Object.hasOwn(wire, 'hook_event_name')) return false
  const named = typeof (wire['hookName'] ?? wire['hook_name']) === 'string'
  return named && ['taskId', 'task_id', 'clineVersion', 'cline_version'].some((key) => Object.hasOwn(wire, key))
}
