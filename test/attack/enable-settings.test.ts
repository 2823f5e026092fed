import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ownMark } from '../../src/install/http-groups/groups.ts'
import { limits } from '../../src/model/limits.ts'
import { agentUser, firstTimeUser } from '../support/enabling.ts'
import { missing } from '../support/own-folder.ts'

const enableProject = ['enable', 'claude-code', '--scope', 'project']

describe('a repository that redirects writes elsewhere', () => {
  it.each([
    ['a link to a folder of settings', 'project/.claude', 'home/.claude'],
    ['a link to a file of settings', 'project/.claude/settings.json', 'home/.claude/settings.json'],
  ])('is refused: %s', async (_what, link, target) => {
    const user = agentUser({ 'home/.claude/settings.json': '{}\n' })
    if (link.endsWith('.json')) mkdirSync(user.at('project/.claude'))
    symlinkSync(user.at(target), user.at(link))
    expect(await user.cli(enableProject)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('leads outside the project'),
    })
    expect(user.read('home/.claude/settings.json')).toBe('{}\n')
  })

  it('is refused if its hooks folder, or one hook, is a link to somewhere else', async () => {
    const user = agentUser({ 'elsewhere/x': '', 'project/.clinerules/x': '' })
    symlinkSync(user.at('elsewhere'), user.at('project/.clinerules/hooks'))
    expect((await user.cli(['enable', 'cline', '--scope', 'project'])).stderr).toContain('leads outside the project')
    expect(Object.keys(user.files('elsewhere'))).toEqual([user.at('elsewhere/x')])

    const other = agentUser({ 'project/.clinerules/hooks/x': '', 'elsewhere/x': 'mine' })
    symlinkSync(other.at('elsewhere/x'), other.at('project/.clinerules/hooks/PreToolUse'))
    expect((await other.cli(['enable', 'cline', '--scope', 'project'])).stderr).toContain('is not hookgate’s')
    expect(other.read('elsewhere/x')).toBe('mine')
  })

  it('gets a clear message if something is in the way', async () => {
    const user = agentUser({ 'project/.clinerules': 'my rules, in one file' })
    expect((await user.cli(['enable', 'cline', '--scope', 'project'])).stderr).toMatch(/not a folder.*move that away/)
    const dangling = agentUser({ 'home/.claude/x': '' })
    symlinkSync(missing, dangling.settings)
    expect((await dangling.cli(['enable', 'claude-code'])).stderr).toContain('leads nowhere')
    const pipe = agentUser({ 'home/.claude/x': '' })
    spawnSync('mkfifo', [pipe.settings])
    expect((await pipe.cli(['enable', 'claude-code'])).stderr).toContain('not a regular file')
  })
})

describe('a repository that tries to make `status` start its programs', () => {
  const pwn = (file: string) => `touch ${file}`

  it('fails, however closely its settings resemble hookgate’s', async () => {
    const user = agentUser()
    const handler = { type: 'command', command: pwn(user.at('pwned')), statusMessage: ownMark }
    user.write('project/.claude/settings.json', JSON.stringify({ hooks: { PreToolUse: [{ hooks: [handler] }] } }))
    const status = await user.agentStatus('claude-code')
    expect(status).toMatchObject({ calls: false, scopes: [{ state: 'absent' }, { state: 'unproved', canaries: [] }] })
    expect(user.exists('pwned')).toBe(false)
  })

  it('fails, even if some of its entries were written by hookgate', async () => {
    const user = agentUser()
    await user.cli(enableProject)
    const text = user.read('project/.claude/settings.json')
    user.write('project/.claude/settings.json', text.replace('"hookgate"', `"${user.at('evil')}"`))
    user.write('evil', `#!/bin/sh\n${pwn(user.at('pwned'))}\n`, 0o755)
    expect((await user.agentStatus('claude-code')).scopes).toMatchObject([{}, { state: 'unproved' }])
    expect(user.exists('pwned')).toBe(false)
  })

  it('fails, however closely its hooks resemble hookgate’s', async () => {
    const user = agentUser()
    await user.cli(['enable', 'cline', '--scope', 'project'])
    const file = 'project/.clinerules/hooks/PreToolUse'
    user.write(file, user.read(file).replace('$(hookgate run --agent cline)', `$(${pwn(user.at('pwned'))})`), 0o755)
    const status = await user.agentStatus('cline')
    expect(status.scopes.at(-1)).toMatchObject({ scope: 'project', state: 'unproved', canaries: [] })
    expect(user.exists('pwned')).toBe(false)
  })
})

describe('hostile settings', () => {
  it('are refused if they are too large or nested too deeply', async () => {
    const user = agentUser()
    const cases = [
      [`{"a": "${'x'.repeat(limits.settingsBytesMax)}"}`, `it is over ${limits.settingsBytesMax} bytes`],
      [
        `{"a": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
        `brackets are nested more than ${limits.jsonDepthMax} levels deep`,
      ],
      [Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), 'it is not UTF-8'],
      ['{"a\\u001b[31m": 1, "a\\u001b[31m": 2}', 'the key `a\\x1b[31m` appears twice'],
    ] as const
    for (const [text, message] of cases) {
      user.write('home/.claude/settings.json', text)
      // oxlint-disable-next-line no-await-in-loop -- one file
      const { exitCode, stderr } = await user.cli(['enable', 'claude-code'])
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(message) })
    }
  })

  it('are preserved exactly, with any keys and at the maximum size', async () => {
    const user = agentUser()
    const many = Array.from({ length: 40_000 }, (_, index) => ({ [`key ${index}`]: ['x'.repeat(40), null, 1.5e-7] }))
    const odd = '"big": 1e400, "__proto__": {"hooks": {}}, "constructor": 1, "toString": [], "\\u0068ooks ": {}'
    const hooks = '"hooks": {"__proto__": [], "PreToolUse": [null, {"hooks": null}, {"hooks": [[]]}, 7]}'
    const text = `\ufeff {${odd},\t${hooks},\n"many": ${JSON.stringify(many)}}\n\n`
    user.write('home/.claude/settings.json', text)
    expect(await user.cli(['enable', 'claude-code'])).toMatchObject({ exitCode: 0 })
    expect(user.read('home/.claude/settings.json')).not.toBe(text)
    expect(await user.cli(['disable', 'claude-code'])).toMatchObject({ exitCode: 0 })
    expect(user.read('home/.claude/settings.json') === text).toBe(true)
  })

  it('are reported if Claude Code would skip all of them because of one bad entry', async () => {
    const user = agentUser()
    await user.cli(['enable', 'claude-code'])
    const text = user.read('home/.claude/settings.json')
    user.write('home/.claude/settings.json', text.replace('"timeout": 600', '"timeout": 0'))
    expect(await user.agentStatus('claude-code')).toMatchObject({
      calls: false,
      obstacles: [expect.stringContaining('`hooks.PreToolUse[0].hooks[0].timeout` does not load')],
    })
  })
})

describe('a `claude` that is not Claude Code', () => {
  it.each([
    ['prints something else', 'echo 99.99'],
    ['prints too much', 'yes 2.1.329 | head -c 10000000'],
    ['fails', 'exit 1'],
  ])('is of no known version where it %s', async (_what, script) => {
    const user = agentUser({ 'bin/claude': { script: `#!/bin/sh\n${script}\n` } })
    const { stdout, exitCode } = await user.cli(['enable', 'claude-code', '--via', 'http', '--dry-run'])
    expect(exitCode).toBe(0)
    expect(stdout).toContain('warning: no `claude` on the PATH reports its version')
  })
})

describe('a hookgate folder that other users can access', () => {
  it('is not used to register anything', async () => {
    const user = firstTimeUser()
    mkdirSync(user.at('state'), { mode: 0o777 })
    spawnSync('chmod', ['777', user.at('state')])
    expect(await user.cli(['enable', 'claude-code'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('chmod 700'),
    })
    expect(user.exists('home/.claude')).toBe(false)
  })
})
