import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { askHook, overHttp } from '../support/ask-hook.ts'
import { descendants, isAlive, residentUser } from '../support/resident.ts'
import { policyText } from '../support/policies.ts'
import { canMount, smallDisk } from '../support/small-disk.ts'
import { rulesWith, writeFiles } from '../support/workspace.ts'

type User = ReturnType<typeof residentUser>

/** Starts a gate in the foreground, and waits until it answers. */
async function serving(user: User, argv: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  let child: ChildProcess | undefined
  const ended = user.cli(['serve', ...argv], { env, onStart: (started) => (child = started) })
  await expect.poll(() => answers(user), { timeout: 120_000 }).toBe(true)
  return { ended, pid: child?.pid ?? 0, signal: (name: NodeJS.Signals) => child?.kill(name) }
}

const answers = (user: User) =>
  overHttp(user.places, '/healthz').then(
    ({ status }) => status === 200,
    () => false,
  )

const slowDenial = rulesWith('PreToolUse', 'echo x >> "$HOME/started"; sleep 1; echo no >&2; exit 2')
const startedHooks = (user: User) => () => {
  const file = join(user.env.HOME, 'started')
  return existsSync(file) ? readFileSync(file, 'utf8').length / 2 : 0
}

describe('hookgate serve', () => {
  it('prints where it listens, and uses the rules that it is given', async () => {
    const user = residentUser({ 'hooks.json': rulesWith('PreToolUse', 'echo no >&2; exit 2') })
    const gate = await serving(user, ['--rules', 'hooks.json', '--no-discover'])
    expect((await askHook(user.places)).exitCode).toBe(2)
    gate.signal('SIGINT')
    expect(await gate.ended).toEqual({ stdout: `listening on ${user.places.socket}\n`, stderr: '', exitCode: 0 })
  })

  it('does not start with rules that do not exist', async () => {
    const user = residentUser()
    const ended = await user.cli(['serve', '--rules', 'nope'])
    expect(ended).toEqual({
      stdout: '',
      stderr: `hookgate: ${join(user.folder, 'nope')}: the rules file does not exist; name an existing file or folder with \`--rules\`\n`,
      exitCode: 1,
    })
    expect(existsSync(user.places.folder)).toBe(false)
  })

  it('reports at once that its rules do not load, once in status and log, and decides when they are fixed', async () => {
    const user = residentUser({ 'hooks.json': '{ "hooks": [' })
    const gate = await serving(user, ['--rules', 'hooks.json', '--no-discover'])
    const why = `every event is refused until they load: ${join(user.folder, 'hooks.json')}:1:`
    const { stdout } = await user.cli(['status'])
    expect(stdout).toContain(`  rules      ${why}`)
    expect(stdout.split('it is not JSON')).toHaveLength(2)
    expect(readFileSync(user.places.log, 'utf8').split('it is not JSON')).toHaveLength(2)
    expect((await askHook(user.places)).exitCode).toBe(2)
    writeFiles(user.folder, { 'hooks.json': rulesWith('PreToolUse', 'true') })
    await expect.poll(async () => (await askHook(user.places)).exitCode, { timeout: 120_000 }).toBe(0)
    gate.signal('SIGINT')
    const { stderr, exitCode } = await gate.ended
    expect({ stderr, exitCode }).toEqual({ stderr: expect.stringMatching(/^[^\n]*\n$/), exitCode: 0 })
    expect(stderr).toContain(`hookgate: warning: ${why}`)
  })

  it('runs once for each user: a second one is refused with a remedy', async () => {
    const user = residentUser()
    const gate = await serving(user)
    const second = await user.cli(['serve'])
    expect(second).toMatchObject({ exitCode: 1, stdout: '' })
    expect(second.stderr).toContain('a gate is already running; see `hookgate status`, or stop it with `hookgate down`')
    expect((await user.cli(['up'])).stdout).toContain(`the gate is running: pid ${gate.pid},`)
    gate.signal('SIGTERM')
    await gate.ended
  })

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'answers pending events at %s, accepts no new ones, and exits with 0',
    async (signal) => {
      const user = residentUser({ 'home/.config/hookgate/hooks.json': slowDenial })
      const gate = await serving(user, ['--concurrency', '4'])
      const responses = Array.from({ length: 8 }, () => askHook(user.places))
      await expect.poll(startedHooks(user), { timeout: 120_000 }).toBe(4)
      gate.signal(signal)
      await expect.poll(() => existsSync(user.places.socket)).toBe(false)
      await expect(askHook(user.places)).rejects.toMatchObject({ code: 'ENOENT' })
      expect((await Promise.all(responses)).map(({ exitCode }) => exitCode)).toEqual([2, 2, 2, 2, 2, 2, 2, 2])
      expect(await gate.ended).toMatchObject({ exitCode: 0, stderr: '' })
    },
  )

  it('ends at once at the second signal, with its hooks, and allows no pending event', async () => {
    const user = residentUser({
      'home/.config/hookgate/hooks.json': rulesWith('PreToolUse', 'echo x >> "$HOME/started"; sleep 60'),
    })
    const gate = await serving(user)
    const responses = askHook(user.places).catch((error: NodeJS.ErrnoException) => error.code)
    await expect.poll(startedHooks(user), { timeout: 120_000 }).toBe(1)
    const started = descendants(gate.pid)
    gate.signal('SIGTERM')
    await expect.poll(() => existsSync(user.places.socket)).toBe(false)
    gate.signal('SIGTERM')
    expect((await gate.ended).exitCode).toBe(1)
    expect(await responses).toBe('ECONNRESET')
    await expect.poll(() => started.filter(isAlive)).toEqual([])
  })

  it('does not wait for clients that send nothing, or half a request', async () => {
    const user = residentUser()
    const gate = await serving(user)
    const half = ['', 'hookga', 'hookgate/1\nh\0\0\0\x09{', 'POST /v1/hook/cli', 'GET /healthz HTTP/1.1\r\nhost: x\r\n']
    const closed = half.map((text) => {
      const socket = connect(user.places.socket, () => socket.write(text))
      return new Promise((resolve) => socket.on('error', resolve).once('close', resolve).resume())
    })
    const stream = overHttp(user.places, '/v1/events', { headers: { accept: 'text/event-stream' } }).catch(() => {})
    await expect.poll(() => user.status(), { timeout: 120_000 }).toMatchObject({ inFlight: 1 })
    gate.signal('SIGTERM')
    expect((await gate.ended).exitCode).toBe(0)
    await Promise.all([...closed, stream])
  })

  it('ends after `--idle` seconds without a request, but not while a client waits for it', async () => {
    // A busy machine may take a second to ask.
    const slower = rulesWith('PreToolUse', 'sleep 3; exit 2')
    const user = residentUser({ 'home/.config/hookgate/hooks.json': slower })
    const gate = await serving(user, ['--idle', '2'])
    expect((await askHook(user.places)).exitCode).toBe(2)
    expect((await gate.ended).exitCode).toBe(0)
    expect(readFileSync(user.places.log, 'utf8')).toContain('no requests for 2 s')
  })

  it.each(['0', '-1', 'x', ''])('refuses `--idle=%s`', async (idle) => {
    const user = residentUser()
    expect(await user.cli(['serve', `--idle=${idle}`])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('--idle must be'),
    })
  })

  it('leaves no hook and no sandbox behind when it is killed', async () => {
    const user = residentUser({
      'home/.config/hookgate/hooks.json': rulesWith('PreToolUse', 'echo x >> "$HOME/started"; sleep 60 & sleep 60'),
      'home/.config/hookgate/policies/a.policy.ts': policyText('a'),
    })
    const gate = await serving(user)
    const responses = Array.from({ length: 4 }, () =>
      askHook(user.places).catch((error: NodeJS.ErrnoException) => error.code),
    )
    await expect.poll(startedHooks(user), { timeout: 120_000 }).toBe(4)
    // The sandbox, and four shells with two sleeps each.
    await expect.poll(() => descendants(gate.pid).length).toBeGreaterThanOrEqual(13)
    const started = descendants(gate.pid)
    gate.signal('SIGKILL')
    expect(await Promise.all(responses)).toEqual(['ECONNRESET', 'ECONNRESET', 'ECONNRESET', 'ECONNRESET'])
    await expect.poll(() => started.filter(isAlive), { timeout: 120_000 }).toEqual([])
  })

  it('does not inherit the environment of a hook or a debugger', async () => {
    const user = residentUser({
      'home/.config/hookgate/hooks.json': rulesWith('PreToolUse', 'echo "$HOOKGATE_DEPTH$NODE_OPTIONS" > "$HOME/env"'),
    })
    const env = { HOOKGATE_DEPTH: '2', NODE_OPTIONS: '--trace-warnings' }
    expect((await user.cli(['up'], { env })).exitCode).toBe(0)
    await askHook(user.places)
    expect(readFileSync(join(user.env.HOME, 'env'), 'utf8')).toBe('1\n')
  })
})

describe.runIf(canMount)('on a full disk (as root)', () => {
  /** Fills the disk up to so many free blocks. */
  function fill(disk: string, blocks: number): void {
    expect(() => {
      for (let n = 0; ; n += 1) writeFileSync(join(disk, `filler-${n}`), 'x'.repeat(4096))
    }).toThrow('ENOSPC')
    for (let n = 0; n < blocks; n += 1) writeFileSync(join(disk, `filler-${n}`), '')
  }

  it('the gate starts nevertheless with the key of the one before, and reports what it cannot write', async () => {
    const disk = smallDisk()
    const user = residentUser({}, { HOOKGATE_HOME: disk })
    expect(await user.cli(['up'])).toMatchObject({ exitCode: 0 })
    await user.cli(['down'])
    fill(disk, 0)
    expect(await user.cli(['up'])).toMatchObject({ exitCode: 0 })
    expect(await user.status()).toMatchObject({
      running: true,
      warnings: [expect.stringMatching(/gate\.json cannot be written: the disk is full/)],
    })
    expect((await askHook(user.places)).isAnswer).toBe(true)
    expect((await user.cli(['down'])).exitCode).toBe(0)
  })

  it('a running gate keeps deciding', async () => {
    const disk = smallDisk()
    const user = residentUser(
      { 'home/.config/hookgate/hooks.json': rulesWith('PreToolUse', 'exit 2') },
      { HOOKGATE_HOME: disk },
    )
    await user.cli(['up'])
    fill(disk, 0)
    const responses = Array.from({ length: 20 }, () => askHook(user.places))
    expect((await Promise.all(responses)).every(({ exitCode }) => exitCode === 2)).toBe(true)
    expect((await user.cli(['down'])).exitCode).toBe(0)
  })

  it('the first gate is refused, since it cannot write its key, with the reason', async () => {
    const disk = smallDisk()
    const user = residentUser({}, { HOOKGATE_HOME: disk })
    fill(disk, 0)
    const ended = await user.cli(['up'])
    expect(ended).toMatchObject({ exitCode: 1, stdout: '' })
    expect(ended.stderr).toMatch(/gate\.key: the gate's key cannot be written: the disk is full/)
    expect(user.gates()).toEqual([])
  })

  it('HTTP is refused where the token cannot be written, with the reason', async () => {
    const disk = smallDisk()
    const user = residentUser({}, { HOOKGATE_HOME: disk })
    fill(disk, 0)
    const ended = await user.cli(['up', '--http'])
    expect(ended).toMatchObject({ exitCode: 1, stdout: '' })
    expect(ended.stderr).toMatch(/token: the token cannot be written: the disk is full/)
    expect(user.gates()).toEqual([])
  })
})
