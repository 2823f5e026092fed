import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hookgate, hookgateHere } from '../support/cli.ts'
import { policyText } from '../support/policies.ts'
import { withoutPrivileges } from '../support/without-privileges.ts'
import { folderWith } from '../support/workspace.ts'

const rules = { json: { permissions: { deny: ['Bash(rm *)'] } } }

/** A folder of a team, and its command line. */
function team(files: Parameters<typeof folderWith>[0] = { 'rules/hooks.json': rules }) {
  const folder = folderWith(files)
  const call = { cwd: folder, env: { HOME: folder } }
  const bundle = (line: string, env: Readonly<Record<string, string>> = {}) =>
    hookgateHere(['bundle', ...line.split(' ')], { ...call, env: { ...call.env, ...env } })
  return { folder, bundle, file: (name: string) => join(folder, name) }
}

describe('hookgate bundle', () => {
  it('makes, publishes, promotes and revokes, and prints JSON of what it did', async () => {
    const { bundle } = team()
    expect(await bundle('keys repo --keys keys --channel laptops --json')).toMatchObject({ exitCode: 0 })
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
    ['make nowhere --name a --revision 1', /folder of rules cannot be read.*nowhere/],
    ['make rules --name a/b --revision 1', /`name`: must be letters/],
    ['make rules --name a --revision 1 --params missing.json --min-gate new', /`minGate`: must be a version/],
    ['make rules --revision 1', /needs --name and --revision/],
    ['keys repo', /--keys names the folder/],
    ['keys repo --keys keys --channel UPPER', /the channel `UPPER` must be lower-case/],
    ['keys repo --keys keys --threshold 9', /--threshold must be a whole number from 1 to 3/],
    ['publish repo missing.gz --keys keys --channel a', /the bundle cannot be read/],
    ['publish repo rules/hooks.json --keys keys --channel a', /it is no bundle/],
    ['publish repo', /--keys names/],
    ['promote repo --keys keys --channel a', /promote needs --percent or --mode/],
    ['promote repo --keys keys --channel a --percent 101', /from 0 to 100, not `101`/],
    ['promote nowhere --keys keys --channel a --percent 1', /timestamp\.json: it cannot be read/],
    ['revoke repo --keys keys --channel a', /one of --observe, --previous and --lift/],
    ['revoke repo --keys keys --channel a --observe --hours 73', /--hours must be a whole number from 1 to 72/],
    ['refresh repo --keys keys --passphrase-file missing', /the passphrase cannot be read/],
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
    expect(made.stdout).toContain('encrypted:')
    expect(readFileSync(file('keys/targets.key.json'), 'utf8')).toContain('ENCRYPTED')
    expect((await bundle('refresh repo --keys keys')).stderr).toMatch(/snapshot\.key\.json: the key is encrypted/)
    expect((await bundle('refresh repo --keys keys', { HOOKGATE_BUNDLE_PASSPHRASE: 'wrong' })).stderr).toMatch(
      /cannot be decrypted/,
    )
    const env = { HOOKGATE_BUNDLE_PASSPHRASE: 'correct horse' }
    expect(await bundle('refresh repo --keys keys', env)).toMatchObject({ exitCode: 0 })
  })

  it('says that a folder cannot be written, and leaves what was published as it was', async () => {
    const { bundle, folder, file } = team()
    await bundle('keys repo --keys keys --channel c')
    mkdirSync(file('locked'), { mode: 0o555 })
    const keys = ['bundle', 'keys', 'locked/repo', '--keys', 'locked/keys']
    const behind = withoutPrivileges() ?? []
    const ended = await hookgate(keys, { cwd: folder, env: { HOME: folder }, ...(behind.length > 0 && { behind }) })
    expect(ended.stderr).toMatch(/the folder of the keys cannot be made: EACCES/)
  })

  it('says that this machine follows no channel', async () => {
    const { bundle } = team()
    expect(await bundle('status')).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('follows no channel') })
  })
})
