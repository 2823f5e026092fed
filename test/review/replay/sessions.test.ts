import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { limits } from '../../../src/model/limits.ts'
import type { PastItem } from '../../../src/model/event.ts'
import { recordsIn, sessionRowsPerPage } from '../../../src/review/replay/records.ts'
import { findSessions, readEventLines, readSessions, sessionsAt } from '../../../src/review/replay/sessions.ts'
import { folderWith, writeFiles } from '../../support/workspace.ts'

const record = (command: string) =>
  JSON.stringify({
    type: 'assistant',
    uuid: 'u',
    userType: 'external',
    sessionId: 's',
    cwd: '/work/proj',
    timestamp: '2026-11-20T12:00:00.000Z',
    message: { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'Bash', input: { command } }] },
  })

const file = '.claude/projects/-work-proj/s.jsonl'
const homeWith = (text: string) => folderWith({ [file]: text })

async function read(items: AsyncIterable<PastItem>): Promise<readonly string[]> {
  const texts: string[] = []
  for await (const item of items)
    texts.push(item.kind === 'call' ? commandOf(item.call.wire['tool_input']) : said(item))
  return texts
}
const said = (item: Exclude<PastItem, { kind: 'call' }>) => (item.kind === 'result' ? item.became : item.why)
const commandOf = (input: unknown) =>
  typeof input === 'object' && input !== null && 'command' in input ? String(input.command) : 'no command'

async function itemsOf(items: AsyncIterable<PastItem>): Promise<readonly PastItem[]> {
  const all: PastItem[] = []
  for await (const item of items) all.push(item)
  return all
}

const inHome = async (home: string, env = {}) =>
  read(readSessions(await findSessions({ home, env, platform: 'linux' })))

describe('a session file', () => {
  it.each([
    ['is not JSON', '{"type": "assistant", ', 'the line is not JSON'],
    ['is no object', '["tool_use"]', 'the line is not a JSON object'],
    ['is nested too deep', `{"a":${'['.repeat(600)}${']'.repeat(600)}}`, 'the line is nested too deep'],
    ['has bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'the line is not UTF-8'],
    [
      'is longer than a session’s line',
      'x'.repeat(limits.sessionLineBytesMax + 1),
      'the line is longer than 33554432 bytes',
    ],
  ])('is read on after a line that %s, which is reported', async (_why, broken, why) => {
    const home = homeWith(`${record('first')}\n\n`)
    appendFileSync(join(home, file), broken)
    appendFileSync(join(home, file), `\n${record('last')}\n`)
    expect(await inHome(home)).toEqual(['first', why, 'last'])
    const [, place] = await itemsOf(readSessions([join(home, file)]))
    expect(place).toMatchObject({ file: join(home, file), line: 3 })
  })

  it('is read to its last whole line, and a cut-off one is reported', async () => {
    const home = homeWith(`${record('first')}\n${record('second').slice(0, -9)}`)
    expect(await inHome(home)).toEqual(['first', 'the line is cut off'])
  })

  it('is read without a line break at its end', async () => {
    expect(await inHome(homeWith(record('only')))).toEqual(['only'])
  })

  it('is read as it was when it was opened, while its agent goes on writing', async () => {
    const home = homeWith(`${record('first')}\n${record('second')}\n`)
    const items: string[] = []
    for await (const item of readSessions([join(home, file)])) {
      items.push(item.kind)
      appendFileSync(join(home, file), `${record('more')}\n`)
    }
    expect(items).toEqual(['call', 'call'])
  })

  it('is reported if it has vanished or shrunk since it was found', async () => {
    const home = homeWith(`${record('first')}\n`)
    const found = await findSessions({ home, env: {}, platform: 'linux' })
    truncateSync(join(home, file), 20)
    expect(await read(readSessions(found))).toEqual(['the line is cut off'])
    rmSync(join(home, file))
    expect(await read(readSessions(found))).toEqual(['it does not exist'])
  })

  it('is read wherever a person has put it, by what is in it', async () => {
    const folder = folderWith({
      'a/exported.txt': record('exported'),
      'b/notes.jsonl': '{"a":1}',
      'b/x.jsonl': record('x'),
    })
    expect(await read(readSessions([join(folder, 'a/exported.txt')]))).toEqual(['exported'])
    expect(await read(readSessions([join(folder, 'b')]))).toEqual(['x'])
    const strange = await read(readSessions([join(folder, 'b/notes.jsonl'), join(folder, 'a'), join(folder, 'c')]))
    expect(strange).toEqual([
      'it is no session of an agent that hookgate knows, and holds no events',
      'there is no session of an agent in it',
      'it does not exist',
    ])
  })

  it('says how far it has been read', async () => {
    const home = homeWith(`${record('first')}\n`)
    let bytes = 0
    const found = await findSessions({ home, env: {}, platform: 'linux' })
    for await (const _ of readSessions(found, { onBytes: (more) => (bytes += more) }));
    expect([bytes]).toEqual(found.map((one) => (one.kind === 'session' ? one.bytes : undefined)))
  })
})

describe('the files of one session', () => {
  const at = (second: number, sessionId: string, command: string) =>
    record(command)
      .replace(/"sessionId":"[^"]*"/, `"sessionId":"${sessionId}"`)
      .replace(/"timestamp":"[^"]*"|$/, `"timestamp":"2026-11-01T10:00:${String(second).padStart(2, '0')}.000Z"`)
  const home = () =>
    folderWith({
      '.claude/projects/-p/other.jsonl': `${at(2, 'other', 'other 2')}\n`,
      '.claude/projects/-p/s.jsonl': `${at(1, 's', 'main 1')}\n{"broken\n${at(4, 's', 'main 4')}\n${at(7, 's', 'main 7')}\n`,
      '.claude/projects/-p/s/subagents/agent-1.jsonl': `${at(3, 's', 'one 3')}\n${at(6, 's', 'one 6')}\n`,
      '.claude/projects/-p/s/subagents/agent-2.jsonl': `${at(5, 's', 'two 5')}\n`,
    })

  it('are read in the order of the times of their calls, those of its sub-agents among them', async () => {
    const calls = await inHome(home())
    expect(calls).toEqual(['other 2', 'main 1', 'the line is not JSON', 'one 3', 'main 4', 'two 5', 'one 6', 'main 7'])
  })
})

describe('the search for sessions', () => {
  it('goes by the agents’ own variables', async () => {
    const home = folderWith({ 'elsewhere/projects/-p/s.jsonl': record('moved'), [file]: record('usual') })
    expect(await inHome(home, { CLAUDE_CONFIG_DIR: join(home, 'elsewhere') })).toEqual(['moved'])
  })

  it('is limited to the agents that are named', async () => {
    const home = homeWith(record('x'))
    expect(await findSessions({ home, env: {}, platform: 'linux', agents: ['codex'] })).toEqual([])
  })

  it('reports what is no file, and follows links without going round in circles', async () => {
    const home = homeWith(record('x'))
    const folder = join(home, '.claude/projects/-work-proj')
    execFileSync('mkfifo', [join(folder, 'pipe.jsonl')])
    symlinkSync(folder, join(folder, 'round'))
    symlinkSync(join(folder, 'self.jsonl'), join(folder, 'self.jsonl'))
    const linked = folderWith({ 'real/s.jsonl': record('linked') })
    symlinkSync(join(linked, 'real'), join(home, '.claude/projects/-linked'))
    expect(await inHome(home)).toEqual(['linked', 'x', 'it is not a regular file', 'its symbolic links form a loop'])
  })

  it.skipIf(process.getuid?.() === 0)('reports a folder without permission', async () => {
    const home = homeWith(record('x'))
    mkdirSync(join(home, '.claude/projects/-secret'))
    chmodSync(join(home, '.claude/projects/-secret'), 0)
    expect(await inHome(home)).toEqual(['permission is denied', 'x'])
  })
})

describe('a database of sessions', () => {
  const schema = `CREATE TABLE session (id TEXT PRIMARY KEY, directory TEXT, parent_id TEXT);
    CREATE TABLE message (id TEXT PRIMARY KEY, data TEXT);
    CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
    INSERT INTO session VALUES ('s', '/work/proj', NULL)`
  const part = (command: string) => JSON.stringify({ type: 'tool', tool: 'bash', state: { input: { command } } })
  const commandsIn = async (path: string) => {
    const items = await itemsOf(readSessions([path]))
    return items.map((item) => (item.kind === 'call' ? commandOf(item.call.wire['args']) : said(item)))
  }

  it('is read in pages while its agent writes, and keeps it from nothing', async () => {
    const path = join(folderWith(), 'opencode.db')
    const database = new DatabaseSync(path)
    database.exec(`PRAGMA journal_mode = WAL; ${schema}`)
    const insert = database.prepare("INSERT INTO part VALUES (?, 'm', 's', 0, ?)")
    const count = 3 * sessionRowsPerPage
    for (let at = 0; at < count; at++) insert.run(`p${String(at).padStart(5, '0')}`, part(`c${at}`))
    const commands: string[] = []
    for await (const item of readSessions([path])) {
      if (item.kind === 'call') commands.push(commandOf(item.call.wire['args']))
      if (commands.length === 10) {
        database.exec('BEGIN EXCLUSIVE; COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
        insert.run('p99999', part('meanwhile'))
      }
    }
    database.close()
    expect(commands).toHaveLength(count + 1)
    expect([commands[0], commands.at(-2), commands.at(-1)]).toEqual(['c0', `c${count - 1}`, 'meanwhile'])
  })

  it('is left as it was, with nothing beside it', async () => {
    const folder = folderWith()
    const database = new DatabaseSync(join(folder, 'opencode.db'))
    database.exec(`PRAGMA journal_mode = WAL; ${schema}; INSERT INTO part VALUES ('p', 'm', 's', 0, '${part('ls')}')`)
    database.close()
    expect(await commandsIn(join(folder, 'opencode.db'))).toEqual(['ls'])
    expect(readdirSync(folder)).toEqual(['opencode.db'])
  })

  it('is reported if it is none, or has another form, or a part is broken', async () => {
    const folder = folderWith({ 'opencode.db': 'this is no database at all' })
    expect(await commandsIn(join(folder, 'opencode.db'))).toEqual(['file is not a database'])
    const pipe = join(folderWith(), 'opencode.db')
    execFileSync('mkfifo', [pipe])
    expect(await commandsIn(pipe)).toEqual(['it is not a regular file'])
    const other = join(folderWith(), 'opencode.db')
    new DatabaseSync(other).exec('CREATE TABLE part (id TEXT)')
    expect(await commandsIn(other)).toEqual(['no such table: message'])
    const broken = join(folderWith(), 'opencode.db')
    new DatabaseSync(broken).exec(
      `${schema}; INSERT INTO part VALUES ('p', 'm', 's', 0, '{'), ('q', 'm', 's', 0, '${part('ls')}')`,
    )
    expect(await commandsIn(broken)).toEqual(['part p is not JSON', 'ls'])
  })
})

describe('JSON lines of events', () => {
  const wire = (command: string, event = 'PreToolUse') => ({
    session_id: 's',
    transcript_path: '/home/u/.claude/projects/p/s.jsonl',
    cwd: '/work/proj',
    permission_mode: 'default',
    hook_event_name: event,
    tool_name: 'Bash',
    tool_input: { command },
  })
  const gemini = {
    session_id: 'g',
    cwd: '/g',
    hook_event_name: 'BeforeTool',
    tool_name: 'run_shell_command',
    tool_input: { command: 'pwd' },
    timestamp: '2026-11-20T12:00:00.000Z',
  }
  async function* chunked(lines: readonly object[]) {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    // oxlint-disable-next-line no-await-in-loop -- a stream's chunks come one after another
    for (let at = 0; at < text.length; at += 50) yield await Promise.resolve(Buffer.from(text.slice(at, at + 50)))
  }

  it('are read by what each says of itself, calls with what became of them', async () => {
    const lines = [wire('ls'), wire('ls', 'PostToolUse'), { hello: 1 }, gemini]
    const items = await itemsOf(readEventLines(chunked(lines), { file: 'stdin' }))
    expect(items).toMatchObject([
      { kind: 'call', call: { agent: 'claude-code', cwd: '/work/proj', line: 1, atMs: undefined } },
      { kind: 'result', became: 'done', call: { agent: 'claude-code', line: 2 } },
      { kind: 'unreadable', file: 'stdin', line: 3, why: expect.stringContaining('does not say which agent sent it') },
      { call: { agent: 'gemini-cli', cwd: '/g', line: 4, atMs: Date.parse(gemini.timestamp) } },
    ])
  })

  it('are read as the named agent’s, whatever they look like', async () => {
    const items = await itemsOf(readEventLines(chunked([wire('ls')]), { file: 'stdin', agent: 'codex' }))
    expect(items).toMatchObject([{ call: { agent: 'codex' } }])
    expect(await read(readEventLines(chunked([wire('ls')]), { file: 'stdin', agent: 'no-one' }))).toEqual([
      expect.stringContaining('there is no agent'),
    ])
  })

  it('are read from a file that a person names', async () => {
    const path = join(folderWith({ 'events.log': `${JSON.stringify(wire('ls'))}\n` }), 'events.log')
    expect(await read(readSessions([path]))).toEqual(['ls'])
    expect(await sessionsAt([path])).toMatchObject([{ kind: 'session', agent: undefined }])
  })
})

describe('memory', () => {
  it('stays flat, however long a session and its lines are', () => {
    const home = homeWith('')
    const path = join(home, file)
    const noise = `${JSON.stringify({ type: 'user', message: { content: 'x'.repeat(20_000) } })}\n`.repeat(200)
    for (let at = 0; at < 16; at++) appendFileSync(path, `${noise}${record(`c${at}`)}\n`)
    writeFiles(home, {
      'count.ts': `
      import { readSessions } from ${JSON.stringify(new URL('../../../src/review/replay/sessions.ts', import.meta.url).href)}
      import { existsSync, readFileSync } from 'node:fs'
      let [calls, broken] = [0, 0]
      // What is free is freed at once: only what is held is measured.
      const options = { onBytes: () => gc() }
      for await (const item of readSessions([${JSON.stringify(path)}], options)) item.kind === 'call' ? calls++ : item.kind === 'unreadable' && broken++
      // On Linux, \`maxRSS\` begins with what the process had that started this one.
      const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : ''
      const peak = Number(/VmHWM:\\s+(\\d+)/.exec(status)?.[1] ?? process.resourceUsage().maxRSS)
      console.log(calls, broken, Math.round(peak / 1024))`,
    })
    const flags = ['--expose-gc', '--max-old-space-size=40', '--max-semi-space-size=4', join(home, 'count.ts')]
    const [calls, broken, megabytes] = execFileSync(process.execPath, flags, { encoding: 'utf8' })
      .split(' ')
      .map(Number)
    expect([calls, broken]).toEqual([16, 0])
    // A process that only loads the same modules takes some 110 MB.
    expect(megabytes).toBeLessThan(190)
  })
})

describe('a session whose lines are too long', () => {
  const zeros = new Uint8Array(1024 * 1024)
  const endless = (lineMegabytes: number) => {
    const state = { chunks: 0 }
    async function* chunks() {
      for (;;) {
        state.chunks += 1
        yield state.chunks % lineMegabytes === 0 ? Buffer.concat([zeros, Buffer.from('\n')]) : zeros
      }
    }
    return { state, chunks }
  }

  it.each([
    ['one line', Infinity],
    ['lines of 40 MB', 40],
    ['lines of 100 MB', 100],
    ['lines of 300 MB', 300],
  ])('is not read to its end if it is an endless file of zeros in %s', async (_, lineMegabytes) => {
    const { state, chunks } = endless(lineMegabytes)
    const kinds = []
    for await (const { kind } of recordsIn(chunks(), 'f')) kinds.push(kind)
    expect(new Set(kinds)).toEqual(new Set(['unreadable']))
    expect(state.chunks).toBeLessThan(300)
  })
})
