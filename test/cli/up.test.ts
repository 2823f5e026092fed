import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { writePrivate } from '../../src/files/private-folder.ts'
import { processStart } from '../../src/service/server/process-start.ts'
import { askHook, overHttp } from '../support/ask-hook.ts'
import { otherVersion } from '../support/other-version.ts'
import { liveProcesses, onlyPid } from '../support/processes.ts'
import { freePort, isAlive, kill, residentUser } from '../support/resident.ts'
import { rulesWith } from '../support/workspace.ts'

/** A gate that used no processor for so long has loaded everything. */
const restMs = 500

const ofImpacts = `import { definePolicy, deny, impactText } from 'hookgate/policy'
export default definePolicy({
  id: 'mine',
  description: 'Refuses what others depend on',
  on: 'PreToolUse',
  decide: ({ impacts }) => impacts.map((impact) => deny(impactText(impact))),
})`

const slowDenial = {
  'home/.config/hookgate/hooks.json': rulesWith('PreToolUse', 'touch "$HOME/started"; sleep 1; echo no >&2; exit 2'),
}

describe('hookgate up', () => {
  it('starts a gate that answers and outlives it, and finds it the next time', async () => {
    const user = residentUser()
    const first = await user.cli(['up'])
    expect(first).toMatchObject({
      exitCode: 0,
      stderr: '',
      stdout: expect.stringMatching(/^the gate was started: pid \d+/),
    })
    const second = await user.cli(['up'])
    expect(second.stdout).toMatch(/^the gate is running: pid \d+/)
    expect(user.gates()).toHaveLength(1)
    expect((await askHook(user.places)).isAnswer).toBe(true)
    expect(await user.cli(['up', '--quiet'])).toEqual({ stdout: '', stderr: '', exitCode: 0 })
  })

  it('reports rules that do not load, before an event is refused for it', async () => {
    const user = residentUser({ 'home/.config/hookgate/hooks.json': '{"hooks": {}' })
    const { stdout, exitCode } = await user.cli(['up'])
    expect([stdout, exitCode]).toEqual([
      expect.stringMatching(
        /^the gate was started: .*\n  rules      every event is refused until they load: .*hooks\.json:1:/,
      ),
      0,
    ])
    expect((await user.cli(['up', '--quiet'])).stdout).toBe('')
    writeFileSync(join(user.folder, 'home/.config/hookgate/hooks.json'), '{"hooks": {}}')
    // The gate looks at its files again after a moment.
    await expect
      .poll(async () => (await user.cli(['up'])).stdout)
      .toMatch(/^nothing is checked: .*\nthe gate is running: .*\n$/)
  })

  it.each([2, 10])('%i at once start one gate, and all wait until it answers', async (count) => {
    const user = residentUser()
    const all = await Promise.all(Array.from({ length: count }, () => user.cli(['up'])))
    expect(all.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual(
      all.map(() => ({ exitCode: 0, stderr: '' })),
    )
    const pids = new Set(all.map(({ stdout }) => /pid (\d+)/.exec(stdout)?.[1]))
    expect([...pids]).toEqual(user.gates().map(String))
    expect(all.filter(({ stdout }) => stdout.startsWith('the gate was started'))).toHaveLength(1)
  })

  it('ten at once, half of them with `--http`, start one gate that listens on HTTP', async () => {
    const user = residentUser()
    const port = await freePort()
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, n) => user.cli(n % 2 === 0 ? ['up'] : ['up', '--http', `${port}`])),
    )
    expect(all.map(({ stderr }) => stderr).join('')).toBe('')
    expect(user.gates()).toHaveLength(1)
    expect(await user.status()).toMatchObject({ running: true, http: `http://127.0.0.1:${port}` })
  })

  it('replaces a gate without HTTP if `--http` is given, and keeps one with HTTP otherwise', async () => {
    const user = residentUser()
    const port = await freePort()
    await user.cli(['up'])
    const http = `http://127.0.0.1:${port}`
    expect((await user.cli(['up', '--http', `${port}`])).stdout).toMatch(/^the gate was replaced: .*, at http:/)
    expect((await user.cli(['up'])).stdout).toMatch(/^the gate is running: .*, at http:/)
    expect(user.gates()).toHaveLength(1)
    const token = readFileSync(user.places.token, 'utf8').trim()
    expect((await fetch(`${http}/healthz`)).status).toBe(401)
    expect((await fetch(`${http}/healthz`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200)
    expect(
      (await fetch(`${http}/v1/drain`, { method: 'POST', headers: { authorization: `Bearer ${token}` } })).status,
    ).toBe(404)
  })

  it('changes nothing where another program uses the port, and says so', async () => {
    const user = residentUser()
    const other = createServer()
    const port = await freePort()
    await new Promise<void>((done) => other.listen(port, '127.0.0.1', done))
    onTestFinished(() => void other.close())
    const refused = {
      exitCode: 1,
      stdout: '',
      stderr: `hookgate: the gate cannot listen at http://127.0.0.1:${port}: another program is using it; choose another port, with \`--http PORT\`, or with \`--port PORT\` for \`hookgate enable\`\n`,
    }
    expect(await user.spawned(['up', '--http', `${port}`])).toEqual(refused)
    expect(user.gates()).toEqual([])
    await user.cli(['up'])
    const before = user.gates()
    expect(await user.spawned(['up', '--http', `${port}`])).toEqual(refused)
    expect(user.gates()).toEqual(before)
    expect(await user.status()).toMatchObject({ running: true, http: null })
  })

  it('of another version replaces the gate, which answers its pending events before it ends', async () => {
    const user = residentUser(slowDenial)
    const port = await freePort()
    const old = otherVersion('0.0.1')
    await user.cli(['up', '--http', `${port}`], { bin: old })
    expect(await user.status()).toMatchObject({ running: true, version: '0.0.1' })
    const responses = Promise.all(Array.from({ length: 8 }, () => askHook(user.places, 'ls', 60_000, '0.0.1')))
    await expect.poll(() => existsSync(join(user.env.HOME, 'started')), { timeout: 120_000 }).toBe(true)
    expect((await user.cli(['up'])).stdout).toMatch(/^the gate was replaced/)
    expect((await responses).map(({ exitCode }) => exitCode)).toEqual(Array.from({ length: 8 }, () => 2))
    const status = await user.status()
    // Agents that reach it by HTTP still do.
    expect(status).toMatchObject({ running: true, http: `http://127.0.0.1:${port}` })
    expect(status).not.toMatchObject({ version: '0.0.1' })
    expect(user.gates()).toHaveLength(1)
    // The other way round too: the version that was called last wins.
    expect((await user.cli(['up'], { bin: old })).stdout).toMatch(/^the gate was replaced: .* version 0\.0\.1/)
  })

  it('replaces the socket and state of a killed gate, and listens where that did', async () => {
    const user = residentUser()
    const port = await freePort()
    await user.cli(['up', '--http', `${port}`])
    const pid = onlyPid(user.gates())
    kill(pid)
    await expect.poll(() => isAlive(pid)).toBe(false)
    expect(existsSync(user.places.socket)).toBe(true)
    expect(await user.status()).toMatchObject({ running: false })
    expect((await user.cli(['up'])).stdout).toMatch(/^the gate was started: /)
    expect(await user.status()).toMatchObject({ running: true, http: `http://127.0.0.1:${port}` })
  })

  it('never ends a process that reuses the pid of a former gate', async () => {
    const user = residentUser()
    await user.cli(['up'])
    const state = JSON.parse(readFileSync(user.places.state, 'utf8')) as { pid: number }
    kill(state.pid)
    await expect.poll(() => isAlive(state.pid)).toBe(false)
    for (const start of ['1 some-other-boot', processStart(process.pid)]) {
      // If the pid alone were believed, this very process would be killed.
      writePrivate(user.places.state, JSON.stringify({ ...state, pid: process.pid, processStart: start }))
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect((await user.cli(['up'])).exitCode).toBe(0)
      const pid = onlyPid(user.gates())
      kill(pid)
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await expect.poll(() => isAlive(pid)).toBe(false)
    }
    for (const nonsense of ['', '{', '[]', '{"pid": -1}', 'x'.repeat(100_000)]) {
      writePrivate(user.places.state, nonsense)
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect((await user.cli(['up'])).exitCode).toBe(0)
    }
  })

  it('kills a gate that is stuck, since its start time proves which process it is', async () => {
    const user = residentUser()
    await user.cli(['up'])
    const stuck = onlyPid(user.gates())
    kill(stuck, 'SIGSTOP')
    const ended = await user.cli(['up'])
    expect(ended).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^the gate was replaced/) })
    expect(isAlive(stuck)).toBe(false)
    expect(user.gates()).toHaveLength(1)
  })

  it('does not kill a gate that is stuck where nothing proves which process it is', async () => {
    const user = residentUser()
    await user.cli(['up'])
    const stuck = onlyPid(user.gates())
    const state = JSON.parse(readFileSync(user.places.state, 'utf8')) as object
    writePrivate(user.places.state, JSON.stringify({ ...state, processStart: '1 some-other-boot' }))
    kill(stuck, 'SIGSTOP')
    const ended = await user.cli(['up'])
    expect(ended).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('its process cannot be identified'),
    })
    expect(isAlive(stuck)).toBe(true)
  })

  it('treats a dead socket, or a file in its place, as left behind', async () => {
    const user = residentUser()
    mkdirSync(user.places.folder, { mode: 0o700 })
    writeFileSync(user.places.socket, 'no socket')
    expect((await user.cli(['up'])).exitCode).toBe(0)
    expect((await overHttp(user.places, '/healthz')).status).toBe(200)
  })

  it('reports a folder in the place of the socket', async () => {
    const user = residentUser()
    mkdirSync(join(user.places.socket, 'below'), { recursive: true, mode: 0o700 })
    const ended = await user.cli(['up'])
    expect(ended.exitCode).toBe(1)
    expect(ended.stderr).toMatch(/gate\.sock: the gate cannot listen on this socket: .*; remove what is there/)
    expect(user.gates()).toEqual([])
  })

  it('listens elsewhere where the path of the socket would be too long, and is found there', async () => {
    const user = residentUser()
    const env = { HOOKGATE_HOME: join(user.folder, 'x'.repeat(120)), XDG_RUNTIME_DIR: join(user.folder, 'run') }
    expect((await user.cli(['up'], { env })).exitCode).toBe(0)
    const status = JSON.parse((await user.cli(['status', '--json'], { env })).stdout) as { socket: string }
    expect(status.socket).toMatch(/\/run\/hookgate\/[0-9a-f]{16}\.sock$/)
    expect(
      (await askHook({ ...user.places, socket: status.socket, key: join(env.HOOKGATE_HOME, 'gate.key') })).isAnswer,
    ).toBe(true)
    expect((await user.cli(['down'], { env })).exitCode).toBe(0)
    expect(existsSync(status.socket)).toBe(false)
  })

  it('resolves a relative HOOKGATE_HOME from the working directory', async () => {
    const user = residentUser()
    expect((await user.cli(['up'], { env: { HOOKGATE_HOME: 'state' } })).exitCode).toBe(0)
    expect(await user.status()).toMatchObject({ running: true, socket: join(user.folder, 'state', 'gate.sock') })
  })

  it('reports that the home is not a folder', async () => {
    const user = residentUser({ 'a-file': '' })
    const env = { HOOKGATE_HOME: '', HOME: join(user.folder, 'a-file') }
    const ended = await user.cli(['up'], { env })
    expect(ended).toMatchObject({ exitCode: 1, stdout: '' })
    expect(ended.stderr).toMatch(/^hookgate: the home folder `.*\/a-file` is not a folder; set `HOME`/)
  })

  it.runIf(process.platform === 'linux')(
    'starts a gate that still says why it refuses, where its program was moved away before the first call',
    async () => {
      const user = residentUser({ 'home/.config/hookgate/policies/mine.policy.ts': ofImpacts })
      const bin = otherVersion('0.0.2')
      expect(await user.cli(['up'], { bin })).toMatchObject({ exitCode: 0 })
      const folder = dirname(dirname(dirname(bin)))
      const ticks = () =>
        /^\d+ \(.*?\)(?: \S+){11} (\d+ \d+)/.exec(readFileSync(`/proc/${user.gates()[0]}/stat`, 'utf8'))?.[1]
      // What it loads by itself once it has started is loaded when it rests.
      let before: string | undefined
      while (before !== ticks()) {
        before = ticks()
        // oxlint-disable-next-line no-await-in-loop -- it waits for a rest
        await sleep(restMs)
      }
      renameSync(folder, `${folder}-moved`)
      onTestFinished(() => rmSync(`${folder}-moved`, { recursive: true }))
      const { stdout } = await askHook(user.places, 'git push --force origin main', 60_000, '0.0.2')
      expect(stdout).toContain('overwrites remote branch `main`')
    },
  )

  it('reports the message of a gate that could not start', async () => {
    const user = residentUser({}, { HOOKGATE_HOME: '' })
    const env = { HOOKGATE_HOME: join(user.folder, 'state') }
    const broken = otherVersion('0.0.2')
    const whole = join(dirname(broken), 'whole.js')
    renameSync(broken, whole)
    const breaking = `if (process.argv[2] === 'serve') { console.error('a broken installation'); process.exit(1) }`
    writeFileSync(broken, `${breaking}\nawait import(${JSON.stringify(whole)})\n`)
    const ended = await user.cli(['up'], { env, bin: broken })
    expect(ended).toMatchObject({ exitCode: 1, stdout: '' })
    expect(ended.stderr).toContain('a broken installation')
    expect(liveProcesses(user.tag)).toEqual([])
  })

  it.each([['--http', '0'], ['--http', '65536'], ['--http', 'x'], ['--http='], ['--rules', 'x'], ['something']])(
    'refuses %s %s',
    async (...argv) => {
      const user = residentUser()
      expect(await user.cli(['up', ...argv])).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('--help') })
      expect(existsSync(user.places.folder)).toBe(false)
    },
  )

  it('leaves no gate behind when its folder is removed', async () => {
    const user = residentUser()
    await user.cli(['up'])
    const pid = onlyPid(user.gates())
    rmSync(user.places.folder, { recursive: true })
    await expect.poll(() => isAlive(pid), { timeout: 120_000 }).toBe(false)
  })
})
