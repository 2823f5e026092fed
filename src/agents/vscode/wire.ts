import { z } from 'zod'
import { mcpByName } from '../tool-names.ts'
import {
  outputIn,
  sessionSource,
  snakeFrame,
  stopping,
  subagentStarting,
  subagentStopping,
  textIn,
  toolCall,
  toolResult,
} from '../table/event-fields.ts'
import { claudeRows } from '../table/claude-form.ts'
import { dialectBy } from '../table/dialect-by.ts'
import { vscode } from './index.ts'
import { type JsonObject, textAt } from '../../model/json.ts'

const agent = vscode.name

const frame = snakeFrame({ timestamp: true, noTranscript: '', extraFields: { cwd: z.string().optional() } })

const spelling = { mcp: mcpByName }

/** The events of VS Code's chat, by its source; its documentation spells their fields in camel case. */
const rows = claudeRows({
  frame,
  form: { effects: ['allow', 'ask'], alsoRefuses: ['block'] },
  events: [
    ['PreToolUse', 'permission', toolCall(agent, spelling)],
    ['PostToolUse', 'block', toolResult(agent, outputIn('tool_response', 'duration_ms'), spelling)],
    ['UserPromptSubmit', 'block', textIn('prompt', 'prompt')],
    ['SessionStart', 'nothing', sessionSource],
    ['Stop', 'block', stopping],
    ['SubagentStart', 'nothing', subagentStarting],
    ['SubagentStop', 'block', subagentStopping],
    ['PreCompact', 'nothing', textIn('trigger', 'trigger', 'auto')],
  ],
})

/**
 * The hooks of VS Code's agent mode, by the source of September 2026. It ignores matchers: every hook runs for every
 * tool.
 */
export const dialect = dialectBy(vscode, {
  rows,
  recognises,
  runsIn: 'project',
})

/**
 * Requires a time and a transcript without a permission mode; only its source of a new session tells it from Gemini
 * CLI.
 */
function recognises(wire: JsonObject): boolean {
  if (!('timestamp' in wire) || 'permission_mode' in wire || 'tool_call_id' in wire) return false
  if (textAt(wire, 'transcript_path') === undefined) return false
  return wire['hook_event_name'] !== 'SessionStart' || wire['source'] === 'new'
}
