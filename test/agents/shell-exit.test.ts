import { describe, expect, it } from 'vitest'
import { dialectOf } from '../../src/agents/index.ts'
import { hasFailed } from '../../src/agents/registry.ts'
import type { JsonObject } from '../../src/model/json.ts'

const around = { env: {}, cwd: '/w', home: '/', platform: 'linux', nowMs: 0 } as const

/** What each program sends after a shell command, as measured: one that succeeds and prints `Exit code: 7`, and others. */
const gemini = (text: string): JsonObject => ({
  session_id: 's',
  transcript_path: '/t',
  cwd: '/w',
  timestamp: '2026-11-29T14:00:00Z',
  hook_event_name: 'AfterTool',
  tool_name: 'run_shell_command',
  tool_input: { command: 'make' },
  tool_response: { llmContent: text, returnDisplay: '' },
})
const copilot = (text: string): JsonObject => ({
  sessionId: 's',
  timestamp: 1,
  cwd: '/w',
  toolName: 'bash',
  toolArgs: { command: 'make' },
  toolResult: { resultType: 'success', textResultForLlm: text },
})
const plugin = (agent: string, exit: number | undefined, tool = 'bash'): JsonObject => ({
  agent,
  event: 'tool.execute.after',
  sessionID: 's',
  directory: '/w',
  timestamp: 1,
  tool,
  callID: 'c',
  args: { command: 'make' },
  output: 'Exit code: 7\n',
  ...(exit !== undefined && { exit }),
})
const grok = (exit_code: number | null): JsonObject => ({
  hookEventName: 'post_tool_use',
  hook_event_name: 'PostToolUse',
  sessionId: 's',
  cwd: '/w',
  toolName: 'run_terminal_command',
  toolUseId: 'c',
  toolInput: { command: 'make' },
  toolResult: { type: 'Bash', output: [], output_for_prompt: 'exit: 7\n', exit_code, command: 'make' },
})
const rows: readonly (readonly [agent: string, wire: JsonObject, failed: boolean])[] = [
  ['gemini-cli', gemini('Output: Exit code: 7\nProcess Group PGID: 1'), false],
  [
    'gemini-cli',
    gemini('<untrusted_context>\nOutput: no\nExit Code: 3\nProcess Group PGID: 1\n</untrusted_context>'),
    true,
  ],
  ['gemini-cli', gemini('Output: no\nExit Code: 3\nBackground PIDs: 1, 2\nProcess Group PGID: 1'), true],
  ['gemini-cli', gemini('Output: Exit Code: 3\nand more'), false],
  ['copilot-cli', copilot('Exit code: 7\n<shellId: 1 completed with exit code 0>'), false],
  ['copilot-cli', copilot('no\n<shellId: 3 completed with exit code 127>'), true],
  ['copilot-cli', copilot('<shellId: 3 completed with exit code 127>\nis what it printed'), false],
  ['opencode', plugin('opencode', 0), false],
  ['opencode', plugin('opencode', 3), true],
  ['opencode', plugin('opencode', undefined), false],
  ['kilo', plugin('kilo', 1), true],
  ['grok-build', grok(0), false],
  ['grok-build', grok(1), true],
  ['grok-build', grok(null), false],
]

describe('a shell command that comes as one that has succeeded', () => {
  it.each(rows)('has failed by the exit code that %s says beside its output: %j', async (agent, wire, failed) => {
    const event = (await dialectOf(agent)).decodeEvent(wire, around)
    expect([event.name, event.tool?.kind]).toEqual(['PostToolUse', 'shell'])
    expect(hasFailed(event)).toBe(failed)
  })

  it('is one whose event has another tool, whatever its text says', async () => {
    const read = { ...gemini('Output: no\nExit Code: 3'), tool_name: 'read_file', tool_input: { file_path: '/a' } }
    expect(hasFailed((await dialectOf('gemini-cli')).decodeEvent(read, around))).toBe(false)
  })
})
