import { describe, expect, it } from 'vitest'
import { recognises } from '../../../src/agents/claude-code/wire.ts'
import { agents } from '../../../src/agents/registry.ts'
import { EventName } from '../../../src/model/event.ts'
import { claudeWire } from '../../support/claude-wires.ts'

it.each(EventName.options)('recognises a %s of Claude Code', (name) => {
  expect(recognises(claudeWire(name))).toBe(true)
  expect(recognises(claudeWire(name, { field_of_tomorrow: true }))).toBe(true)
})

it.each(['session_id', 'transcript_path', 'cwd', 'hook_event_name'])('does not claim an event without %s', (field) => {
  expect(recognises(claudeWire('Stop', { [field]: undefined }))).toBe(false)
  expect(recognises(claudeWire('Stop', { [field]: null }))).toBe(false)
})

describe('does not claim', () => {
  it.each<[string, EventName, Record<string, unknown>]>([
    ['an event that Claude Code does not have (Gemini CLI)', 'PreToolUse', { hook_event_name: 'BeforeTool' }],
    ['an event with the time (Gemini CLI, Qwen Code, Copilot)', 'SessionEnd', { timestamp: '2026-01-01T00:00:00Z' }],
    ['an event with a turn (Codex)', 'PreToolUse', { turn_id: 't' }],
    ['an event with a model (Codex)', 'PreToolUse', { model: 'm' }],
    ['a session start with a model and a mode (Codex)', 'SessionStart', { permission_mode: 'default' }],
    ['a transcript of Codex', 'SessionEnd', { transcript_path: '/home/someone/.codex/sessions/rollout.jsonl' }],
    ['a transcript of droid on Windows', 'SessionEnd', { transcript_path: String.raw`C:\u\.factory\sessions\a.jsonl` }],
    ['a stop with a message id (droid)', 'Stop', { message_id: 'm' }],
    ['a mode of Qwen Code', 'UserPromptSubmit', { permission_mode: 'yolo' }],
    ['a mode of droid', 'PreToolUse', { permission_mode: 'auto-low' }],
    ['a second call id (Qwen Code)', 'PreToolUse', { tool_call_id: 'c' }],
    ['a conversation (Cursor)', 'PreToolUse', { conversation_id: 'c' }],
    ['an event of Cline', 'PreToolUse', { hookName: 'PreToolUse' }],
    ['an event of a task', 'PreToolUse', { taskId: 't' }],
  ])('%s', (_what, name, changes) => {
    expect(recognises(claudeWire(name, changes))).toBe(false)
  })
})

const foreignFolders = agents.filter(({ name }) => name !== 'claude-code').flatMap(({ folders }) => folders)
it.each(foreignFolders)('does not claim an event whose transcript is in %s', (folder) => {
  expect(recognises(claudeWire('Stop', { transcript_path: `/home/someone/${folder}/a.jsonl` }))).toBe(false)
  expect(recognises(claudeWire('Stop', { transcript_path: `/home/someone/.claude/x${folder}/a.jsonl` }))).toBe(true)
})
