import { z } from 'zod'
import type { JsonObject } from '../../model/json.ts'
import { stopping, subagentStarting, subagentStopping } from '../table/claude-own.ts'
import { outputIn, textIn, toolCall, toolResult } from '../table/own.ts'
import { sameNames } from '../table/same-names.ts'
import { snakeFrame } from '../table/snake-frame.ts'
import { carries } from './carries.ts'

const agent = 'codex'

const frame = snakeFrame({
  // Measured: where there is none, it is `null`.
  noTranscript: null,
  extraFields: { turn_id: z.string().optional(), model: z.string().optional() },
  extra: ({ session }, { spelled }): JsonObject =>
    spelled === 'SessionEnd'
      ? {}
      : {
          // Events of a turn name it.
          ...(spelled !== 'SessionStart' && { turn_id: '' }),
          model: session.model?.slug ?? '',
          permission_mode: modeOf(session.permissionMode),
        },
})

const modeOf = (mode: string | undefined) => (mode === undefined || mode === 'yolo' ? 'default' : mode)

/** The events of Codex 0.169, in the shape of those that its hooks were sent; the rest as its own schemas have them. */
export const rows = sameNames({
  frame,
  carries,
  textIsContext: ['SessionStart', 'SubagentStart', 'UserPromptSubmit'],
  decides: {
    PreToolUse: 'permission',
    PermissionRequest: 'behavior',
    PostToolUse: 'block',
    UserPromptSubmit: 'block',
    Stop: 'block',
    SubagentStop: 'block',
  },
  form: { closed: true, stopAtCall: 'void', rewriteNeedsAllow: true, effects: ['allow'], alsoRefuses: ['block'] },
  own: [
    ['PreToolUse', toolCall(agent)],
    ['PermissionRequest', toolCall(agent)],
    ['PostToolUse', toolResult(agent, outputIn('tool_response', 'duration_ms'))],
    ['UserPromptSubmit', textIn('prompt', 'prompt')],
    ['SessionStart', textIn('source', 'trigger', 'startup')],
    ['SessionEnd', textIn('reason', 'trigger', 'other')],
    ['Stop', stopping],
    ['SubagentStart', subagentStarting],
    ['SubagentStop', subagentStopping],
    ['PreCompact', textIn('trigger', 'trigger', 'auto')],
    ['PostCompact', textIn('trigger', 'trigger', 'auto')],
  ],
})
