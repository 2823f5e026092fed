import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { dialectOf } from '../../src/agents/index.ts'
import { agents, titleOf } from '../../src/agents/registry.ts'
import { type JsonObject, parseJsonObject } from '../../src/model/json.ts'
import type { PastItem } from '../../src/model/event.ts'
import { findSessions, readSessions, sessionsAt } from '../../src/review/replay/sessions.ts'
import { folderWith } from '../support/workspace.ts'
import { missing } from '../support/own-folder.ts'

/**
 * One home for each agent, as its program left it after a session: a command, a file, an MCP tool and a sub-agent, with a
 * model that was a script. Records and texts that are no calls are cut. `hooks.jsonl` has what its hooks received; those
 * of Cline and OpenCode are written in the form in which they send events.
 */
const fixtures = fileURLToPath(new URL('../fixtures/sessions', import.meta.url))

/** Copies a home, with the databases that its SQL describes. */
function homeOf(agent: string): string {
  const home = folderWith()
  cpSync(join(fixtures, agent), home, { recursive: true })
  for (const file of readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.sql'))) {
    const database = new DatabaseSync(join(home, file.replace(/\.sql$/, '')))
    database.exec(readFileSync(join(home, file), 'utf8'))
    database.close()
  }
  return home
}

async function itemsIn(home: string): Promise<readonly PastItem[]> {
  const items: PastItem[] = []
  for await (const item of readSessions(await findSessions({ home, env: {}, platform: 'linux' }))) items.push(item)
  // What became of calls, and prompts, stand between them.
  return items.filter(({ kind }) => kind !== 'result')
}

/** Returns what rules see of an event. */
async function seenOf(agent: string, wire: JsonObject) {
  const around = { nowMs: 0, env: {}, cwd: missing }
  const { name, tool, session, workspaceRoots } = (await dialectOf(agent)).decodeEvent(wire, around)
  const { id, cwd, agentId } = session
  // Some agents number a call anew for their hooks.
  return { name, tool: { ...tool, id: undefined }, session: id, cwd, agentId, workspaceRoots }
}

/** Orders calls by their text: hooks of a sub-agent run between those of its parent. */
const sorted = (calls: readonly object[]) => calls.map((call) => JSON.stringify(call)).toSorted()

describe('the calls in an agent’s sessions', () => {
  const withSessions = agents.filter(({ sessions }) => sessions !== undefined).map(({ name }) => name)

  it('have a fixture for each agent whose sessions are read', () => {
    expect(readdirSync(fixtures).toSorted()).toEqual(withSessions.toSorted())
  })

  it('stand in the table of docs/replay.md', () => {
    const page = readFileSync(fileURLToPath(new URL('../../docs/replay.md', import.meta.url)), 'utf8')
    const rows = [...page.matchAll(/^\| ([A-Z]?[\w ]*\w) +\| `~/gm)].map(([, title = '']) => title)
    expect(rows.toSorted()).toEqual(withSessions.map(titleOf).toSorted())
  })

  it.each(withSessions)('%s: are the events that its hooks received', async (agent) => {
    const home = homeOf(agent)
    const received = readFileSync(join(home, 'hooks.jsonl'), 'utf8').trim().split('\n')
    const hooks = await Promise.all(received.map((line) => seenOf(agent, parseJsonObject(line) ?? {})))
    const items = await itemsIn(home)
    const calls = await Promise.all(
      items.map(async (item) => (item.kind === 'call' ? seenOf(item.call.agent, item.call.wire) : item)),
    )
    expect(sorted(calls)).toEqual(sorted(hooks))
    expect(hooks.map(({ tool }) => tool?.kind)).toContain('shell')
  })

  it.each(withSessions)('%s: are recognised by what is in a file that has been moved', async (agent) => {
    const home = homeOf(agent)
    const found = await findSessions({ home, env: {}, platform: 'linux' })
    for (const [at, one] of found.entries()) {
      const path = one.kind === 'session' ? one.path : ''
      const moved = join(folderWith(), /\.(?:db|sqlite)$/.test(path) ? basename(path) : `moved-${at}`)
      cpSync(path, moved)
      // oxlint-disable-next-line no-await-in-loop -- a few files
      expect(await sessionsAt([moved])).toMatchObject([{ kind: 'session', agent }])
    }
    expect(found).not.toEqual([])
    const named = await sessionsAt([home])
    expect(named.map(({ kind }) => kind)).toEqual(found.map(({ kind }) => kind))
  })

  it.each(withSessions)('%s: say when and where they were made', async (agent) => {
    for (const item of await itemsIn(homeOf(agent))) {
      expect(item).toMatchObject({ kind: 'call', call: { agent, cwd: '/home/dev/proj' } })
      const call = item.kind === 'call' ? item.call : undefined
      expect(new Date(call?.atMs ?? 0).getFullYear()).toBe(2026)
      expect(existsSync(call?.file ?? '')).toBe(true)
    }
  })
})

const lines = (...records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const patch = '*** Begin Patch\n*** Add File: note.txt\n+hi\n*** End Patch\n'
const codexItem = (payload: object) => ({ timestamp: '2026-11-20T12:00:00Z', type: 'response_item', payload })
const geminiMessage = (id: string, command: string) => ({
  id,
  type: 'gemini',
  toolCalls: [{ id: `call-${id}`, name: 'run_shell_command', args: { command } }],
})
const environment = '<environment_details>\n# Current Working Directory (/p) Files\na.txt\n</environment_details>'

/** Calls in forms that the programs above did not write, because they are older or belong to another model. */
const otherForms: readonly (readonly [title: string, files: Files, events: readonly object[]])[] = [
  [
    'Codex: commands as words, a shell of the model’s own, patches as texts, and no envelope',
    {
      '.codex/archived_sessions/rollout-a.jsonl': lines(
        { type: 'session_meta', payload: { id: 'a', cwd: '/p' } },
        codexItem({
          type: 'function_call',
          name: 'shell',
          arguments: '{"command":["bash","-lc","ls -l"],"workdir":"/p"}',
        }),
        codexItem({ type: 'local_shell_call', action: { type: 'exec', command: ['ls', 'a b'] } }),
        codexItem({ type: 'custom_tool_call', name: 'apply_patch', input: patch }),
        codexItem({ type: 'function_call', name: 'apply_patch', arguments: JSON.stringify({ input: patch }) }),
        codexItem({
          type: 'function_call',
          name: 'wait_agent',
          namespace: 'multi_agent_v1',
          arguments: '{"targets":[]}',
        }),
      ),
      '.codex/sessions/rollout-b.jsonl': lines(
        { id: 'b', timestamp: '2025-06-01T00:00:00Z', instructions: null },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'I am in\n<cwd>/p</cwd>' }] },
        { type: 'function_call', name: 'shell', arguments: '{"command":["pwd"]}' },
      ),
    },
    [
      { kind: 'shell', name: 'Bash', command: 'pwd' },
      { kind: 'shell', name: 'Bash', command: "bash -lc 'ls -l'" },
      { kind: 'shell', name: 'Bash', command: "ls 'a b'" },
      { kind: 'edit', name: 'apply_patch', paths: ['note.txt'] },
      { kind: 'edit', name: 'apply_patch', paths: ['note.txt'] },
      { name: 'multi_agent_v1wait_agent' },
    ],
  ],
  [
    'Gemini CLI: a conversation in one document, and one that is written again',
    {
      '.gemini/projects.json': JSON.stringify({ projects: { '/p': 'p', '/q': 'q' } }),
      [`.gemini/tmp/${sha256('/p')}/chats/session-1.json`]: JSON.stringify({
        sessionId: 's',
        projectHash: sha256('/p'),
        messages: [geminiMessage('1', 'ls')],
      }),
      '.gemini/tmp/p/chats/session-2.jsonl': lines(
        { sessionId: 's', projectHash: sha256('/p'), kind: 'main' },
        geminiMessage('1', 'pwd'),
        geminiMessage('1', 'pwd'),
        { $set: { messages: [geminiMessage('1', 'pwd'), geminiMessage('2', 'id')] } },
      ),
    },
    [
      { kind: 'shell', command: 'pwd' },
      { kind: 'shell', command: 'id' },
      { kind: 'shell', command: 'ls' },
    ],
  ],
  [
    'Cline: tasks of the extension, with calls as tags in a text, or in blocks',
    {
      '.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1/api_conversation_history.json': JSON.stringify([
        {
          role: 'user',
          content: [
            { type: 'text', text: '<task>x</task>' },
            { type: 'text', text: environment },
          ],
        },
        {
          role: 'assistant',
          content: [
            {
              type: 'text',
              text: 'I <b>will</b>.\n<execute_command>\n<command>ls</command>\n<requires_approval>false</requires_approval>\n</execute_command>',
            },
          ],
        },
        {
          role: 'assistant',
          content: '<write_to_file><path>a.html</path><content>\n<p>1</p></content>\n</content></write_to_file>',
        },
        {
          role: 'assistant',
          content:
            '<use_mcp_tool><server_name>notes</server_name><tool_name>add</tool_name><arguments>{"a": 1}</arguments></use_mcp_tool>',
        },
        { role: 'assistant', content: 'cut off: <execute_command><command>rm' },
        { role: 'assistant', content: '<attempt_completion><result>done</result></attempt_completion>' },
      ]),
      '.cline/data/tasks/2/api_conversation_history.json': JSON.stringify([
        { role: 'user', content: environment },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 't', name: 'execute_command', input: { command: 'pwd', requires_approval: true } },
          ],
        },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'u', name: 'k0mcp0add', input: { a: 1 } }] },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'v', name: 'attempt_completion', input: { result: 'done' } }],
        },
      ]),
    },
    [
      { kind: 'shell', name: 'execute_command', command: 'pwd' },
      { kind: 'mcp', name: 'mcp__k__add' },
      { kind: 'shell', name: 'execute_command', command: 'ls' },
      { kind: 'write', path: 'a.html', content: '<p>1</p></content>' },
      { kind: 'mcp', name: 'mcp__notes__add' },
    ],
  ],
  [
    'OpenCode: a file for each part of a message',
    {
      '.local/share/opencode/storage/message/ses1/msg1.json': JSON.stringify({ path: { cwd: '/p', root: '/p' } }),
      '.local/share/opencode/storage/part/msg1/prt1.json': JSON.stringify({
        sessionID: 'ses1',
        messageID: 'msg1',
        type: 'tool',
        tool: 'bash',
        state: { input: { command: 'ls' }, time: { start: 1 } },
      }),
      '.local/share/opencode/storage/part/msg1/prt2.json': JSON.stringify({ type: 'text', text: 'x' }),
    },
    [{ kind: 'shell', name: 'bash', command: 'ls' }],
  ],
]

type Files = Readonly<Record<string, string>>

describe('older forms of sessions', () => {
  it.each(otherForms)('%s', async (_title, files, events) => {
    const items = await itemsIn(folderWith(files))
    const tools = items.map(async (item) => {
      if (item.kind === 'unreadable') return item
      const { tool, cwd } = await seenOf(item.call.agent, item.call.wire)
      expect([item.call.cwd, cwd]).toEqual(['/p', '/p'])
      return tool
    })
    expect(await Promise.all(tools)).toMatchObject(events)
  })

  it('find the folder of a moved conversation of Gemini CLI in its first message', async () => {
    const chats = join(fixtures, 'gemini-cli/.gemini/tmp/proj/chats')
    const items: PastItem[] = []
    const moved = folderWith()
    cpSync(chats, moved, { recursive: true })
    for await (const item of readSessions([moved])) if (item.kind !== 'result') items.push(item)
    expect(items).toHaveLength(5)
    for (const item of items) expect(item).toMatchObject({ call: { cwd: '/home/dev/proj' } })
  })

  it('report a conversation of which nobody knows the folder, once', async () => {
    const files = {
      '.gemini/tmp/x/chats/session-1.jsonl': lines(
        { sessionId: 's', projectHash: sha256('/somewhere') },
        geminiMessage('1', 'ls'),
        geminiMessage('2', 'ls'),
      ),
    }
    const why = 'nothing says in which folder the agent worked'
    expect(await itemsIn(folderWith(files))).toMatchObject([{ kind: 'unreadable', line: 2, why }])
  })
})
