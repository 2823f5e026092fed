import { chmodSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { overHttp } from '../support/ask-hook.ts'
import { otherVersion } from '../support/other-version.ts'
import { freePort, kill, residentUser } from '../support/resident.ts'
import { folderWith, rulesWith, writeFiles } from '../support/workspace.ts'
import { bundleLines } from '../../src/cli/text/rule-lines.ts'

describe('hookgate status', () => {
  it('says until when signed rules are fresh, by the clock of this machine', () => {
    const freshUntilMs = new Date(2026, 10, 30, 9, 5).getTime()
    const [line] = bundleLines({ channel: 'laptops', freshness: 'fresh', freshUntilMs, switched: [] })
    expect(line).toContain('(channel laptops, fresh, until 2026-11-30 09:05)')
  })

  it('reports that there is no gate, exits with 1, and creates nothing', async () => {
    const user = residentUser()
    expect(await user.cli(['status'])).toEqual({ stdout: 'the gate is not running\n', stderr: '', exitCode: 1 })
    const { stdout, exitCode } = await user.cli(['status', '--json'])
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toEqual({
      running: false,
      record: { level: 'all', file: user.places.decisions, lost: 0 },
      why: null,
      socket: user.places.socket,
      log: user.places.log,
      protection: 'enforce',
      unmanaged: [],
      bundle: null,
      notAsking: [],
    })
  })

  it('says first that nothing is checked, and exits with 1, where no rules are in force', async () => {
    const user = residentUser({ 'home/.config/hookgate/hooks.json': '{"hooks": {}}' })
    const file = join(user.folder, 'home/.config/hookgate/hooks.json')
    const first = `nothing is checked: no rules are in force; \`hookgate packs recommended --on\` adds a preset to ${file}\n`
    const { stdout } = await user.cli(['up'])
    expect(stdout.startsWith(`${first}the gate was started: `)).toBe(true)
    const ended = await user.cli(['status'])
    expect({ ...ended, stdout: ended.stdout.slice(0, first.length) }).toEqual({
      exitCode: 1,
      stderr: '',
      stdout: first,
    })
    expect(await user.status()).toMatchObject({ running: true, protection: 'none' })
    for (const [argv, exitCode] of [
      [['status', 'codex'], 1],
      [['status', '--all'], 1],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { stdout: text, exitCode: code } = await user.cli(argv)
      expect([text.slice(0, first.length), code]).toEqual([first, exitCode])
    }
    writeFiles(user.folder, { 'work/.hookgate/hooks.json': rulesWith('PreToolUse', 'true', { onFailure: 'block' }) })
    const cwd = join(user.folder, 'work')
    expect((await user.cli(['status'], { cwd })).stdout).toMatch(/^the gate is running/)
    writeFiles(user.folder, { 'work/.hookgate/hooks.json': rulesWith('PreToolUse', 'true') })
    // It came with the folder, so it is not run.
    expect((await user.cli(['status'], { cwd })).stdout).toMatch(/^nothing is checked/)
  })

  it('names the hooks of an agent’s own file that hookgate does not run', async () => {
    const hooks = { PreToolUse: [{ hooks: [{ type: 'prompt', prompt: 'safe?' }] }] }
    const user = residentUser({ 'home/.cline/hooks.json': { json: { hooks } } })
    const id = 'user:.cline/hooks.json#PreToolUse[0].hooks[0]'
    const note = `${id} is not run: hookgate runs \`command\` and \`policy\` hooks, not \`prompt\` hooks\n`
    expect((await user.cli(['status'])).stdout).toMatch(/^the gate is not running\n {2}warning {4}user:/m)
    expect((await user.cli(['status'])).stdout).toContain(note)
    expect((await user.cli(['status', 'cline'])).stdout).toContain(`  ${note}`)
  })

  it('names the hooks whose matcher no tool can match, with what to write, and does not count them', async () => {
    const user = residentUser({
      'home/.config/hookgate/hooks.json': {
        json: { hooks: { PreToolUse: [{ matcher: '/^Bash$/', hooks: [{ type: 'command', command: 'true' }] }] } },
      },
    })
    const { stdout } = await user.cli(['status'])
    expect(stdout).toContain('user:hooks.json#PreToolUse[0] is not run: its matcher `/^Bash$/` matches no tool: ')
    expect(stdout).toContain('write `"matcher": "Bash"`')
    expect(stdout).toContain('nothing is checked')
  })

  it('exits with 0 after a correct set-up, and says what starts the gate', async () => {
    const user = residentUser({
      'home/.config/hookgate/hooks.json': rulesWith('PreToolUse', 'true', { onFailure: 'block' }),
    })
    expect((await user.cli(['status'])).exitCode).toBe(1)
    await user.cli(['enable', 'gemini-cli'])
    expect(await user.cli(['status'])).toMatchObject({
      stdout: expect.stringMatching(/^the gate is not running: the first event of Gemini CLI starts it\n/),
      exitCode: 0,
    })
    writeFiles(user.folder, { 'home/.config/hookgate/hooks.json': '{}' })
    expect((await user.cli(['status'])).exitCode).toBe(1)
  })

  it('says first that nothing but changes to hookgate itself is refused where all rules only observe', async () => {
    const rules = { json: { mode: 'observe', permissions: { deny: ['Bash(x)'] } } }
    const user = residentUser({ 'home/.config/hookgate/hooks.json': rules })
    await user.cli(['up'])
    const { stdout, exitCode } = await user.cli(['status'])
    expect([stdout, exitCode]).toEqual([
      expect.stringMatching(
        /^the rules only observe: nothing but changes to hookgate itself is refused\nthe gate is running/,
      ),
      0,
    ])
  })

  it('shows the gate’s process and addresses, and whether any agent asks it', async () => {
    const user = residentUser({ 'home/.config/hookgate/hooks.json': rulesWith('PreToolUse', 'true') })
    const port = await freePort()
    await user.cli(['up', '--http', `${port}`])
    const [pid] = user.gates()
    expect(await user.status()).toEqual({
      running: true,
      pid,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      uptimeMs: expect.any(Number),
      socket: user.places.socket,
      http: `http://127.0.0.1:${port}`,
      tokenFile: user.places.token,
      log: user.places.log,
      inFlight: 0,
      rules: 1,
      warnings: [],
      export: [],
      record: { level: 'all', file: user.places.decisions, lost: 0 },
      protection: 'enforce',
      unmanaged: [],
      bundle: null,
      notAsking: [],
    })
    for (const file of [user.places.token, user.places.state, user.places.log]) {
      expect(statSync(file).mode & 0o777).toBe(0o600)
    }
    const { stdout, exitCode } = await user.cli(['status'])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^the gate is running: pid \d+, version .*\n {2}socket .*\n {2}http .*token.*\n/)
    expect(stdout).toContain("\n  rules      1 everywhere; a workspace's own rules are added within it\n")
    const idle = '  warning    no agent of this user asks the gate: `hookgate init` registers those that it finds'
    expect(stdout.split('\n')).toContain(idle)
    await user.cli(['enable', 'gemini-cli'])
    expect((await user.cli(['status'])).stdout).not.toContain(idle)
  })

  it('reports rules that do not parse', async () => {
    const user = residentUser({ 'home/.config/hookgate/hooks.json': '{' })
    await user.cli(['up'])
    expect(await user.status()).toMatchObject({
      running: true,
      rules: { problem: expect.stringContaining('hooks.json:1') },
    })
    writeFiles(user.folder, { 'home/.config/hookgate/hooks.json': rulesWith('PreToolUse', 'true') })
    await expect.poll(() => user.status(), { timeout: 120_000 }).toMatchObject({ rules: 1 })
  })

  it('reports rules that no longer load, as the log does, while the former ones stay in force', async () => {
    const rules = rulesWith('PreToolUse', 'exit 0')
    const broken = '{ "hooks": { "PreToolUse": 1 } }'
    const user = residentUser({ 'home/.config/hookgate/hooks.json': rules, 'work/.hookgate/hooks.json': rules })
    const work = join(user.folder, 'work')
    await user.cli(['up'])
    const event = { hook_event_name: 'PreToolUse', tool_name: 'Read', tool_input: { file_path: 'x' } }
    const body = JSON.stringify({ session_id: 's', transcript_path: '', cwd: work, ...event })
    const ask = () => overHttp(user.places, '/claude-code', { body })
    await ask()
    expect(await user.status()).toMatchObject({ rules: 1, warnings: [] })
    writeFiles(user.folder, { 'home/.config/hookgate/hooks.json': broken })
    const notLoading = (where: string): unknown =>
      expect.stringMatching(new RegExp(`${where}.*do not load.*hooks.json:1:.*stay in force$`))
    await expect
      .poll(() => user.status(), { timeout: 120_000 })
      .toMatchObject({ rules: 1, warnings: expect.arrayContaining([notLoading('^the rules')]) })
    writeFiles(user.folder, { 'home/.config/hookgate/hooks.json': rules, 'work/.hookgate/hooks.json': broken })
    await ask()
    // The gate reloads the user's rules in the background.
    await expect
      .poll(() => user.status(), { timeout: 120_000 })
      .toMatchObject({ rules: 1, warnings: [notLoading(`^in ${work}: `)] })
    expect((await user.cli(['status'])).stdout).toContain(`\n  warning    in ${work}: the rules do not load`)
    writeFiles(user.folder, { 'work/.hookgate/hooks.json': rules })
    await expect.poll(() => user.status(), { timeout: 120_000 }).toMatchObject({ warnings: [] })
    const log = readFileSync(user.places.log, 'utf8')
    // Once for everywhere and for the workspace: how often the file's state in between is seen depends on the clock.
    expect(log.match(/"level":40.*the rules do not load/g)?.length).toBeGreaterThanOrEqual(2)
    expect(log.match(/the problems are fixed/g)?.length).toBeGreaterThanOrEqual(2)
  })

  it('reports settings with which an agent stops asking in a project that the gate knows, without being asked', async () => {
    const user = residentUser({ 'work/x': '' })
    const work = join(user.folder, 'work')
    await user.cli(['enable', 'claude-code'])
    await user.cli(['up'])
    const event = {
      session_id: 's',
      transcript_path: '',
      cwd: work,
      hook_event_name: 'UserPromptSubmit',
      prompt: 'x',
    }
    await overHttp(user.places, '/claude-code', { body: JSON.stringify(event) })
    writeFiles(work, { '.claude/settings.json': { json: { disableAllHooks: true } } })
    const why = `${work}/.claude/settings.json: \`disableAllHooks\` is true, with which Claude Code runs no hook`
    await expect.poll(() => readFileSync(user.places.log, 'utf8'), { timeout: 120_000 }).toContain(why)
    expect(await user.status()).toMatchObject({ warnings: [expect.stringContaining(`in ${work}: ${why}`)] })
    const { exitCode, stdout } = await user.cli(['status'], { cwd: work })
    expect({ exitCode, first: stdout.split('\n')[0] }).toEqual({ exitCode: 1, first: expect.stringContaining(why) })
    expect(stdout).toContain(
      'remove it; no project can do so once an administrator has run `hookgate enable --managed claude-code`',
    )
    expect((await user.cli(['status'])).exitCode).toBe(0)
  })

  it('reports a gate of another version', async () => {
    const user = residentUser()
    await user.cli(['up'], { bin: otherVersion('0.0.1') })
    expect((await user.cli(['status'])).stdout).toContain('version 0.0.1')
  })

  it('reports a gate that is stuck, with a remedy', async () => {
    const user = residentUser()
    await user.cli(['up'])
    const [pid = NaN] = user.gates()
    kill(pid, 'SIGSTOP')
    const { stdout, exitCode } = await user.cli(['status'])
    expect(exitCode).toBe(1)
    expect(stdout).toContain('does not answer; `hookgate down` stops a stuck gate')
  })

  it.each([
    ['up', 'started'],
    ['down', 'another program was listening on its socket, which is removed'],
  ])('reports another program at the socket, from which `%s` takes it', async (command, printed) => {
    const user = residentUser()
    mkdirSync(user.places.folder, { mode: 0o700 })
    const server = createServer((_request, response) => response.end('{"pid": 1, "version": "2", "http": null}'))
    await new Promise<void>((done) => server.listen(user.places.socket, done))
    onTestFinished(() => void server.close())
    expect((await user.cli(['status'])).stdout).toContain('another program is listening on its socket')
    expect(await user.cli([command])).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(printed) })
    expect(user.gates()).toHaveLength(command === 'up' ? 1 : 0)
  })

  it.each(['status', 'up', 'down'])(
    'a folder that is open to others is refused with the remedy (%s)',
    async (command) => {
      const folder = folderWith()
      chmodSync(folder, 0o755)
      const user = residentUser()
      const { stdout, stderr, exitCode } = await user.cli([command], { env: { HOOKGATE_HOME: folder } })
      expect({ stdout, stderr, exitCode }).toEqual({
        stdout: '',
        stderr: `hookgate: ${folder}: users other than its owner can access it; run \`chmod 700 ${folder}\`\n`,
        exitCode: 1,
      })
    },
  )
})
