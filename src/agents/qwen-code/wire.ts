import { z } from 'zod'
import { anything } from '../codec/mismatch.ts'
import { qwenCode } from './index.ts'
import {
  fixed,
  nothing,
  notification,
  outputIn,
  snakeFrame,
  stopping,
  subagentStarting,
  subagentStopping,
  textIn,
  together,
  toolCall,
  toolResult,
} from '../table/event-fields.ts'
import { claudeRows } from '../table/claude-form.ts'
import { dialectBy } from '../table/dialect-by.ts'
import { type JsonObject, textAt } from '../../model/json.ts'

const agent = qwenCode.name

const frame = snakeFrame({
  projectVariables: ['QWEN_PROJECT_DIR'],
  timestamp: true,
  permissionMode: 'default',
  noTranscript: '',
})

const result = outputIn('tool_response', 'duration_ms')
const failure = outputIn('tool_response', 'duration_ms', 'error')

/**
 * The events of Qwen Code 0.24.4, as its hooks received them; unobserved ones follow its documentation.
 *
 * The deletion of a session (`SessionDelete`) is not among hookgate's events.
 */
const rows = claudeRows({
  frame,
  textIsContext: ['SessionStart', 'UserPromptSubmit'],
  form: { effects: ['allow', 'ask'], alsoRefuses: ['block', 'deny'], stopAtCall: 'refuses' },
  events: [
    ['PreToolUse', 'permission', toolCall(agent)],
    ['PermissionRequest', 'behavior', toolCall(agent)],
    ['PermissionDenied', 'nothing', toolCall(agent, {}, 'after')],
    ['PostToolUse', 'nothing', toolResult(agent, result)],
    ['PostToolUseFailure', 'nothing', toolResult(agent, failure)],
    ['PostToolBatch', 'nothing', fixed({ tool_calls: z.array(anything).optional() }, { tool_calls: [] })],
    ['UserPromptSubmit', 'block', textIn('prompt', 'prompt')],
    ['UserPromptExpansion', 'nothing', together(textIn('command_name', 'trigger'), textIn('prompt', 'prompt'))],
    ['SessionStart', 'nothing', textIn('source', 'trigger', 'startup')],
    ['SessionEnd', 'nothing', textIn('reason', 'trigger', 'other')],
    ['Stop', 'block', stopping],
    ['StopFailure', 'nothing', textIn('error', 'trigger')],
    ['SubagentStart', 'nothing', subagentStarting],
    ['SubagentStop', 'block', subagentStopping],
    ['PreCompact', 'nothing', textIn('trigger', 'trigger', 'auto')],
    ['PostCompact', 'nothing', textIn('trigger', 'trigger', 'auto')],
    ['Notification', 'nothing', notification],
    ['MessageDisplay', 'nothing', textIn('message', 'message')],
    ['InstructionsLoaded', 'nothing', textIn('load_reason', 'trigger', 'session_start')],
    // Claude Code's name for these is tasks.
    ['TodoCreated', 'nothing', nothing],
    ['TodoCompleted', 'nothing', nothing],
  ],
})

/** The hooks of Qwen Code, as of 0.24.4. */
export const dialect = dialectBy(qwenCode, {
  rows,
  recognises,
  // With code 2 stdout is ignored, and without a reason on stderr the tool runs.
  outcome(exitCode, _row, { stderr }) {
    if (exitCode === 2) return stderr.trim() === '' ? 'fails' : 'refuses'
    return exitCode === 1 || exitCode === null ? 'reads' : 'fails'
  },
  runsIn: 'project',
  variables: (_event, root) => ({
    QWEN_PROJECT_DIR: root,
    GEMINI_PROJECT_DIR: root,
    CLAUDE_PROJECT_DIR: root,
  }),
})

/**
 * Tells Qwen Code from Claude Code by the timestamp it has from Gemini CLI, its ancestor, or by a second id for each
 * call.
 */
function recognises(wire: JsonObject): boolean {
  if (/[/\\]\.qwen[/\\]/.test(textAt(wire, 'transcript_path') ?? '')) return true
  return 'tool_call_id' in wire || ('timestamp' in wire && 'permission_mode' in wire)
}
