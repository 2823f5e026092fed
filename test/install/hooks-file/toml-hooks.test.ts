import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import fc from 'fast-check'
import { parse, stringify } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { tomlHooks } from '../../../src/install/hooks-file/listed-agent.ts'
import { agentStatus, disable, enable } from '../../../src/install/index.ts'
import { guarded, installUser } from '../../support/asker.ts'
import { writeFiles } from '../../support/workspace.ts'

const file = '.kimi-code/config.toml'
interface Hook {
  readonly event: string
  readonly command: string
}
const hooksIn = (text: string) => (parse(text) as { hooks?: readonly Hook[] }).hooks ?? []

const models = '# mine\ndefault_model = "x"\n\n[models.x]\nprovider = "y"\nlist = [\n  ["[[hooks]]"],\n  ["a"]\n]\n'
const theirs = '[[hooks]]\nevent = "Stop"\ncommand = "their-own"\n'
const text = 'note = """\n[[hooks]]\nevent = "PreToolUse"\n"""\n'

describe('hookgate in a TOML file, which is Kimi Code’s,', () => {
  it.each<[string, string]>([
    ['an empty file', ''],
    ['models and comments', models],
    ['no newline at the end', models.trimEnd()],
    ['hooks of the user’s own, with more behind them', `${theirs}\n# the models\n${models.replace('# mine\n', '')}`],
    ['what looks like a hook in a text', `${text}\n${theirs}`],
    ['lines that end with CRLF', models.replaceAll('\n', '\r\n')],
  ])('is registered beside %s, with no key that would void all hooks, and removed to the byte', async (_, before) => {
    const user = installUser('user')
    writeFiles(user.home, { [file]: before })
    await enable('kimi-code', user.context)
    const enabled = user.read(file)
    expect(enabled.startsWith(before)).toBe(true)
    const own = hooksIn(enabled).filter(({ command }) => command !== 'their-own')
    expect(new Set(own.flatMap((hook) => Object.keys(hook)))).toEqual(new Set(['event', 'command', 'timeout']))
    expect(own.map(({ event }) => event)).toContain('PreToolUse')
    expect((await enable('kimi-code', user.context)).changed).toEqual([])
    await disable('kimi-code', user.context)
    expect(user.read(file)).toBe(before)
  })

  it('gets a new file where there is none, is probed, refuses, and is removed with its folder', async () => {
    const user = installUser('user')
    const below = readdirSync(user.home)
    await enable('kimi-code', user.context)
    const { calls, scopes } = await agentStatus('kimi-code', user.context)
    expect(calls).toBe(true)
    expect(scopes).toMatchObject([{ scope: 'user', state: 'works', by: 'enable', canaries: [{ answered: true }] }])

    const command = hooksIn(user.read(file)).find(({ event }) => event === 'PreToolUse')?.command ?? ''
    const wire = {
      hook_event_name: 'PreToolUse',
      session_id: 's',
      cwd: user.cwd,
      client_type: 'kimi_code_cli',
      tool_name: 'Bash',
      tool_input: { command: 'git push' },
      tool_call_id: 'c',
    }
    const input = JSON.stringify(wire)
    const hook = spawnSync('/bin/sh', ['-c', command], { cwd: user.cwd, env: user.env, input, encoding: 'utf8' })
    expect(hook).toMatchObject({ status: 2, stderr: expect.stringContaining(guarded) })

    await disable('kimi-code', user.context)
    expect(readdirSync(user.home)).toEqual(below)
  })

  it('leaves what was added behind it since as it is', async () => {
    const user = installUser('user')
    writeFiles(user.home, { [file]: models })
    await enable('kimi-code', user.context)
    const later = '\n# later\n[models.z]\nprovider = "y"\n'
    writeFiles(user.home, { [file]: `${user.read(file)}${later}` })
    await disable('kimi-code', user.context)
    expect(user.read(file)).toBe(`${models}${later}`)
  })

  it('is found again, and removed, where Kimi Code has rewritten the file', async () => {
    const user = installUser('user')
    writeFiles(user.home, { [file]: `${models}\n${theirs}` })
    await enable('kimi-code', user.context)
    const { hooks, ...others } = parse(user.read(file))
    writeFiles(user.home, { [file]: stringify({ hooks, more: true, ...others }) })
    expect((await agentStatus('kimi-code', user.context)).calls).toBe(true)
    await disable('kimi-code', user.context)
    expect(parse(user.read(file))).toEqual({ ...others, more: true, hooks: [{ event: 'Stop', command: 'their-own' }] })
  })

  it.each<[string, string, string]>([
    ['is not TOML', 'a = \n', 'it is not TOML'],
    [
      'has its hooks in one line',
      'hooks = [{ event = "Stop", command = "x" }]\n',
      '`hooks` is a list of inline tables',
    ],
  ])('is not registered in a file that %s', async (_, before, why) => {
    const user = installUser('user')
    writeFiles(user.home, { [file]: before })
    await expect(enable('kimi-code', user.context)).rejects.toMatchObject({
      code: 'settingsMalformed',
      message: expect.stringContaining(why) as unknown,
      place: { file: user.at(file) },
    })
    expect(user.read(file)).toBe(before)
  })

  it('is not registered for a project, whose file Kimi Code does not read', async () => {
    const user = installUser('project')
    await expect(enable('kimi-code', user.context)).rejects.toMatchObject({
      code: 'usage',
      message: 'Kimi Code reads hooks only from its user’s own settings',
      remedy: 'remove `--scope`',
    })
    expect(existsSync(user.at('.kimi-code'))).toBe(false)
  })

  it.each([
    ['type = "command"\n', 'type'],
    ['timeout = 900\n', 'timeout = 900'],
  ])('does not count as working beside a hook with %j, which voids all', async (more, named) => {
    const user = installUser('user')
    writeFiles(user.home, { [file]: `${theirs}${more}` })
    const { notes } = await enable('kimi-code', user.context)
    expect(notes.join()).toContain('ignores all hooks')
    const { calls, obstacles } = await agentStatus('kimi-code', user.context)
    expect(calls).toBe(false)
    expect(obstacles.join()).toContain(named)
  })
})

describe('a TOML file that a person goes on writing', () => {
  const line = fc.constantFrom(
    '# a remark\n',
    '\n',
    'note = "# [[hooks]]"\n',
    'text = """\n[[hooks]]\n# x\n"""\r\n',
    'list = [ # x\n  ["[[hooks]]"], # y\n]\n',
    '"q.k" = \'é 𝒳\' # z\r\n',
  )
  const tables = fc.uniqueArray(fc.constantFrom('[a]\n', '# of b\n[b]\r\n', '\n\n[ "c" ] # c\n', '[d.e]\n'))
  const hook = fc.constantFrom('', '[[hooks]] # mine\nevent = "Stop"\ncommand = "theirs" # x\n')
  const lines = fc.uniqueArray(line, { maxLength: 4 }).map((some) => some.join(''))
  const body = fc
    .tuple(lines, hook, tables, lines)
    .map(([top, own, some, last]) => `${top}${own}${some.join('')}${some.length + own.length === 0 ? '' : last}`)

  it('has all of that, to the byte, once hookgate is removed', () => {
    const later = fc.constantFrom('', '\n# later\n[z]\nx = 1\n', '\n[[hooks]]\nevent = "Stop"\ncommand = "l"\n')
    const own = { PreToolUse: { command: 'hookgate' }, Stop: { command: 'hookgate' } }
    const isOwn = (handler: unknown) => z.object({ command: z.literal('hookgate') }).safeParse(handler).success
    const property = fc.property(body, later, (before, more) => {
      const added = tomlHooks(Buffer.from(before), 'config.toml').withEntries(own)
      const changed = tomlHooks(Buffer.from(added + more), 'config.toml')
      expect(changed.withoutHandlers(before, isOwn)).toBe(before + more)
    })
    fc.assert(property, { numRuns: 150 })
  })
})
