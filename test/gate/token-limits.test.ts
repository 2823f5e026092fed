/* oxlint-disable unicorn/no-thenable -- a word of the settings; nothing of it is awaited */
import { appendFileSync, mkdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGate, type Gate } from '../../src/library/index.ts'
import type { KnownAgent } from '../../src/agents/registry.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { pastLimits } from '../../src/model/past-limits.ts'
import { emptyHome, missing } from '../support/own-folder.ts'
import { claudeShell } from '../support/wire.ts'
import { folderWith } from '../support/workspace.ts'

const nowMs = Date.now()
const hoursAgo = (hours: number) => new Date(nowMs - hours * 3_600_000).toISOString()

/** A gate whose only rules are these. @param more options: a state folder */
function gateWith(tokens: object, more: object = {}): Gate {
  const root = folderWith({ 'hooks.json': { json: { limits: { tokens } } } })
  const gate = createGate({ home: emptyHome, managedFolder: missing, rules: [join(root, 'hooks.json')], ...more })
  onTestFinished(() => gate.close())
  return gate
}

const lines = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')

function sessionFile(records: readonly object[], path = 'p/s.jsonl'): string {
  const file = join(folderWith({}), path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, lines(records))
  return file
}

const claude = (id: string, usage: object, timestamp = hoursAgo(0.1)) => ({
  type: 'assistant',
  sessionId: 's',
  timestamp,
  message: { id, role: 'assistant', content: [], usage },
})

async function say(gate: Gate, wire: JsonObject, agent: KnownAgent = 'claude-code'): Promise<string> {
  const verdict = await gate.decide(await gate.decode(wire, { agent }))
  const isEnded = verdict.obligations.some(({ kind }) => kind === 'stop')
  return verdict.decision === 'abstain' ? 'passed' : `${isEnded ? 'stop' : verdict.decision}: ${verdict.reason}`
}

/** A call of a Claude Code session. */
const callOf = (file: string, session = 's') => claudeShell('ls', '/', { session_id: session, transcript_path: file })

const snake = (event: string, tool: string) => (file: string) => ({
  session_id: 's',
  transcript_path: file,
  cwd: '/',
  hook_event_name: event,
  tool_name: tool,
  tool_input: { command: 'ls' },
  timestamp: new Date().toISOString(),
})

/** What each agent writes, of which 99 tokens count, and one more. */
const agents = [
  {
    agent: 'claude-code',
    wire: callOf,
    records: [
      { type: 'user', message: { role: 'user', content: 'a "usage" of words' } },
      claude('m1', { input_tokens: 5, output_tokens: 1, cache_read_input_tokens: 70_000 }),
      claude('m1', { input_tokens: 5, output_tokens: 40, cache_read_input_tokens: 70_000 }),
      claude('m2', { input_tokens: 4, cache_creation_input_tokens: 30, output_tokens: 20 }),
    ],
    more: claude('m3', { input_tokens: 0, output_tokens: 1 }),
  },
  {
    agent: 'codex',
    wire: snake('PreToolUse', 'Bash'),
    records: [
      { type: 'session_meta', payload: { id: 's', cwd: '/' } },
      { type: 'event_msg', payload: { type: 'token_count', info: null } },
      ...[50, 99, 99].map((total) => ({
        type: 'event_msg',
        payload: {
          type: 'token_count',
          info: {
            total_token_usage: { input_tokens: total + 880, cached_input_tokens: 900, total_tokens: total + 900 },
            last_token_usage: { input_tokens: 40, cached_input_tokens: 0, total_tokens: 49 },
          },
        },
      })),
    ],
    more: {
      type: 'event_msg',
      payload: { type: 'token_count', info: { total_token_usage: { cached_input_tokens: 950, total_tokens: 1050 } } },
    },
  },
  {
    agent: 'gemini-cli',
    wire: snake('BeforeTool', 'run_shell_command'),
    records: [
      { sessionId: 's', projectHash: 'h', kind: 'main' },
      { id: 'g1', type: 'gemini', content: '' },
      { id: 'g1', type: 'gemini', tokens: { input: 800, output: 40, cached: 760, thoughts: 5, tool: 0, total: 845 } },
      { $set: { messages: [{ id: 'g1', type: 'gemini', tokens: { total: 845, cached: 760 } }] } },
      { id: 'g2', type: 'gemini', tokens: { input: 10, output: 4, cached: 0, thoughts: 0, tool: 0, total: 14 } },
    ],
    more: { id: 'g3', type: 'gemini', tokens: { total: 1 } },
  },
  {
    agent: 'qwen-code',
    wire: snake('PreToolUse', 'run_shell_command'),
    records: [
      {
        uuid: 'q1',
        type: 'assistant',
        usageMetadata: { promptTokenCount: 500, cachedContentTokenCount: 450, totalTokenCount: 549 },
      },
      { uuid: 'q2', type: 'tool_result', usageMetadata: { totalTokenCount: 7 } },
    ],
    more: { uuid: 'q3', type: 'assistant', usageMetadata: { totalTokenCount: 1 } },
  },
  {
    agent: 'pi',
    wire: (file: string) => ({
      type: 'tool_call',
      agent: 'pi',
      piSession: 's',
      sessionFile: file,
      cwd: '/',
      timestamp: Date.now(),
      toolCallId: 'c',
      toolName: 'bash',
      input: { command: 'ls' },
    }),
    records: [
      { type: 'session', id: 's', cwd: '/', timestamp: hoursAgo(1) },
      {
        type: 'message',
        id: 'p1',
        message: {
          role: 'assistant',
          usage: { input: 9, output: 60, cacheRead: 5000, cacheWrite: 30, totalTokens: 5099 },
        },
      },
    ],
    more: { type: 'message', id: 'p2', message: { role: 'assistant', usage: { input: 0, output: 1 } } },
  },
] as const

describe('limits on tokens', () => {
  it.each(agents)('count what the session files of $agent say, each message once, no cache', async (one) => {
    const gate = gateWith({ session: 100, then: 'ask' })
    const file = sessionFile(one.records)
    expect(await say(gate, one.wire(file), one.agent)).toBe('passed')
    appendFileSync(file, lines([one.more]))
    expect(await say(gate, one.wire(file), one.agent)).toMatch(/^ask: this session has spent 100 tokens, of 100/)
  })

  it.each([
    ['claude-code', 'p/s/subagents/agent-1.jsonl'],
    ['qwen-code', 'subagents/s/agent-1.jsonl'],
    ['gemini-cli', 'p/s/1.jsonl'],
  ] as const)('count the sub-agents of a session of %s with it', async (agent, path) => {
    const one = agents.find((some) => some.agent === agent)
    const gate = gateWith({ session: 100 })
    const file = sessionFile(one?.records ?? [])
    const child = join(dirname(dirname(file)), path)
    mkdirSync(dirname(child), { recursive: true })
    writeFileSync(child, lines([one?.more ?? {}]))
    expect(await say(gate, one?.wire(file) ?? {}, agent)).toMatch(/^deny: .*100 tokens/)
  })

  it.each(['opencode', 'kilo'] as const)('are counted in the database of %s, with sub-agents', async (agent) => {
    const data = folderWith({})
    const file = join(data, agent, `${agent}.db`)
    mkdirSync(dirname(file))
    const database = new DatabaseSync(file)
    onTestFinished(() => database.close())
    database.exec(`PRAGMA journal_mode = WAL;
      CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT);
      CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
      INSERT INTO session VALUES ('s', NULL), ('sub', 's'), ('below', 'sub'), ('other', NULL)`)
    let messages = 0
    const spend = (session: string, tokens: object, atMs = nowMs - 60_000) =>
      database
        .prepare('INSERT INTO message VALUES (?, ?, ?, ?)')
        .run(`m${(messages += 1)}`, session, atMs, JSON.stringify({ role: 'assistant', tokens }))
    spend('s', { input: 10, output: 20, reasoning: 5, cache: { read: 70_000, write: 4 } })
    spend('sub', { input: 20 })
    spend('below', { input: 40 })
    spend('other', { input: 5000 }, nowMs - 30 * 3_600_000)
    database.exec("INSERT INTO message VALUES ('user', 's', 1, '{\"role\":\"user\"}'), ('odd', 's', 1, 'no JSON')")
    const wire = (sessionID: string, more: object = {}) => ({
      agent,
      event: 'tool.execute.before',
      sessionID,
      directory: '/',
      timestamp: Date.now(),
      tool: 'bash',
      callID: 'c',
      args: { command: 'ls' },
      ...more,
    })
    const gate = gateWith({ session: 100, day: 150 }, { env: { XDG_DATA_HOME: data } })
    expect(await say(gate, wire('s'), agent)).toBe('passed')
    spend('sub', { output: 1 })
    expect(await say(gate, wire('sub', { rootSessionID: 's' }), agent)).toMatch(/^deny: .*session has spent 100 tokens/)
    database.exec("DELETE FROM message WHERE session_id = 'below'")
    expect(await say(gate, wire('s'), agent)).toMatch(/^deny: .*100 tokens/)
    spend('other', { output: 49 })
    expect(await say(gate, wire('other'), agent)).toMatch(/^deny: this session has spent 5,049/)
    expect(await say(gate, wire('none'), agent)).toMatch(/^deny: .*no database in .* has the session/)
  })

  it('of a day hold for all sessions of the last 24 hours together', async () => {
    const gate = gateWith({ day: 100, then: 'stop' })
    const first = sessionFile([claude('a', { output_tokens: 5000 }, hoursAgo(30)), claude('b', { output_tokens: 60 })])
    const second = sessionFile([claude('c', { output_tokens: 39 })])
    expect(await say(gate, callOf(first, 'one'))).toBe('passed')
    expect(await say(gate, callOf(second, 'two'))).toBe('passed')
    appendFileSync(second, lines([claude('d', { output_tokens: 1 })]))
    expect(await say(gate, callOf(second, 'two'))).toMatch(/^stop: .*24 hours, all sessions together have spent 100/)
    expect(await say(gate, callOf(first, 'one'))).toMatch(/^stop/)
  })

  it('are read on by the next process where the last one has stopped', async () => {
    const state = folderWith({})
    const file = sessionFile([claude('a', { output_tokens: 60 })])
    const first = gateWith({ session: 100 }, { state })
    expect(await say(first, callOf(file))).toBe('passed')
    await first.close()
    // As long as before, so only who reads it again sees another number.
    writeFileSync(file, lines([claude('a', { output_tokens: 99 }), claude('b', { output_tokens: 39 })]))
    const second = gateWith({ session: 100 }, { state })
    expect(await say(second, callOf(file))).toBe('passed')
    appendFileSync(file, lines([claude('c', { output_tokens: 1 })]))
    expect(await say(second, callOf(file))).toMatch(/^deny: .*100 tokens/)
  })

  it('are not lowered by a file that is cut, or replaced by another one', async () => {
    const gate = gateWith({ session: 100 })
    const file = sessionFile([claude('a', { output_tokens: 60 }), claude('b', { output_tokens: 60 })])
    expect(await say(gate, callOf(file))).toMatch(/^deny/)
    truncateSync(file, 0)
    expect(await say(gate, callOf(file))).toMatch(/^deny: .*120 tokens/)
    rmSync(file)
    writeFileSync(file, lines([claude('c', { output_tokens: 70 })]))
    expect(await say(gate, callOf(file))).toMatch(/^deny: .*120 tokens/)
    appendFileSync(file, lines([claude('d', { output_tokens: 70 })]))
    expect(await say(gate, callOf(file))).toMatch(/^deny: .*140 tokens/)
  })

  it('do not stop at a record of a time that is still to come', async () => {
    const gate = gateWith({ session: 100 })
    const file = sessionFile([claude('a', {}, hoursAgo(-99)), claude('b', { output_tokens: 100 })])
    expect(await say(gate, callOf(file))).toMatch(/^deny: .*100 tokens/)
  })

  it('of a call that is decided again count what was spent before it', async () => {
    const gate = gateWith({ session: 100 })
    const file = sessionFile([
      claude('a', { output_tokens: 60 }, hoursAgo(5)),
      claude('b', { output_tokens: 60 }, hoursAgo(3)),
    ])
    const event = await gate.decode(callOf(file))
    const decidedAt = async (hours: number) =>
      (await gate.decide({ ...event, atMs: nowMs - hours * 3_600_000 })).decision
    expect([await decidedAt(4), await decidedAt(2)]).toEqual(['abstain', 'deny'])
  })

  it.each([
    ['is not there', (file: string) => rmSync(file)],
    ['is a folder', (file: string) => (rmSync(file), mkdirSync(file))],
  ])('fail where the session file %s', async (_, change) => {
    const gate = gateWith({ session: 100 })
    const file = sessionFile([])
    expect(await say(gate, callOf(file))).toBe('passed')
    change(file)
    expect(await say(gate, callOf(file))).toMatch(/^deny: .*the tokens that were spent before are not known/)
  })

  it('fail for a call without a session file, and pass for an agent whose files never say it', async () => {
    const gate = gateWith({ session: 100 })
    const bare = { ...snake('PreToolUse', 'Bash')(''), transcript_path: null }
    expect(await say(gate, bare, 'codex')).toMatch(/^deny: .*names no session file/)
    const copilot = { sessionId: 's', cwd: '/', timestamp: Date.now(), toolName: 'bash', toolArgs: { command: 'ls' } }
    expect(await say(gate, copilot, 'copilot-cli')).toBe('passed')
  })

  it('fail for a file that has grown by more than is read for one call, until it is read', async () => {
    const gate = gateWith({ session: 100 })
    const file = sessionFile([claude('a', { output_tokens: 60 })])
    const filler = `${JSON.stringify({ type: 'user', message: 'x'.repeat(1024 * 1024) })}\n`
    while (statSync(file).size <= pastLimits.tokenBytesMax) appendFileSync(file, filler)
    appendFileSync(file, lines([claude('b', { output_tokens: 30 })]))
    expect(await say(gate, callOf(file))).toMatch(/^deny: .*has grown by more than 16 MiB: the next call reads on/)
    expect(await say(gate, callOf(file))).toBe('passed')
    appendFileSync(file, lines([claude('c', { output_tokens: 10 })]))
    expect(await say(gate, callOf(file))).toMatch(/^deny: .*100 tokens/)
  })

  it.each([
    [{}, /must say how many a `session` or a `day` may have/],
    [{ session: 0 }, /session/],
    [{ session: '5M' }, /session/],
    [{ week: 5 }, /unknown key `week`/],
    [{ session: 5, then: 'warn' }, /then/],
  ])('%j are refused by name', async (tokens, message) => {
    await expect(gateWith(tokens).rulesFor({ workspaceRoots: [] })).rejects.toThrow(message)
  })
})
