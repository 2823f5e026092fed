import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { readSessions } from '../../../src/review/replay/sessions.ts'
import { sha256Of } from '../../../src/files/digest.ts'
import { folderWith } from '../../support/workspace.ts'

/** Reads what the session files below a folder say of each command: that it was called, how it ended, and prompts. */
async function told(folder: string): Promise<readonly string[]> {
  const found: string[] = []
  for await (const item of readSessions([folder])) {
    if (item.kind === 'unreadable') found.push(item.why)
    else {
      const { tool_input: input = item.call.wire['args'] } = item.call.wire
      const command =
        typeof input === 'object' && input !== null && 'command' in input && typeof input.command === 'string'
          ? input.command
          : ''
      found.push(item.kind === 'call' ? command : item.became === 'prompted' ? 'prompt' : `${command} ${item.became}`)
    }
  }
  return found
}

const lines = (...records: readonly object[]) => records.map((one) => `${JSON.stringify(one)}\n`).join('')
const timestamp = '2026-11-01T10:00:00Z'
const expected = [
  'make a',
  'make a done',
  'make b',
  'make b failed',
  'make c',
  'make c failed',
  'make d',
  'prompt',
  'make a',
  'make a done',
]

describe('what became of a call, as the session file says', () => {
  it('is read of Codex, by the code in the text of a shell command', async () => {
    const item = (payload: object) => ({ timestamp, type: 'response_item', payload })
    const call = (id: string, command: string) =>
      item({ type: 'function_call', name: 'exec_command', call_id: id, arguments: JSON.stringify({ cmd: command }) })
    const output = (id: string, text: string) => item({ type: 'function_call_output', call_id: id, output: text })
    const text = lines(
      { timestamp, type: 'session_meta', payload: { id: 's', cwd: '/work' } },
      call('1', 'make a'),
      output('1', 'Chunk ID: 1\nProcess exited with code 0\nOutput:\nok'),
      call('2', 'make b'),
      output('2', 'Chunk ID: 1\nProcess exited with code 2\nOutput:\nno'),
      call('3', 'make c'),
      output('3', JSON.stringify({ output: 'no', metadata: { exit_code: 1 } })),
      call('4', 'make d'),
      item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go on' }] }),
      call('5', 'make a'),
      output('5', 'Exit code: 0\nOutput:\nok'),
    )
    expect(await told(folderWith({ 'sessions/rollout-1.jsonl': text }))).toEqual(expected)
  })

  it('is read of Gemini CLI, by the status of a call and the last lines of a shell command', async () => {
    const call = (id: string, command: string, status: string, output: string) => ({
      id: `m${id}`,
      timestamp,
      type: 'gemini',
      toolCalls: [
        {
          id,
          name: 'run_shell_command',
          args: { command },
          status,
          timestamp,
          result: [{ functionResponse: { id, response: { output } } }],
        },
      ],
    })
    const projectHash = sha256Of('/work')
    const text = lines(
      { sessionId: 's', projectHash, startTime: timestamp, directories: ['/work'] },
      call('1', 'make a', 'success', 'Output: Exit Code: 7\nProcess Group PGID: 1'),
      call('2', 'make b', 'success', 'Output: no\nExit Code: 2\nProcess Group PGID: 1'),
      call('3', 'make c', 'error', 'no such tool'),
      call('4', 'make d', 'cancelled', ''),
      { id: 'u', timestamp, type: 'user', content: [{ text: 'go on' }] },
      call(
        '5',
        'make a',
        'success',
        '<untrusted_context>\nOutput: ok\nExit Code: 0\nSignal: none\n</untrusted_context>',
      ),
    )
    expect(await told(folderWith({ '.gemini/tmp/p/chats/session-1.jsonl': text }))).toEqual(expected)
  })

  it('is read of the database of OpenCode, by the state of a call and the code that its tool gives', async () => {
    const tool = (callID: string, command: string, status: string, exit?: number) => ({
      type: 'tool',
      tool: 'bash',
      callID,
      state: { status, input: { command }, ...(exit !== undefined && { metadata: { exit } }), time: { start: 1 } },
    })
    const parts = [
      tool('1', 'make a', 'completed', 0),
      tool('2', 'make b', 'completed', 2),
      tool('3', 'make c', 'error'),
      tool('4', 'make d', 'running'),
      { type: 'text', text: 'go on' },
      tool('5', 'make a', 'completed', 0),
    ]
    const folder = folderWith()
    mkdirSync(join(folder, 'opencode'))
    const database = new DatabaseSync(join(folder, 'opencode/opencode.db'))
    database.exec(`CREATE TABLE session (id TEXT, directory TEXT, parent_id TEXT);
      CREATE TABLE message (id TEXT, session_id TEXT, data TEXT);
      CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT, time_created INTEGER)`)
    database.prepare('INSERT INTO session VALUES (?, ?, NULL)').run('s', '/work')
    for (const role of ['user', 'assistant'])
      database.prepare('INSERT INTO message VALUES (?, ?, ?)').run(role, 's', JSON.stringify({ role }))
    for (const [at, part] of parts.entries())
      database
        .prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?)')
        .run(`prt_${at}`, part.type === 'text' ? 'user' : 'assistant', 's', JSON.stringify(part), at)
    database.close()
    expect(await told(join(folder, 'opencode/opencode.db')).catch(String)).toEqual(expected)
  })
})
