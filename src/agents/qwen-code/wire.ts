import { z } from 'zod'
import { anything } from '../json-schemas.ts'
import { notification, stopping, subagentStarting, subagentStopping } from '../table/claude-own.ts'
import { fixed, nothing, outputIn, textIn, together, toolCall, toolResult } from '../table/own.ts'
import { sameNames } from '../table/same-names.ts'
import { snakeFrame } from '../table/snake-frame.ts'
import { carries } from './carries.ts'

const agent = 'qwen-code'

const frame = snakeFrame({
  projectVariables: ['QWEN_PROJECT_DIR'],
  timestamp: true,
  permissionMode: 'default',
  noTranscript: '',
})

const result = outputIn('tool_response', 'duration_ms')
const failure = outputIn('tool_response', 'duration_ms', 'error')

/**
 * The events of Qwen Code 0.24.4, in the shape of those that its hooks were sent; the rest as it documents them. A session
 * that is deleted (`SessionDelete`) is none of hookgate's.
 */
export const rows = sameNames({
  frame,
  carries,
  textIsContext: ['SessionStart', 'UserPromptSubmit'],
  decides: {
    PreToolUse: 'permission',
    PermissionRequest: 'behavior',
    UserPromptSubmit: 'block',
    Stop: 'block',
    SubagentStop: 'block',
  },
  form: { effects: ['allow', 'ask'], alsoRefuses: ['block', 'deny'], stopAtCall: 'refuses' },
  // What Claude Code calls tasks are todos there.
  spelled: { TaskCreated: 'TodoCreated', TaskCompleted: 'TodoCompleted' },
  own: [
    ['PreToolUse', toolCall(agent)],
    ['PermissionRequest', toolCall(agent)],
    ['PermissionDenied', toolCall(agent, {}, 'after')],
    ['PostToolUse', toolResult(agent, result)],
    ['PostToolUseFailure', toolResult(agent, failure)],
    ['PostToolBatch', fixed({ tool_calls: z.array(anything).optional() }, { tool_calls: [] })],
    ['UserPromptSubmit', textIn('prompt', 'prompt')],
    ['UserPromptExpansion', together(textIn('command_name', 'trigger'), textIn('prompt', 'prompt'))],
    ['SessionStart', textIn('source', 'trigger', 'startup')],
    ['SessionEnd', textIn('reason', 'trigger', 'other')],
    ['Stop', stopping],
    ['StopFailure', textIn('error', 'trigger')],
    ['SubagentStart', subagentStarting],
    ['SubagentStop', subagentStopping],
    ['PreCompact', textIn('trigger', 'trigger', 'auto')],
    ['PostCompact', textIn('trigger', 'trigger', 'auto')],
    ['Notification', notification],
    ['MessageDisplay', textIn('message', 'message')],
    ['InstructionsLoaded', textIn('load_reason', 'trigger', 'session_start')],
    ['TaskCreated', nothing],
    ['TaskCompleted', nothing],
  ],
})
