import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { refresh } from '../../src/bundle/team/repository.ts'
import { onlineKeys } from '../../src/bundle/team/roles.ts'
import { hookgate, hookgateHere } from '../support/cli.ts'
import { policyText } from '../support/policies.ts'
import { claudeShell } from '../support/wire.ts'
import { withoutPrivileges } from '../support/without-privileges.ts'
import { folderWith } from '../support/workspace.ts'

const rules = { json: { permissions: { deny: ['Bash(rm *)'] } } }

/** A folder of a team, and its command line. */
function team(files: Parameters<typeof folderWith>[0] = { 'rules/hooks.json': rules }) {
  const folder = folderWith(files)
  const call = { cwd: folder, env: { HOME: folder } }
  const bundle = (line: string, env: Readonly<Record<string, string>> = {}) =>
    hookgateHere(['bundle', ...line.split(' ')], { ...call, env: { ...call.env, ...env } })
  /** Runs it at a terminal, where a person types these answers. */
  const typed = async (line: string, ...answers: readonly string[]) => {
    const asked: string[] = []
    const askHidden = (question: string) => Promise.resolve(answers[asked.push(question) - 1] ?? '')
    return { asked, ...(await hookgateHere(['bundle', ...line.split(' ')], { ...call, askHidden })) }
  }
  return { folder, call, bundle, typed, file: (name: string) => join(folder, name) }
}

describe('hookgate bundle', () => {
  it('makes, publishes, promotes and revokes, and prints JSON of what it did', async () => {
    const { bundle } = team()
    expect(await bundle('keys repo --keys keys --channel laptops --no-passphrase --json')).toMatchObject({
      exitCode: 0,
    })
    expect(await bundle('make rules --name acme --revision 1')).toMatchObject({ exitCode: 0 })
    const published = await bundle('publish repo acme-1.bundle.json.gz --keys keys --channel laptops --json')
    expect(JSON.parse(published.stdout)).toMatchObject({ revision: '1', percent: 100, mode: 'observe' })
    const promoted = await bundle('promote repo --keys keys --channel laptops --percent 5 --mode enforce --json')
    expect(JSON.parse(promoted.stdout)).toMatchObject({ revision: '1', percent: 5, mode: 'enforce' })
    const revoked = await bundle('revoke repo --keys keys --channel laptops --observe --hours 2 --json')
    expect(JSON.parse(revoked.stdout)).toMatchObject([{ channel: 'laptops', action: { kind: 'observe' } }])
    expect(await bundle('refresh repo --keys keys')).toMatchObject({ exitCode: 0 })
  })

  it('makes nothing of rules that do not load, and says where in the team’s folder', async () => {
    const { bundle, file } = team({
      'rules/hooks.json': { json: { permissions: { deny: ['Bash(rm *)', 'Nonsense((('] } } },
      'rules/policies/a.policy.ts': policyText('a', "examples: [{ name: 'fails', given: {}, want: 'allow' }],"),
    })
    const { stdout, stderr, exitCode } = await bundle('make rules --name acme --revision 1')
    expect(exitCode).toBe(1)
    expect(stderr).toContain('nothing was made')
    expect(stdout).toContain(`${file('rules/hooks.json')}:`)
    expect(stdout).toContain(`${file('rules/policies/a.policy.ts')}:`)
    expect(existsSync(file('acme-1.bundle.json.gz'))).toBe(false)
  })

  it.each([
    ['make nowhere --name a --revision 1', /nowhere: the folder of rules cannot be read: it does not exist; name/],
    ['make rules --name a/b --revision 1', /`name`: must be letters/],
    ['make rules --name a --revision 1 --params missing.json --min-gate new', /`minGate`: must be a version/],
    ['make rules --revision 1', /needs --name and --revision/],
    ['keys repo', /--keys names the folder/],
    [
      'keys repo --keys keys --channel a',
      /new keys need a passphrase, and there is no terminal.*`--passphrase-file FILE`/,
    ],
    ['keys repo --keys keys --no-passphrase --passphrase-file rules/hooks.json', /exclude each other/],
    ['list', /list needs the folder/],
    ['list nowhere', /timestamp\.json: it cannot be read: it does not exist; name the folder that/],
    [
      'publish repo rules/hooks.json --channel a --dry-run',
      /rules\/hooks\.json: it is no bundle, or it is damaged; make/,
    ],
    ['publish repo --channel a --dry-run', /publish needs the file/],
    ['promote repo --keys keys --channel a --dry-run', /unknown option '--dry-run'/],
    ['keys repo --keys keys --channel UPPER', /the channel `UPPER` must be lower-case/],
    ['keys repo --keys keys --threshold 9', /--threshold must be a whole number from 1 to 3/],
    ['publish repo missing.gz --keys keys --channel a', /missing\.gz: the bundle cannot be read: it does not exist;/],
    ['publish repo rules/hooks.json --keys keys --channel a', /it is no bundle/],
    ['publish repo', /--keys names/],
    ['promote repo --keys keys --channel a', /promote needs --percent or --mode/],
    ['promote repo --keys keys --channel a --percent 101', /from 0 to 100, not `101`/],
    ['promote nowhere --keys keys --channel a --percent 1', /timestamp\.json: it cannot be read/],
    ['revoke repo --keys keys --channel a', /one of --observe, --previous and --lift/],
    ['revoke repo --keys keys --channel a --observe --hours 73', /--hours must be a whole number from 1 to 72/],
    [
      'refresh repo --keys keys --passphrase-file missing',
      /missing: the passphrase cannot be read: it does not exist;/,
    ],
    ['sign', /bundle cannot `sign`/],
  ])('%s is refused, with what to do', async (line, message) => {
    const { exitCode, stderr } = await team().bundle(line)
    expect(stderr).toMatch(message)
    expect(stderr).not.toMatch(/^ {4}at /m)
    expect(exitCode).toBe(1)
  })

  it('takes the passphrase of a file or a variable, and no key without it', async () => {
    const { bundle, file } = team()
    writeFileSync(file('phrase'), 'correct horse\n')
    const made = await bundle('keys repo --keys keys --channel c --passphrase-file phrase')
    expect(made.stdout).toContain('encrypted by the passphrase:')
    expect(readFileSync(file('keys/targets/targets.key.json'), 'utf8')).toContain('ENCRYPTED')
    expect((await bundle('refresh repo --keys keys')).stderr).toMatch(/snapshot\.key\.json: the key is encrypted/)
    expect((await bundle('refresh repo --keys keys', { HOOKGATE_BUNDLE_PASSPHRASE: 'wrong' })).stderr).toMatch(
      /the key cannot be decrypted: it was made with another passphrase, or is damaged; check the passphrase/,
    )
    const env = { HOOKGATE_BUNDLE_PASSPHRASE: 'correct horse' }
    expect(await bundle('refresh repo --keys keys', env)).toMatchObject({ exitCode: 0 })
  })

  it('asks at a terminal for the passphrase of new keys twice, and of encrypted ones once', async () => {
    const { bundle, typed, file } = team()
    const differing = await typed('keys repo --keys keys --channel c', 'correct horse', 'battery staple')
    expect([differing.exitCode, differing.stderr]).toEqual([1, expect.stringContaining('the two passphrases differ')])
    expect((await typed('keys repo --keys keys --channel c', '')).stderr).toContain('there is no passphrase')
    // Whether typed, in a file or in a variable: a short one is worth nothing against a copy of the file.
    writeFileSync(file('short'), 'abc\n')
    for (const short of [
      await typed('keys repo --keys keys --channel c', 'hunter2 abc'),
      await bundle('keys repo --keys keys --channel c --passphrase-file short'),
      await bundle('keys repo --keys keys --channel c', { HOOKGATE_BUNDLE_PASSPHRASE: 'abc' }),
    ])
      expect([short.exitCode, short.stderr]).toEqual([
        1,
        expect.stringMatching(/a passphrase needs 12 characters or more, since .*; take several words/),
      ])
    expect(existsSync(file('keys'))).toBe(false)

    const made = await typed('keys repo --keys keys --channel c', 'correct horse', 'correct horse')
    expect(made).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('encrypted by the passphrase:') })
    expect(made.asked).toHaveLength(2)
    for (const role of ['root-1', 'targets', 'snapshot', 'timestamp', 'switch', 'channel-c'])
      expect(readFileSync(file(`keys/${role}/${role}.key.json`), 'utf8')).toContain('ENCRYPTED')
    const once = await typed('refresh repo --keys keys', 'correct horse')
    expect([once.exitCode, once.asked.length]).toEqual([0, 1])
    expect((await typed('refresh repo --keys keys', 'wrong')).stderr).toContain('cannot be decrypted')
    // One of the keys, where a person has put it.
    expect(await typed('keys repo --keys keys --channel d', 'correct horse')).toMatchObject({ exitCode: 0 })
    expect((await bundle('keys repo --keys keys --renew root')).stderr).toContain('the key is encrypted')
  })

  it('reads keys that stand in one folder, and says what keys without a passphrase are worth', async () => {
    const { bundle, file } = team()
    const made = await bundle('keys repo --keys keys --channel c --no-passphrase')
    expect(made.stdout).toContain('not encrypted: whoever reads a file signs as its role')
    mkdirSync(file('few'), { mode: 0o700 })
    for (const role of ['snapshot', 'timestamp'])
      copyFileSync(file(`keys/${role}/${role}.key.json`), file(`few/${role}.key.json`))
    expect(await bundle('refresh repo --keys few')).toMatchObject({ exitCode: 0 })
    expect((await bundle('keys repo --keys few --renew targets')).stderr).toContain('no key for the role `targets`')
  })

  it('lists channels, releases, who signed and what a release changes, and decides by a bundle', async () => {
    const { bundle, call, file } = team({
      'rules/hooks.json': { json: { permissions: { deny: ['Bash(rm *)'], ask: ['Bash(make *)'] } } },
      'next/hooks.json': { json: { permissions: { deny: ['Bash(rm *)', 'Bash(mkfs *)'] } } },
      'next/policies/a.policy.ts': policyText(
        'a',
        '',
        "return tool.command === 'yes' ? deny('No.') : undefined",
      ).replace('examples: [{', "examples: [{ name: 'yes', given: { input: { command: 'yes' } }, want: 'deny' }, {"),
    })
    await bundle('keys repo --keys keys --channel laptops --channel servers --no-passphrase')
    await bundle('make rules --name acme --revision 1')
    await bundle('publish repo acme-1.bundle.json.gz --keys keys --channel laptops')
    expect((await bundle('make next --name acme --revision 2')).stdout).toContain('the rules and 1 file,')
    await bundle('publish repo acme-2.bundle.json.gz --keys keys --channel laptops --percent 5 --mode enforce')
    await bundle('revoke repo --keys keys --channel laptops --observe --reason why')

    const { stdout, exitCode } = await bundle('list repo')
    expect(stdout).toMatch(
      /^laptops\n {2}newest {4}acme 2: enforce on 5 % .*\n {2}before {4}acme 1: observe\n {2}signed {4}by channel-laptops, key [0-9a-f]{12}, until 20.*\n {2}switch {4}the bundle only observes in laptops, until .*: why\n/,
    )
    expect(stdout).toContain(
      '    + permissions.deny: Bash(mkfs *)\n    - permissions.ask: Bash(make *)\n    + policies/a.policy.ts\nservers\n  newest    nothing is published\n',
    )
    expect(exitCode).toBe(0)
    expect(JSON.parse((await bundle('list repo --channel servers --json')).stdout)).toMatchObject([
      { channel: 'servers', newest: null, differences: [] },
    ])
    expect(await bundle('list repo --channel other')).toMatchObject({
      exitCode: 1,
      stdout: 'there is no channel other\n',
    })

    for (const command of ['ls', 'mkfs /dev/x', 'make all'])
      // oxlint-disable-next-line no-await-in-loop -- one record
      await hookgateHere(['run', '--agent', 'claude-code'], {
        ...call,
        env: { ...call.env, HOOKGATE_HOME: file('state') },
        stdin: JSON.stringify(claudeShell(command, file('.'))),
      })
    const tried = await bundle('publish repo acme-2.bundle.json.gz --channel laptops --dry-run', {
      HOOKGATE_HOME: file('state'),
    })
    expect(tried.stdout).toMatch(/^nothing was published; the calls of this record by acme 2, compared with acme 2:\n/)
    const first = await bundle('publish repo acme-1.bundle.json.gz --channel laptops --dry-run', {
      HOOKGATE_HOME: file('state'),
    })
    expect(first.stdout).toMatch(/no longer refused: 1 call\n +1 × mkfs \/dev\/x/)
    expect(first.stdout).toMatch(/newly asked: 1 call\n +1 × make all/)

    const explain = (revision: number) =>
      hookgateHere(['explain', '--bundle', `acme-${revision}.bundle.json.gz`, '--exit-code', 'mkfs /dev/x'], call)
    expect((await explain(2)).stdout).toMatch(/^denied: [^]* {2}deny +explicit:acme 2\/hooks\.json#permissions\.deny\n/)
    expect([(await explain(2)).exitCode, (await explain(1)).exitCode]).toEqual([2, 0])
    expect((await hookgateHere(['explain', '--bundle', 'rules/hooks.json', 'ls'], call)).stderr).toContain('no bundle')

    for (const name of readdirSync(file('repo/targets/laptops')))
      writeFileSync(file(`repo/targets/laptops/${name}`), '')
    const damaged = await bundle('list repo --channel laptops')
    expect([damaged.exitCode, damaged.stdout]).toEqual([
      1,
      expect.stringContaining('problem   the bundle is not the one'),
    ])
  })

  it('lists what machines refuse by now: a timestamp that has expired, and one that was changed', async () => {
    const { bundle, file } = team({ 'rules/hooks.json': { json: { permissions: { deny: ['Bash(rm *)'] } } } })
    await bundle('keys repo --keys keys --channel c --no-passphrase')
    const timestamp = file('repo/metadata/timestamp.json')
    const before = readFileSync(timestamp, 'utf8')
    const nowMs = Date.now() - 2 * 86_400_000
    refresh({ folder: file('repo') }, onlineKeys({ keys: file('keys'), passphrase: undefined, nowMs }), nowMs)
    const expired = await bundle('list repo')
    expect(expired.stdout).toMatch(
      /problem {3}timestamp\.json has expired; sign it anew with `hookgate bundle refresh`/,
    )
    writeFileSync(timestamp, before.replace('"version":1', '"version":9'))
    const changed = await bundle('list repo')
    expect(changed.stdout).toMatch(/problem {3}timestamp\.json has 0 of the 1 signatures/)
    expect([expired.exitCode, changed.exitCode]).toEqual([1, 1])
  })

  it('says that a folder cannot be written, and leaves what was published as it was', async () => {
    const { bundle, folder, file } = team()
    await bundle('keys repo --keys keys --channel c --no-passphrase')
    mkdirSync(file('locked'), { mode: 0o555 })
    const keys = ['bundle', 'keys', 'locked/repo', '--keys', 'locked/keys', '--no-passphrase']
    const behind = withoutPrivileges() ?? []
    const ended = await hookgate(keys, { cwd: folder, env: { HOME: folder }, ...(behind.length > 0 && { behind }) })
    expect(ended.stderr).toMatch(/the folder of the keys cannot be made: permission is denied;/)
  })

  it('says that this machine follows no channel', async () => {
    const { bundle } = team()
    expect(await bundle('status')).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('follows no channel') })
  })
})
