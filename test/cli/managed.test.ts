import { type ChildProcess, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { agents } from '../../src/agents/registry.ts'
import { entryFile } from '../../src/files/program-files.ts'
import { changeableBy } from '../../src/rules/index.ts'
import { hookgate, hookgateHere } from '../support/cli.ts'
import { serveFolder } from '../support/bundle-server.ts'
import { channel, denyRm, makeTeam } from '../support/bundles.ts'
import { attributesOf, startCollector } from '../support/collector.ts'
import { claudeShell } from '../support/wire.ts'
import { folderWith } from '../support/workspace.ts'

const alone = ['unshare', '--mount', '--propagation', 'private'] as const
/** Whether this user may have mounts of its own: root may, unless it is confined. */
const canBeAlone =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync(alone[0], [...alone.slice(1), 'true']).status === 0

/** A machine of its own: hookgate sees another `/etc` and another `/var/lib` than everybody else. */
function machine(files: Readonly<Record<string, string>> = {}) {
  const folder = folderWith({ 'home/x': '', 'project/x': '', 'var/x': '' })
  const at = (name: string) => join(folder, name)
  chmodSync(folder, 0o755)
  mkdirSync(at('etc'))
  for (const name of ['passwd', 'group', 'nsswitch.conf', 'ld.so.cache', 'ssl', 'alternatives'])
    cpSync(join('/etc', name), at(`etc/${name}`), {
      recursive: true,
      force: true,
      errorOnExist: false,
      verbatimSymlinks: true,
    })
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(at(name)), { recursive: true })
    writeFileSync(at(name), text)
  }
  const mounted = `umask 077; mount --bind '${at('etc')}' /etc && mount --bind '${at('var')}' /var/lib && exec `
  return {
    at,
    read: (name: string) => readFileSync(at(name), 'utf8'),
    cli: (
      argv: readonly string[],
      env: Readonly<Record<string, string>> = {},
      stdin = '',
      onStart: (child: ChildProcess) => void = () => {},
      atTerminal = false,
    ) =>
      hookgate(argv, {
        cwd: at('project'),
        stdin,
        onStart,
        env: { HOME: at('home'), ...env },
        behind: [...alone, 'sh', '-c', `${mounted}${atTerminal ? 'script -qefc "$*" /dev/null' : '"$@"'}`, 'sh'],
      }),
  }
}

const ManagedStatusJson = z.looseObject({
  sound: z.boolean(),
  rules: z.object({ files: z.array(z.string()), holes: z.array(z.string()) }),
})

const StatusesJson = z.looseObject({
  agents: z.array(
    z.looseObject({
      agent: z.string(),
      calls: z.boolean(),
      scopes: z.array(z.looseObject({ scope: z.string(), state: z.string() })),
    }),
  ),
})

const three = ['claude-code', 'codex', 'copilot-cli'] as const
const classOf = (agent: (typeof three)[number]) => (agent === 'codex' ? 'advisory' : 'enforced')

/** Whether only root could change what the hooks run: else that is open, as it should be. */
const isInstalledByRoot = [process.execPath, entryFile('cli/bin')].every(
  (file) => changeableBy(file, { managedFolder: dirname(file), managedOwners: [0] }) === undefined,
)

describe.runIf(canBeAlone && isInstalledByRoot)('on a machine of an administrator', () => {
  it('registers agents for everybody, says what is open, and is undone to the byte (as root)', async () => {
    const requirements = '# the company\n[features]\nweb = false # theirs\n'
    const { cli, read, at } = machine({ 'etc/codex/requirements.toml': requirements })
    expect(await cli(['status', '--managed'])).toMatchObject({ exitCode: 1 })

    const enabled = await cli(['enable', '--managed', ...three])
    expect(enabled).toMatchObject({ exitCode: 0, stderr: '' })
    expect(enabled.stdout).toContain('asked by Claude Code, Codex, Copilot CLI')
    const file = at('etc/claude-code/managed-settings.d/50-hookgate.json')
    for (const one of [file, at('etc/claude-code/hookgate.sh'), at('etc/codex/hookgate.sh')])
      expect([statSync(one).mode & 0o777, statSync(one).uid]).toEqual([0o644, 0])
    // Whatever the umask, users can read it.
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o755)

    const noRules = await cli(['status', '--managed', ...three])
    expect(noRules).toMatchObject({ exitCode: 1 })
    expect(noRules.stdout).toMatch(/^managed rules: none\n {2}open: there are no managed rules/)
    expect(noRules.stdout).not.toMatch(/open: it/)
    const looked = `only the settings of ${at('home')} and ${at('project')} were read`
    expect(noRules.stdout.trimEnd().split('\n').at(-1)).toContain(looked)

    mkdirSync(at('etc/hookgate'), { mode: 0o755 })
    writeFileSync(at('etc/hookgate/hooks.json'), '{"preset": "recommended"}\n', { mode: 0o644 })
    const sound = await cli(['status', '--managed', ...three, '--json'])
    expect(sound.stdout.split('\n')).toHaveLength(2)
    expect(JSON.parse(sound.stdout)).toMatchObject({
      sound: true,
      rules: { files: ['/etc/hookgate/hooks.json'], holes: [] },
      agents: three.map((agent) => ({ agent, class: classOf(agent), registered: true, holes: [] })),
      looked: { home: at('home'), folder: at('project') },
    })
    expect(sound.exitCode).toBe(0)

    const bundle = '"bundle": {"url": "https://bundles.example", "channel": "laptops"}'
    for (const [text, hole] of [
      ['{}', 'there are no rules'],
      ['{"hooks": {}}', 'no managed rule is in force'],
      ['{"permissions": {"deny": []}}', 'no managed rule is in force'],
      ['{"packs": [{"pack": "git-safety", "disable": ["*"]}]}', 'no managed rule is in force'],
      [`{${bundle}}`, 'the signed rules of the channel laptops are not in force'],
      [`{"preset": "recommended", ${bundle}}`, 'the signed rules of the channel laptops are not in force'],
      ['{"permissions": {"deny": ["Bash(never)"]}}', undefined],
    ] as const) {
      writeFileSync(at('etc/hookgate/hooks.json'), text)
      // oxlint-disable-next-line no-await-in-loop -- one file after the other
      const status = await cli(['status', '--managed', '--json'])
      const { sound: isSound, rules } = ManagedStatusJson.parse(JSON.parse(status.stdout))
      expect([text, status.exitCode, isSound]).toEqual([text, hole === undefined ? 0 : 1, hole === undefined])
      expect([text, rules.holes.join()]).toEqual([text, hole === undefined ? '' : expect.stringContaining(hole)])
    }
    writeFileSync(at('etc/hookgate/hooks.json'), '{"preset": "recommended"}\n')
    chmodSync(at('etc/github-copilot/policy.d/50-hookgate.json'), 0o666)
    const open = await cli(['status', '--managed'])
    expect(open.exitCode).toBe(1)
    expect(open.stdout).toContain(
      'open: /etc/github-copilot/policy.d/50-hookgate.json: every user may write it; run `chmod go-w',
    )

    rmSync(at('etc/claude-code/hookgate.sh'))
    const doctor = await cli(['doctor'])
    expect(doctor.stdout).toContain('/etc/claude-code/hookgate.sh is gone: every call is refused')

    expect((await cli(['disable', '--managed', ...three])).stdout).toContain('restored /etc/codex/requirements.toml')
    expect(read('etc/codex/requirements.toml')).toBe(requirements)
    expect(() => statSync(at('etc/claude-code'))).toThrow('ENOENT')
    expect(() => statSync(at('etc/github-copilot'))).toThrow('ENOENT')
    expect(existsSync(at('etc/codex/hookgate.sh'))).toBe(false)
    expect((await cli(['disable', '--managed', ...three])).stdout).toContain('nothing was changed')
  })

  it('is told who asks, by doctor, status, its lists and the heartbeat (as root)', async () => {
    const all = agents.filter(({ managed }) => managed?.folders.linux !== undefined)
    const { cli, at } = machine()
    const collector = await startCollector()
    await cli(['enable', '--managed', ...all.map(({ name }) => name)])
    mkdirSync(at('etc/hookgate'), { mode: 0o755 })
    const rules = { preset: 'recommended', export: { otlp: { url: collector.url, metrics: false } } }
    writeFileSync(at('etc/hookgate/hooks.json'), JSON.stringify(rules), { mode: 0o644 })

    const listed = (await cli(['status', '--list'])).stdout
    const every = JSON.parse((await cli(['status', '--all', '--json'])).stdout) as unknown
    const { agents: statuses } = StatusesJson.parse(every)
    for (const { name, title } of all) {
      expect(listed).toMatch(new RegExp(`^${name} +registered by an administrator \\(managed\\): /etc/`, 'm'))
      const { calls, scopes } = statuses.find(({ agent }) => agent === name) ?? { calls: false, scopes: [] }
      expect([title, calls, scopes[0]?.scope, scopes[0]?.state]).toEqual([title, true, 'managed', 'works'])
    }
    const one = await cli(['status', 'claude-code'])
    expect(one.stdout).toMatch(
      /^Claude Code asks hookgate\n {2}managed {2}\/etc\/.*: works, registered by an administrator at/m,
    )
    const doctor = await cli(['doctor'])
    for (const { title } of all) expect(doctor.stdout).toContain(`${title} asks hookgate`)
    expect(doctor.stdout).not.toMatch(/no agent asks|does not ask/)

    const { promise, resolve } = Promise.withResolvers<ChildProcess>()
    void hookgateOf(['serve'], resolve)
    const gate = await promise
    onTestFinished(() => void gate.kill('SIGKILL'))
    const event = JSON.stringify(claudeShell('ls', at('project')))
    await vi.waitFor(
      async () => {
        await cli(['run', '--agent', 'claude-code', '--with-gate'], { HOME: at('home') }, event)
        expect(collector.heartbeats().length).toBeGreaterThan(0)
      },
      { timeout: 600_000, interval: 500 },
    )
    const proved = attributesOf(collector.heartbeats()[0] ?? { attributes: [] })['hookgate.agents.proved']
    expect(proved).toEqual(all.map(({ name }) => name))

    function hookgateOf(argv: readonly string[], onStart: (child: ChildProcess) => void) {
      return cli(argv, {}, '', onStart)
    }
  })

  it('is left as it is by `init`, which says who registered it, and enables the others (as root)', async () => {
    const { cli, at } = machine({ 'etc/hookgate/hooks.json': '{"preset": "recommended"}\n', 'home/.gemini/x': '' })
    await cli(['enable', '--managed', 'claude-code'])
    const shown = await cli(['init', '--dry-run'])
    expect(shown.stdout).toMatch(
      /^ {2}Claude Code +is left as it is: an administrator registered it in \/etc\/claude-code/m,
    )
    const { stdout } = await cli(['init', '--yes'])
    expect(stdout).toMatch(/\nprotected: Claude Code \(by an administrator\), Gemini CLI\n$/)
    expect(existsSync(at('home/.claude'))).toBe(false)
    expect(existsSync(at('home/.gemini/settings.json'))).toBe(true)
    // Nor is there anything of it to undo.
    const undone = (await cli(['uninstall', '--yes'])).stdout
    expect(undone).toMatch(
      /\nhookgate is undone for you: .*\nClaude Code still asks hookgate, by \/etc\/claude-code\S+: before you remove the program, run `hookgate disable --managed claude-code` as an administrator\n$/,
    )
    expect(undone).not.toContain('npm uninstall')
    expect((await cli(['uninstall', '--yes'])).stdout).toMatch(
      /^there is nothing to undo: .*\nClaude Code still asks hookgate/,
    )
    expect((await cli(['status', 'claude-code'])).stdout).toMatch(/^Claude Code asks hookgate\n/m)
  })

  it('leads no user to their own file where managed rules are missing (as root)', async () => {
    const bundle = { url: 'https://127.0.0.1:9', channel: 'laptops' }
    const { cli, at } = machine({ 'etc/hookgate/hooks.json': '' })
    for (const [managed, says] of [
      [{ bundle }, /signed rules of the channel laptops are(?: not)? in force/],
      [{ hooks: {} }, /an administrator adds `"preset": "recommended"` to \/etc\/hookgate\/hooks\.json/],
      [
        { permissions: { deny: [] } },
        /an administrator adds `"preset": "recommended"` to \/etc\/hookgate\/hooks\.json/,
      ],
    ] as const) {
      writeFileSync(at('etc/hookgate/hooks.json'), JSON.stringify(managed))
      for (const argv of [['status'], ['explain', 'ls'], ['doctor'], ['up']]) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const { stdout } = await cli(argv, { HOOKGATE_HOME: at('state') })
        expect([argv, stdout]).toEqual([argv, expect.stringMatching(says)])
        expect([argv, stdout]).toEqual([argv, expect.not.stringContaining('.config/hookgate')])
      }
      // oxlint-disable-next-line no-await-in-loop -- see above
      await cli(['down'], { HOOKGATE_HOME: at('state') })
    }
  })

  it('has a slow first fetch ended after the answer, by one process of its own (as root)', async () => {
    const team = makeTeam()
    team.publish('r1', denyRm)
    const server = await serveFolder(team.repository.folder)
    const { cli, at } = machine({
      'etc/hookgate/hooks.json': JSON.stringify({ bundle: { url: server.url, channel, onMissing: 'block' } }),
      'etc/hookgate/root.json': readFileSync(team.file('metadata/1.root.json'), 'utf8'),
    })
    // Held back for as long as any process of one event waits.
    let held: (() => void)[] = []
    server.at('timestamp.json', (response) => {
      held.push(() => response.end(readFileSync(team.file('metadata/timestamp.json'))))
    })
    const env = { HOOKGATE_HOME: at('state') }
    const decide = (command: string) =>
      cli(['run', '--agent', 'claude-code'], env, JSON.stringify(claudeShell(command, at('project'))))
    expect((await decide('ls')).stderr).toContain('the signed rules of the channel laptops are not in force')
    // The one that goes on asks anew.
    await vi.waitFor(() => expect(held.length).toBeGreaterThan(1), { timeout: 120_000, interval: 100 })
    for (const release of held) release()
    held = []
    await vi.waitFor(() => expect(existsSync(at('state/bundles/active.json'))).toBe(true), {
      timeout: 120_000,
      interval: 200,
    })
    expect(await decide('ls')).toMatchObject({ exitCode: 0 })
    expect((await decide('rm -rf x')).exitCode).toBe(2)
    expect(held).toEqual([])
  })

  it('gives a file to root that was another user’s (as root)', async () => {
    const { cli, at } = machine({ 'etc/factory/settings.json': '{}\n' })
    spawnSync('chown', ['1000', at('etc/factory/settings.json')])
    await cli(['enable', '--managed', 'droid'])
    expect(statSync(at('etc/factory/settings.json')).uid).toBe(0)
    expect((await cli(['status', '--managed', 'droid'])).stdout).not.toContain('user id')
  })

  it('changes no file if one of several leaves no place (as root)', async () => {
    const { cli, at } = machine({ 'etc/codex/requirements.toml': 'features = { web = true }\n' })
    const { exitCode, stderr } = await cli(['enable', '--managed', ...three])
    expect(exitCode).toBe(1)
    expect(stderr).toContain('/etc/codex/requirements.toml')
    expect(() => statSync(at('etc/claude-code'))).toThrow('ENOENT')
    rmSync(at('etc/codex/requirements.toml'))
  })
})

describe.runIf(canBeAlone && spawnSync('script', ['--version']).status === 0)('at a terminal', () => {
  it('shows which files of an administrator would change, and asks, unless it has `--yes` (as root)', async () => {
    const { cli, at } = machine()
    const file = at('etc/claude-code/managed-settings.d/50-hookgate.json')
    const asked = await cli(['enable', '--managed', 'claude-code'], {}, 'n\n', undefined, true)
    expect(asked.stdout).toMatch(/would change \/etc\/claude-code\/.*50-hookgate\.json[^]*go ahead\? \[Y\/n\]/)
    expect(asked.stdout).toContain('nothing was changed')
    expect(existsSync(file)).toBe(false)
    await cli(['enable', '--managed', 'claude-code', '--yes'], {}, '', undefined, true)
    expect(existsSync(file)).toBe(true)
    await cli(['disable', '--managed', 'claude-code', '--yes'])
    expect(existsSync(file)).toBe(false)
  })
})

describe('enable --managed', () => {
  it('prints each file with its path, owner and mode, and writes nothing', async () => {
    const printed = await hookgateHere(['enable', '--managed', 'claude-code', 'copilot-cli', '--print'])
    expect(printed.exitCode).toBe(0)
    expect(printed.stdout).toMatch(/^# \S+\/claude-code\/hookgate\.sh {2}root 0644\n#!\/bin\/sh\n/)
    expect(printed.stdout).toMatch(/\n# \/\S+50-hookgate\.json {2}root 0644\n\{\n/)
    expect(printed.stdout).toMatch(/\n# \S+policy\.d\/50-hookgate\.json {2}root 0644\n/)
    const json = await hookgateHere(['enable', '--managed', 'copilot-cli', '--print', '--json'])
    const [script, file] = JSON.parse(json.stdout) as readonly { readonly text: string }[]
    expect(script?.text).toContain('run --agent copilot-cli')
    expect(JSON.parse(file?.text ?? '')).toMatchObject({ version: 1 })
  })

  it('prints no line that is longer than the two paths make it, and none of it twice', async () => {
    const all = agents.filter(({ managed }) => managed?.folders.linux !== undefined).map(({ name }) => name)
    const target = ['--target-prefix', '/usr/local', '--target-platform', 'linux']
    const { stdout } = await hookgateHere(['enable', '--managed', ...all, '--print', ...target])
    const lines = stdout.split('\n').filter((line) => !line.startsWith('# warning:'))
    expect(lines.filter((line) => line.length > 160)).toEqual([])
    expect(lines.filter((line) => line.includes('bin.js')).length).toBe(3 * all.length)
  })

  it('prints hooks for a server that need no script beside them', async () => {
    const { stdout } = await hookgateHere(['enable', '--managed', 'claude-code', '--print', '--served', '--json'])
    const printed = JSON.parse(stdout) as readonly { readonly file: string; readonly text: string }[]
    expect(printed.map(({ file }) => basename(file))).toEqual(['50-hookgate.json'])
    expect(printed[0]?.text).toContain('run --agent claude-code --with-gate || exit 2')
    expect(printed[0]?.text).not.toContain('hookgate.sh')
  })

  it.each([
    ['linux', '/opt/npm', '/opt/npm/bin/node', '/opt/npm/lib/node_modules/hookgate/dist/cli/bin.js', '/etc/'],
    [
      'darwin',
      '/opt/homebrew',
      '/opt/homebrew/bin/node',
      '/opt/homebrew/lib/node_modules/hookgate/dist/cli/bin.js',
      '/Library/Application Support/',
    ],
    [
      'win32',
      'C:\\npm',
      'C:\\npm\\node.exe',
      'C:\\npm\\node_modules\\hookgate\\dist\\cli\\bin.js',
      'C:\\Program Files\\',
    ],
  ])('prints what another machine gets, with its own paths: %s', async (platform, prefix, node, bin, folder) => {
    const target = ['--print', '--json', '--target-platform', platform, '--target-prefix', prefix]
    const { stdout } = await hookgateHere(['enable', '--managed', 'claude-code', ...target])
    const printedFiles = JSON.parse(stdout) as readonly { readonly file: string; readonly text: string }[]
    // Windows has no script.
    expect(printedFiles).toHaveLength(platform === 'win32' ? 1 : 2)
    for (const one of printedFiles) expect(one.file.startsWith(folder)).toBe(true)
    const [script, file = script] = printedFiles
    expect(file?.file.endsWith(platform === 'win32' ? '\\50-hookgate.json' : '/50-hookgate.json')).toBe(true)
    const inText = (path: string) => JSON.stringify(path).slice(1, -1)
    const quotedIn = platform === 'win32' ? inText : (path: string) => path
    expect(script?.text).toContain(quotedIn(node))
    expect(script?.text).toContain(quotedIn(bin))
    if (platform !== 'win32')
      expect(file?.text).toContain(`${folder}${platform === 'linux' ? 'claude-code' : 'ClaudeCode'}/hookgate.sh`)
    for (const here of [process.execPath, 'another-machine', '/src/cli/bin.ts']) expect(stdout).not.toContain(here)
    const other = platform === 'win32' ? 'D:\\node.exe' : '/usr/bin/node'
    const named = await hookgateHere(['enable', '--managed', 'claude-code', ...target, '--target-node', other])
    expect(named.stdout).toContain(platform === 'win32' ? inText(inText(other)) : other)
  })

  it.each<[readonly string[], RegExp]>([
    [['enable', '--managed', 'codex', '--target-prefix', '/x'], /`--target-prefix` goes with `--print`/],
    [['enable', '--managed', 'codex', '--print', '--target-node', '/x'], /go with `--target-prefix`/],
    [['enable', '--managed', 'codex', '--print', '--target-prefix', 'x'], /`x` is no absolute path of that machine/],
    [['enable', '--managed', 'codex', '--print', '--target-prefix', '/x', '--target-platform', 'beos'], /linux/],
    [['enable', '--managed', 'claude-code', '--served'], /`--served` goes with `--print`/],
    [['enable', '--managed', 'codex', '--print', '--served'], /nobody has tried hooks that a server delivers to Codex/],
    [['enable', '--managed'], /needs agents/],
    [['enable', '--managed', 'cline'], /Cline reads no hooks of an administrator/],
    [['enable', '--managed', 'codex', '--scope', 'user'], /unknown option '--scope'/],
    [['enable', '--managed', 'codx'], /did you mean `codex`/],
    [['status', '--managed', '--all'], /stands without/],
  ])('refuses %j', async (argv, says) => {
    const { exitCode, stderr } = await hookgateHere(argv)
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(says)
  })

  it.skipIf(process.getuid?.() === 0)('is refused to anybody but root', async () => {
    const { exitCode, stderr } = await hookgateHere(['enable', '--managed', 'codex'])
    expect(exitCode).toBe(1)
    expect(stderr).toContain('run it with `sudo`, or with `--print`')
  })
})
