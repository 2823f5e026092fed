import { z } from 'zod'
import { mcpNameFor } from '../../model/mcp-names.ts'
import { stopping, subagentStarting, subagentStopping } from '../table/claude-own.ts'
import { type Own, outputIn, textIn, toolCall, toolResult } from '../table/own.ts'
import { mcpByName } from '../table/mcp-by-name.ts'
import { sameNames } from '../table/same-names.ts'
import { snakeFrame } from '../table/snake-frame.ts'
import { carries } from './carries.ts'

const agent = 'vscode'

const frame = snakeFrame({ timestamp: true, noTranscript: '', extraFields: { cwd: z.string().optional() } })

const spelling = { mcp: mcpByName, write: (name: string) => mcpNameFor(agent, name) }

/** A session that begins is `new`. */
const starting: Own = {
  fields: { source: z.string() },
  read: ({ source }) => (typeof source === 'string' ? { trigger: source === 'new' ? 'startup' : source } : {}),
  write: ({ trigger }) => [{ source: trigger === undefined || trigger === 'startup' ? 'new' : trigger }],
}

/** The events of VS Code's chat, by its source; its documentation spells their fields in camel case. */
export const rows = sameNames({
  frame,
  carries,
  decides: {
    PreToolUse: 'permission',
    PostToolUse: 'block',
    UserPromptSubmit: 'block',
    Stop: 'block',
    SubagentStop: 'block',
  },
  form: { effects: ['allow', 'ask'], alsoRefuses: ['block'] },
  own: [
    ['PreToolUse', toolCall(agent, spelling)],
    ['PostToolUse', toolResult(agent, outputIn('tool_response', 'duration_ms'), spelling)],
    ['UserPromptSubmit', textIn('prompt', 'prompt')],
    ['SessionStart', starting],
    ['Stop', stopping],
    ['SubagentStart', subagentStarting],
    ['SubagentStop', subagentStopping],
    ['PreCompact', textIn('trigger', 'trigger', 'auto')],
  ],
})
