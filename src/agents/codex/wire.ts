import { z } from 'zod'
import { codex } from './index.ts'
import {
  outputIn,
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
import { type JsonObject, textAt } from '../../model/json.ts'

const agent = codex.name

const frame = snakeFrame({
  // Measured: without a transcript, it is `null`.
  noTranscript: null,
  extraFields: { turn_id: z.string().optional(), model: z.string().optional() },
  extra: ({ session }, { spelled }): JsonObject =>
    spelled === 'SessionEnd'
      ? {}
      : {
          // Present only in events of a turn.
          ...(spelled !== 'SessionStart' && { turn_id: '' }),
          model: session.model?.slug ?? '',
          permission_mode: modeOf(session.permissionMode),
        },
})

const modeOf = (mode: string | undefined) => (mode === undefined || mode === 'yolo' ? 'default' : mode)

/** The events of Codex 0.169, as its hooks received them; unobserved ones follow Codex's own schemas. */
const rows = claudeRows({
  frame,
  textIsContext: ['SessionStart', 'SubagentStart', 'UserPromptSubmit'],
  form: { closed: true, stopAtCall: 'void', rewriteNeedsAllow: true, effects: ['allow'], alsoRefuses: ['block'] },
  events: [
    ['PreToolUse', 'permission', toolCall(agent)],
    ['PermissionRequest', 'behavior', toolCall(agent)],
    ['PostToolUse', 'block', toolResult(agent, outputIn('tool_response', 'duration_ms'))],
    ['UserPromptSubmit', 'block', textIn('prompt', 'prompt')],
    ['SessionStart', 'nothing', textIn('source', 'trigger', 'startup')],
    ['SessionEnd', 'nothing', textIn('reason', 'trigger', 'other')],
    ['Stop', 'block', stopping],
    ['SubagentStart', 'nothing', subagentStarting],
    ['SubagentStop', 'block', subagentStopping],
    ['PreCompact', 'nothing', textIn('trigger', 'trigger', 'auto')],
    ['PostCompact', 'nothing', textIn('trigger', 'trigger', 'auto')],
  ],
})

/** The hooks of Codex CLI, as of 0.169, which sets no variables for them. */
export const dialect = dialectBy(codex, {
  rows,
  recognises,
  // Without a reason on stderr, code 2 is no refusal: the hook has failed, and the tool runs, as with any other code.
  outcome: (exitCode, _row, { stderr }) => (exitCode === 2 && stderr.trim() !== '' ? 'refuses' : 'fails'),
  runsIn: 'session',
})

/** Tells Codex from Claude Code by a turn, a model at every event, or `null` for a transcript that is not kept. */
function recognises(wire: JsonObject): boolean {
  if ('timestamp' in wire || 'conversation_id' in wire) return false
  if (wire['transcript_path'] === null || /[/\\]\.codex[/\\]/.test(textAt(wire, 'transcript_path') ?? '')) return true
  return 'turn_id' in wire || ('model' in wire && 'permission_mode' in wire)
}
