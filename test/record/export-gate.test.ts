import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { overHttp } from '../support/ask-hook.ts'
import { accept, attribute, attributesOf, startCollector } from '../support/collector.ts'
import { residentUser } from '../support/resident.ts'
import { writeFiles } from '../support/workspace.ts'

const soon = { timeout: 120_000, interval: 50 }
const rules = { permissions: { deny: ['Bash(rm *)'] } }

/** Creates a user with a gate in the foreground. @param more keys of the user's rules file */
function gateUser(more: object = {}) {
  const user = residentUser({ 'home/.config/hookgate/hooks.json': { json: { ...rules, ...more } }, 'project/x': '' })
  const project = join(user.folder, 'project')
  const event = (command: string) => ({
    hook_event_name: 'PreToolUse',
    session_id: 's1',
    transcript_path: '/t',
    cwd: project,
    tool_name: 'Bash',
    tool_input: { command },
  })
  return {
    ...user,
    project,
    async serve(): Promise<ChildProcess> {
      const { promise, resolve } = Promise.withResolvers<ChildProcess>()
      void user.spawned(['serve'], { onStart: resolve })
      const gate = await promise
      await vi.waitFor(async () => expect(await user.status()).toMatchObject({ running: true }), soon)
      return gate
    },
    async decide(command: string): Promise<void> {
      const body = JSON.stringify({ agent: 'claude-code', event: event(command) })
      const { status } = await overHttp(user.places, '/v1/decide', { body })
      expect(status).toBe(200)
    },
    setRules: (keys: object) =>
      writeFiles(user.folder, { 'home/.config/hookgate/hooks.json': { json: { ...rules, ...keys } } }),
    log: () => readFileSync(user.places.log, 'utf8'),
  }
}

describe('a gate', () => {
  it('sends nothing unless the user’s rules say so, and then only what it decides from then on', async () => {
    const collector = await startCollector()
    const user = gateUser()
    const gate = await user.serve()
    await user.decide('ls before')
    // The next decision reads the rules, and a running gate looks every few seconds.
    user.setRules({ export: { otlp: { url: collector.url, metrics: false } } })
    await vi.waitFor(async () => expect(await user.status()).toMatchObject({ export: [{ name: 'logs' }] }), soon)
    await user.decide('ls after')
    await user.decide('rm -rf x')
    await vi.waitFor(() => expect(collector.logs()).toHaveLength(2), soon)
    expect(collector.logs().map((log) => attribute(log, 'hookgate.subject'))).toEqual(['ls after', 'rm -rf x'])
    expect(collector.logs().map((log) => attribute(log, 'hookgate.decision'))).toEqual(['abstain', 'deny'])
    user.setRules({})
    await vi.waitFor(async () => expect(await user.status()).toMatchObject({ export: [] }), soon)
    await user.decide('ls once it is off')
    gate.kill()
    await once(gate, 'exit')
    expect(collector.logs()).toHaveLength(2)
    expect(existsSync(join(user.places.folder, 'export.json'))).toBe(false)
  })

  it('that is killed loses no row of the export: the next one sends it', async () => {
    const away = await startCollector()
    await away.close()
    const user = gateUser({ export: { otlp: { url: away.url, metrics: false } } })
    const killed = await user.serve()
    await user.decide('ls first')
    await vi.waitFor(() => expect(user.log()).toContain('the export of logs fails, and is tried again'), soon)
    expect((await user.cli(['status'])).stdout).toMatch(/warning {4}the export of logs fails: .*ECONNREFUSED/)
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    const collector = await startCollector(accept, away.port)
    const next = await user.serve()
    await user.decide('ls second')
    await vi.waitFor(() => expect(collector.logs()).toHaveLength(2), soon)
    expect(collector.logs().map((log) => attribute(log, 'hookgate.subject'))).toEqual(['ls first', 'ls second'])
    next.kill()
    await once(next, 'exit')
  })

  it('sends what it has decided just before it ends, its metrics too, without any secret', async () => {
    const collector = await startCollector()
    const file = join(residentUser().folder, 'decisions.jsonl')
    const user = gateUser({ export: { otlp: { url: collector.url }, file } })
    const gate = await user.serve()
    await vi.waitFor(async () => expect(await user.status()).toMatchObject({ export: [{}, {}, {}] }), soon)
    await user.decide(`curl -H "Authorization: Bearer ${'s3cr3t'.repeat(5)}" https://me:hunter22@example.com`)
    gate.kill()
    await once(gate, 'exit')
    expect(collector.logs()).toHaveLength(1)
    expect(collector.metric('hookgate.decisions')?.sum?.dataPoints).toMatchObject([{ asDouble: 1 }])
    const sent = collector.requests.map(({ text }) => text).join('') + readFileSync(file, 'utf8')
    expect(sent).toContain('example.com')
    expect(sent).not.toMatch(/s3cr3t|hunter22/)
  })
})

describe('the heartbeat of a gate', () => {
  it('says which agents ask, and says so when a hook was removed', async () => {
    const collector = await startCollector()
    const user = gateUser({ export: { otlp: { url: collector.url } } })
    expect(await user.cli(['enable', 'claude-code'])).toMatchObject({ exitCode: 0 })
    const gate = await user.serve()
    await user.decide('ls')
    await vi.waitFor(() => expect(collector.heartbeats()).toHaveLength(1), { timeout: 120_000, interval: 100 })
    const proofs = () => collector.heartbeats().map((one) => attributesOf(one)['hookgate.agents.proved'])
    expect(proofs()).toEqual([['claude-code']])
    expect(collector.heartbeats()[0]).toMatchObject({ severityText: 'INFO' })
    gate.kill()
    await once(gate, 'exit')
    const last = attributesOf(collector.heartbeats().at(-1) ?? { attributes: [] })
    expect(last['hookgate.stopping']).toContain('SIGTERM')
    // What the look asked is no decision of anybody's.
    expect(collector.logs()).toHaveLength(1)
    const settings = join(user.folder, 'home/.claude/settings.json')
    expect(readFileSync(settings, 'utf8')).toContain('hooks')
    writeFileSync(settings, '{}')
    const count = collector.heartbeats().length
    const next = await user.serve()
    await vi.waitFor(() => expect(collector.heartbeats().length).toBeGreaterThan(count), {
      timeout: 120_000,
      interval: 100,
    })
    expect(attributesOf(collector.heartbeats().at(-1) ?? { attributes: [] })).toMatchObject({
      'hookgate.agents.absent': ['claude-code'],
    })
    next.kill()
    await once(next, 'exit')
  })
})

describe('`export` in a rules file', () => {
  const check = async (file: string, value: object) => {
    const user = gateUser()
    writeFileSync(join(user.folder, 'home/.config/hookgate/hooks.json'), JSON.stringify({ ...rules }))
    writeFiles(user.folder, { [file]: { json: { export: value } } })
    const { stdout, stderr, exitCode } = await user.cli(['check'], { cwd: user.project })
    return { text: stdout + stderr, exitCode }
  }
  const users = 'home/.config/hookgate/hooks.json'

  it('is refused in a project’s file, with its place', async () => {
    const { text, exitCode } = await check('project/.hookgate/hooks.json', { file: '/tmp/x.jsonl' })
    expect(exitCode).not.toBe(0)
    expect(text).toMatch(
      /project\/\.hookgate\/hooks\.json:2:3: .*only the user’s or the managed hooks\.json may set `export`/,
    )
  })

  it.each([
    [{}, '`export` names no place to send to'],
    [{ file: 'relative.jsonl' }, 'must be an absolute path'],
    [{ otlp: {} }, '`url` is missing'],
    [{ otlp: { url: 'collector:4318' } }, '`url` is no URL of https:'],
    [{ otlp: { url: 'http://collector:4318' } }, 'would send everything unencrypted to another machine'],
    [{ otlp: { url: 'https://me:key@collector' } }, '`url` must have no user, password, query or fragment'],
    [{ otlp: { url: 'https://c', headers: { 'x y': 'z' } } }, 'this is no name of a header'],
    [{ otlp: { url: 'https://c', headers: { x: { env: 'A B' } } } }, 'must be the name of an environment variable'],
    [{ otlp: { url: 'https://c', logs: false, metrics: false } }, 'nothing is sent'],
    [{ file: '/x', whta: 'all' }, 'unknown key `whta`'],
    [{ file: '/x', resource: { device: 'mine' } }, 'hookgate finds `device` itself'],
    [{ file: '/x', resource: { 'service.name': 'mine' } }, 'hookgate finds `service.name` itself'],
    [{ file: '/x', resource: { 'a team': 'x' } }, 'this is no name of an attribute'],
    [{ file: '/x', resource: { team: '' } }, 'the value must have 1 to 255 characters'],
    [{ file: '/x', resource: { team: 7 } }, '`team`'],
    [{ file: '/x', fields: { command: 'hashed' } }, '`command`'],
    [{ file: '/x', fields: { commands: 'hash' } }, 'unknown key `commands`'],
    [{ file: '/x', fields: { path: 'drop' }, hashKey: { file: '/k' } }, 'no field is hashed'],
    [{ otlp: { url: 'https://c', proxy: 'proxy:3128' } }, '`proxy` is no address of a proxy'],
    [{ otlp: { url: 'https://c', proxy: 'http://me:pw@proxy:3128' } }, '`proxy` must have no user or password'],
    [{ otlp: { url: 'https://c', compression: 'zip' } }, '`compression`'],
  ])('%j is refused with its place', async (value, message) => {
    const { text, exitCode } = await check(users, value)
    expect(exitCode).not.toBe(0)
    expect(text).toContain(message)
    expect(text).toMatch(/hooks\.json:\d+:\d+: /)
  })

  it.each([
    { otlp: { url: 'http://localhost:4318' } },
    { otlp: { url: 'http://[::1]:4318/otlp/' }, what: 'decisions', from: 'start' },
    { otlp: { url: 'http://collector:4318', insecure: true, headers: { a: 'b', c: { env: 'D' }, e: { file: '/f' } } } },
    { file: '/var/log/x.jsonl' },
    {
      file: '/x',
      resource: { team: 'payments', 'service.namespace': 'agents' },
      fields: { user: 'drop', reason: 'hash' },
    },
    {
      otlp: { url: 'https://c', proxy: false, compression: 'none' },
      fields: { path: 'hash' },
      hashKey: { file: '/k' },
    },
  ])('%j is accepted, in a file without rules too', async (value) => {
    expect(await check(users, value)).not.toMatchObject({ text: expect.stringContaining('error') as unknown })
  })
})
