import { join } from 'node:path'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { requestText } from '../../src/cli/text/refusal-text.ts'
import { createGate } from '../../src/library/index.ts'
import type { OpenRequest } from '../../src/model/approval.ts'
import { limits } from '../../src/model/limits.ts'
import { openNtfy } from '../../src/service/server/channels.ts'
import { startNtfy } from '../support/ntfy.ts'
import { claudeShell } from '../support/wire.ts'
import { folderWith } from '../support/workspace.ts'

// An agent that has a person approve one call by the looks of another.

interface Call {
  readonly tool_name: string
  readonly tool_input: object
  /** Below the project. */
  readonly folder?: string
}
const bash = (command: string, more: object = {}): Call => ({ tool_name: 'Bash', tool_input: { command, ...more } })
const tool = (tool_name: string, tool_input: object): Call => ({ tool_name, tool_input })

/** A gate that asks a person about every call, at the terminal and by a phone. */
async function askingGate() {
  const tools = ['Bash', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'WebFetch', 'Task', 'apply_patch']
  const servers = ['db', 'k8s', 'fs', 'pay', 'x'].map((name) => `mcp__${name}`)
  const ask = [...tools, ...servers]
  const rules = { permissions: { ask }, approvals: { insteadOf: ['claude-code'] } }
  const home = folderWith({ 'project/sub/x': '', '.config/hookgate/hooks.json': { json: rules } })
  const gate = createGate({
    home,
    env: { HOME: home },
    state: join(home, 'state'),
    record: false,
    approvals: true,
    placement: 'caller',
  })
  const { url, pushes } = await startNtfy()
  const queue = gate.approvals
  if (queue === undefined) throw new Error('the gate has no queue')
  const phone = openNtfy({
    url,
    topics: { toPerson: 'to', fromPerson: 'from' },
    token: () => undefined,
    log: pino({ enabled: false }),
    answer: (given) => queue.answer(given),
  })
  onTestFinished(async () => {
    phone.close()
    await gate.close()
  })
  const root = join(home, 'project')
  async function opened(agent: 'claude-code' | 'codex', { folder, ...call }: Call) {
    const { promise, resolve } = Promise.withResolvers<OpenRequest>()
    const unlisten = queue?.listen(({ kind, request }) => kind === 'opened' && resolve(request))
    const codex = agent === 'codex' ? { turn_id: 't', model: 'm' } : {}
    const wire = claudeShell('', join(root, folder ?? ''), { ...call, ...codex, tool_use_id: String(Math.random()) })
    const answered = gate.answer(wire, { agent, caller: { env: { CLAUDE_PROJECT_DIR: root }, cwd: root } })
    const request = await Promise.race([promise, answered.then(() => undefined)])
    unlisten?.()
    return { request, answered }
  }
  return { queue, phone, pushes, opened }
}

/** What a person reads of a request. */
const atTerminal = (request: OpenRequest) => requestText({ ...request, openedAtMs: 0, endsAtMs: 0 }, 0)

const key = '-----BEGIN PRIVATE KEY-----'
const patch = (second: string) =>
  `*** Begin Patch\n*** Update File: a.txt\n@@\n-a\n+b\n*** Update File: ${second}\n@@\n-a\n+b\n*** End Patch`

describe('two calls that differ are never shown alike, at the terminal and on the phone', () => {
  it.each<[string, Call, Call]>([
    [
      'in the input of an MCP tool',
      tool('mcp__db__query', { sql: 'select 1' }),
      tool('mcp__db__query', { sql: 'drop' }),
    ],
    ['in a field deep in it', tool('mcp__k8s__x', { a: { b: [1] } }), tool('mcp__k8s__x', { a: { b: [2] } })],
    ['in the key of a value', tool('mcp__fs__x', { from: '/a' }), tool('mcp__fs__x', { to: '/a' })],
    ['in the key of a path', tool('mcp__fs__x', { path: '/a' }), tool('mcp__fs__x', { target: '/a' })],
    ['in a number', tool('mcp__pay__charge', { amount: 10 }), tool('mcp__pay__charge', { amount: 100 })],
    ['in the type of a value', tool('mcp__pay__charge', { live: 'true' }), tool('mcp__pay__charge', { live: true })],
    ['in lines that look like fields', tool('mcp__x__y', { a: 'b\nc: d' }), tool('mcp__x__y', { a: 'b', c: 'd' })],
    ['in a key that looks like a field', tool('mcp__x__y', { 'a: b\nc': 'd' }), tool('mcp__x__y', { a: 'b', c: 'd' })],
    [
      'in the content of a file',
      tool('Write', { file_path: 'a.sh', content: 'ls' }),
      tool('Write', { file_path: 'a.sh', content: 'rm' }),
    ],
    [
      'in what an edit replaces',
      tool('Edit', { file_path: 'a', old_string: 'x', new_string: 'y' }),
      tool('Edit', { file_path: 'a', old_string: 'z', new_string: 'y' }),
    ],
    [
      'in how often an edit replaces',
      tool('Edit', { file_path: 'a', old_string: 'x', new_string: 'y' }),
      tool('Edit', { file_path: 'a', old_string: 'x', new_string: 'y', replace_all: true }),
    ],
    [
      'in the second of several edits',
      tool('MultiEdit', { file_path: 'a', edits: [{ old_string: 'x', new_string: 'y' }] }),
      tool('MultiEdit', { file_path: 'a', edits: [{ old_string: 'x', new_string: 'z' }] }),
    ],
    [
      'in the cell of a notebook',
      tool('NotebookEdit', { notebook_path: 'a', new_source: '1' }),
      tool('NotebookEdit', { notebook_path: 'a', new_source: '2' }),
    ],
    [
      'in the prompt of a fetch',
      tool('WebFetch', { url: 'https://a.b', prompt: 'x' }),
      tool('WebFetch', { url: 'https://a.b', prompt: 'y' }),
    ],
    ['in the prompt of another agent', tool('Task', { prompt: 'look' }), tool('Task', { prompt: 'delete' })],
    ['in the folder', bash('make deploy'), { ...bash('make deploy'), folder: 'sub' }],
    ['in the background', bash('make'), bash('make', { run_in_background: true })],
    ['in a secret', bash('deploy --token abcdefgh'), bash('deploy --token production')],
    [
      'in a field that is secret',
      tool('mcp__x__y', { password: 'abcdefgh' }),
      tool('mcp__x__y', { password: 'production' }),
    ],
    ['behind what looks like a key', bash(`: '${key}'; deploy a`), bash(`: '${key}'; deploy b`)],
    ['in a key itself', bash(`echo '${key}\nabc' > f`), bash(`echo '${key}\nabd' > f`)],
    ['in the kind of a blank', bash('rm a b'), bash('rm a\u00a0b')],
    ['in the blank of Braille', bash('rm a b'), bash('rm a\u2800b')],
    ['in a blank of no width', bash('rm ab'), bash('rm a\u200bb')],
    ['in tags', bash('rm a'), bash('rm a\u{e0062}')],
    ['in the direction of writing', bash('rm ab'), bash('rm \u202eab')],
    ['in the number of blanks', bash(`rm a${' '.repeat(40)}b`), bash(`rm a${' '.repeat(41)}b`)],
    ['in the number of empty lines', bash(`a${'\n'.repeat(40)}b`), bash(`a${'\n'.repeat(41)}b`)],
    ['in the end of the line', bash('a\nb'), bash('a\r\nb')],
    ['in a code that is written out', bash('printf \u001b'), bash(String.raw`printf \x1b`)],
    ['in marks upon a letter', bash('rm e\u0301\u0301\u0301\u0301\u0301'), bash('rm e\u0301\u0301\u0301\u0301')],
    ['in half of a pair', bash('rm \ud800'), bash('rm \ufffd')],
  ])('%s', async (_, one, other) => {
    const { phone, pushes, opened } = await askingGate()
    const shown: string[] = []
    for (const call of [one, other]) {
      // oxlint-disable-next-line no-await-in-loop -- one call after the other
      const { request } = await opened('claude-code', call)
      if (request === undefined) throw new Error('nobody is asked')
      shown.push(atTerminal(request))
      phone.opened(request)
    }
    expect(shown[0]).not.toBe(shown[1])
    await expect.poll(() => pushes.length).toBe(2)
    const [first, second] = pushes.map(({ title, message }) => `${title}\n${message}`)
    expect(first).not.toBe(second)
  })

  it('in the second file of a patch', async () => {
    const { opened } = await askingGate()
    for (const file of ['b.txt', '.env']) {
      // oxlint-disable-next-line no-await-in-loop -- one call after the other
      const { request } = await opened('codex', tool('apply_patch', { command: patch(file) }))
      expect(request && atTerminal(request)).toContain(file)
    }
  })
})

describe('a call that is too long', () => {
  it('for a phone is approved at the machine only, where it is shown whole', async () => {
    const { queue, phone, pushes, opened } = await askingGate()
    const content = `${'line\n'.repeat(400)}deploy`
    const { request, answered } = await opened('claude-code', tool('Write', { file_path: 'a.sh', content }))
    if (request === undefined) throw new Error('nobody is asked')
    phone.opened(request)
    await expect.poll(() => pushes.length).toBe(1)
    expect(pushes[0]?.actions.map(({ label }) => label)).toEqual(['Deny'])
    expect(atTerminal(request).match(/line$|deploy$/gm)).toHaveLength(401)
    const given = { id: request.id, call: request.call, answer: 'approve' } as const
    expect(queue.answer({ ...given, channel: 'ntfy' })).toEqual({ kind: 'terminalOnly' })
    expect(queue.answer({ ...given, channel: 'terminal' })).toMatchObject({ kind: 'taken' })
    expect((await answered).told).toBe('allow')
  })

  it('to be read is put to nobody', async () => {
    const { queue, opened } = await askingGate()
    for (const content of [
      'x'.repeat(limits.approvalCharactersMax),
      '\u2800'.repeat(limits.approvalCharactersMax / 4),
    ]) {
      // oxlint-disable-next-line no-await-in-loop -- one call after the other
      const { request, answered } = await opened('claude-code', tool('Write', { file_path: 'a.sh', content }))
      expect(request).toBeUndefined()
      // oxlint-disable-next-line no-await-in-loop -- one call after the other
      expect((await answered).verdict?.decision).toBe('ask')
      expect(queue.open()).toEqual([])
    }
  })
})
