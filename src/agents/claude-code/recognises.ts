import { EventName } from '../../model/event.ts'
import { agents } from '../registry.ts'
import { skillCommand } from './index.ts'
import { type JsonObject, textAt } from '../../model/json.ts'

/**
 * Returns whether an event is unmistakably Claude Code's.
 *
 * Codex, Qwen Code, Gemini CLI, Copilot, droid and Cursor copied its protocol, with the same event names and common
 * fields, but other tool names, input keys and answers: decoded as Claude Code's, their calls would slip past the
 * rules. So the four common fields must be present, the event must be one of the 34, and no field may be present that
 * one of the others writes and Claude Code does not, as seen in events captured from each of them:
 *
 * - `timestamp` (Qwen, Gemini, Copilot, VS Code), `tool_call_id` (Qwen, VS Code), `conversation_id` (Cursor),
 *   `hookName`, `hook_name` and `taskId` (Cline);
 * - `turn_id` (Codex) and `message_id` (droid), which Claude Code has only on `MessageDisplay`;
 * - `model` (Codex), which Claude Code has only on `SessionStart`, where Codex adds a `permission_mode`;
 * - a permission mode that Claude Code does not have (`yolo`, `auto_edit`, `off`, `auto-low`);
 * - a transcript in another agent's folder, the only mark on some events of Codex and droid.
 */
export function recognises(wire: JsonObject): boolean {
  const spelled = wire['hook_event_name']
  const name = spelled === skillCommand ? 'PreToolUse' : EventName.safeParse(spelled).data
  const transcript = textAt(wire, 'transcript_path')
  if (name === undefined || transcript === undefined) return false
  if (textAt(wire, 'session_id') === undefined || textAt(wire, 'cwd') === undefined) return false
  if (
    transcript.split(/[/\\]/).some((folder) => foreignFolders.has(folder)) ||
    foreignFields.some((field) => field in wire)
  )
    return false
  if (name !== 'MessageDisplay' && ('turn_id' in wire || 'message_id' in wire)) return false
  if ('model' in wire && (name !== 'SessionStart' || 'permission_mode' in wire)) return false
  return !('permission_mode' in wire) || permissionModes.has(wire['permission_mode'])
}

const foreignFields = ['timestamp', 'tool_call_id', 'conversation_id', 'hookName', 'hook_name', 'taskId']
const foreignFolders = new Set<string>(agents.flatMap(({ name, folders }) => (name === 'claude-code' ? [] : folders)))
const permissionModes: ReadonlySet<unknown> = new Set([
  'default',
  'plan',
  'acceptEdits',
  'auto',
  'dontAsk',
  'bypassPermissions',
])
