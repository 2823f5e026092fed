import { z } from 'zod'
import { notification, stopping, subagentStopping } from '../table/claude-own.ts'
import { outputIn, textIn, toolCall, toolResult } from '../table/own.ts'
import { sameNames } from '../table/same-names.ts'
import { snakeFrame } from '../table/snake-frame.ts'
import { carries } from './carries.ts'

const agent = 'droid'

const frame = snakeFrame({
  projectVariables: ['FACTORY_PROJECT_DIR', 'DROID_PROJECT_DIR'],
  permissionMode: 'auto-low',
  noTranscript: '',
  extraFields: { message_id: z.string().optional() },
})

/** The events of droid 0.225. Its documentation spells the fields in camel case; what it sends is in snake case. */
export const rows = sameNames({
  frame,
  carries,
  textIsContext: ['SessionStart', 'UserPromptSubmit'],
  // At `PreToolUse`, `decision: block` is read over.
  decides: {
    PreToolUse: 'permission',
    PostToolUse: 'block',
    UserPromptSubmit: 'block',
    Stop: 'block',
    SubagentStop: 'block',
  },
  form: { effects: ['allow', 'ask'] },
  own: [
    ['PreToolUse', toolCall(agent)],
    ['PostToolUse', toolResult(agent, outputIn('tool_response', 'duration_ms'))],
    ['UserPromptSubmit', textIn('prompt', 'prompt')],
    ['SessionStart', textIn('source', 'trigger', 'startup')],
    ['SessionEnd', textIn('reason', 'trigger', 'other')],
    ['Stop', stopping],
    ['SubagentStop', subagentStopping],
    ['PreCompact', textIn('trigger', 'trigger', 'auto')],
    ['Notification', notification],
  ],
})
