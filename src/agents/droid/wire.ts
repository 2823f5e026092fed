import { z } from 'zod'
import { droid } from './index.ts'
import {
  notification,
  outputIn,
  snakeFrame,
  stopping,
  subagentStopping,
  textIn,
  toolCall,
  toolResult,
} from '../table/event-fields.ts'
import { claudeRows } from '../table/claude-form.ts'
import { dialectBy } from '../table/dialect-by.ts'
import { type JsonObject, textAt } from '../../model/json.ts'

const agent = droid.name

const frame = snakeFrame({
  projectVariables: ['FACTORY_PROJECT_DIR', 'DROID_PROJECT_DIR'],
  permissionMode: 'auto-low',
  noTranscript: '',
  extraFields: { message_id: z.string().optional() },
})

/** MCP tools are `server___tool`, as measured with droid 0.225; no tool of its own has that sign. */
const spelling = {
  mcp(name: string): readonly [string, string] | undefined {
    const [, server, tool] = /^(.+?)___(.+)$/s.exec(name) ?? []
    return server === undefined || tool === undefined ? undefined : [server, tool]
  },
}

/** The events of droid 0.225. Its documentation spells the fields in camel case; what it sends is in snake case. */
const rows = claudeRows({
  frame,
  textIsContext: ['SessionStart', 'UserPromptSubmit'],
  form: { effects: ['allow', 'ask'] },
  events: [
    // `decision: block` has no effect at this event.
    ['PreToolUse', 'permission', toolCall(agent, spelling)],
    ['PostToolUse', 'block', toolResult(agent, outputIn('tool_response', 'duration_ms'), spelling)],
    ['UserPromptSubmit', 'block', textIn('prompt', 'prompt')],
    ['SessionStart', 'nothing', textIn('source', 'trigger', 'startup')],
    ['SessionEnd', 'nothing', textIn('reason', 'trigger', 'other')],
    ['Stop', 'block', stopping],
    ['SubagentStop', 'block', subagentStopping],
    ['PreCompact', 'nothing', textIn('trigger', 'trigger', 'auto')],
    ['Notification', 'nothing', notification],
  ],
})

/** The hooks of Factory's droid, as of 0.225. */
export const dialect = dialectBy(droid, {
  rows,
  recognises,
  // Code 3 silently ends the agent, so a hook that exits with it does not want the tool to run.
  outcome: (exitCode) => (exitCode === 2 || exitCode === 3 ? 'refuses' : 'reads'),
  runsIn: 'session',
  variables: (_event, root) => ({
    FACTORY_PROJECT_DIR: root,
    DROID_PROJECT_DIR: root,
    CLAUDE_PROJECT_DIR: root,
  }),
})

const modes: ReadonlySet<unknown> = new Set(['off', 'spec', 'auto-low', 'auto-medium', 'auto-high'])

/** Tells droid from Claude Code by its own permission modes. */
function recognises(wire: JsonObject): boolean {
  if (/[/\\]\.factory[/\\]/.test(textAt(wire, 'transcript_path') ?? '')) return true
  return modes.has(wire['permission_mode'])
}
