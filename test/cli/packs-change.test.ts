import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FileChanges } from '../../src/model/file-changes.ts'
import { hookgateHere } from '../support/cli.ts'
import { packFiles } from '../support/packs.ts'
import { claudeShell } from '../support/wire.ts'
import { folderWith } from '../support/workspace.ts'

/** A person whose own rules file is changed. */
function person(text?: string, files: Parameters<typeof folderWith>[0] = {}) {
  const home = folderWith({ 'project/x': '', ...files })
  const cwd = join(home, 'project')
  const env = { HOME: home, XDG_CONFIG_HOME: '', HOOKGATE_HOME: join(home, 'state') }
  const file = join(home, '.config/hookgate/hooks.json')
  const write = (content: string) => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  if (text !== undefined) write(text)
  const cli = (...argv: string[]) => hookgateHere(argv, { env, cwd })
  const read = () => (existsSync(file) ? readFileSync(file, 'utf8') : undefined)
  return {
    file,
    cli,
    write,
    read,
    json: () => JSON.parse(read() ?? '') as unknown,
    /** Turns something, and returns the JSON of that, or what went wrong. */
    async packs(...argv: string[]) {
      const { stdout, stderr } = await cli('packs', ...argv, '--json')
      return stdout === '' ? stderr : FileChanges.parse(JSON.parse(stdout))
    },
    async decide(command: string) {
      const stdin = JSON.stringify(claudeShell(command, cwd))
      const { stdout } = await hookgateHere(['run', '--json'], { stdin, env, cwd })
      return (JSON.parse(stdout) as { decision: string }).decision
    },
  }
}

const recommended = '{\n  "preset": "recommended"\n}\n'
const push = 'git push --force origin main'

describe('hookgate packs, to change rules,', () => {
  it('turns a preset, a pack of it and one rule on and off; each file loads, and decides the next event', async () => {
    const user = person()
    const steps: readonly (readonly [readonly string[], string, object])[] = [
      [['recommended', '--on'], 'deny', { preset: 'recommended' }],
      [['git-safety', '--off'], 'abstain', { preset: 'recommended', packs: [{ pack: 'git-safety', disable: ['*'] }] }],
      [['git-safety', '--on'], 'deny', { preset: 'recommended' }],
      [
        ['git-safety', '--observe'],
        'abstain',
        { preset: 'recommended', packs: [{ pack: 'git-safety', mode: 'observe' }] },
      ],
      [['git-safety', '--enforce'], 'deny', { preset: 'recommended' }],
      [
        ['git-safety/force-push', '--off'],
        'abstain',
        { preset: 'recommended', packs: [{ pack: 'git-safety', disable: ['force-push'] }] },
      ],
      [['git-safety/force-push', '--on'], 'deny', { preset: 'recommended' }],
      [['recommended', '--observe'], 'abstain', { preset: 'recommended', mode: 'observe' }],
      [['recommended', '--enforce'], 'deny', { preset: 'recommended' }],
      [['observe', '--on'], 'abstain', { preset: 'observe' }],
      [['git-safety', '--enforce'], 'deny', { preset: 'observe', packs: [{ pack: 'git-safety', mode: 'enforce' }] }],
      [['observe', '--off'], 'deny', { packs: [{ pack: 'git-safety', mode: 'enforce' }] }],
      [['git-safety', '--off'], 'abstain', { packs: [{ pack: 'git-safety', mode: 'enforce', disable: ['*'] }] }],
    ]
    for (const [argv, decision, content] of steps) {
      /* oxlint-disable no-await-in-loop -- each step begins with the file of the last one */
      expect(await user.packs(...argv)).toMatchObject({ changed: true, files: [{ file: user.file }] })
      expect({ argv, content: user.json(), decision: await user.decide(push) }).toEqual({ argv, content, decision })
    }
    expect((await user.cli('check')).exitCode).toBe(0)
  })

  it('changes nothing the second time, and in a dry run, which shows the same change', async () => {
    const user = person(recommended)
    const dry = await user.packs('secrets', '--off', '--dry-run')
    expect(user.read()).toBe(recommended)
    const done = await user.packs('secrets', '--off')
    expect(done).toMatchObject({ changed: true, copies: [expect.stringContaining('/backups/')] })
    expect(dry).toEqual({ ...Object(done), changed: false, copies: [] })
    const after = user.read()
    expect(await user.packs('secrets', '--off')).toEqual({ changed: false, files: [], copies: [], notes: [] })
    expect(user.read()).toBe(after)
    const { stdout } = await user.cli('packs', 'secrets', '--on')
    expect(stdout).toMatch(/^--- [^]*^-.*"pack": "secrets"[^]*^wrote .*hooks\.json\nthe old one is kept in /m)
    expect(user.read()).toBe(recommended)
  })

  it('keeps the layout of what it does not change, and adds to one line on that line', async () => {
    const text = `{
\t"preset":   "recommended",
\t"packs": [{ "pack": "git-safety", "disable": ["stash-loss"] }, {"pack":"secrets","mode":"observe"}],
\t"exceptions": [ ]
}`
    const user = person(text)
    await user.packs('git-safety/force-push', '--off')
    expect(user.read()).toBe(text.replace('["stash-loss"]', '["stash-loss", "force-push"]'))
    await user.packs('git-safety/force-push', '--on')
    await user.packs('git-safety', '--observe')
    expect(user.read()).toBe(text.replace('["stash-loss"] }', '["stash-loss"], "mode": "observe" }'))
    await user.packs('git-safety', '--enforce')
    expect(user.read()).toBe(text)
  })

  it('turns a pack off and on again with its settings', async () => {
    const text = '{"packs":[{"pack":"git-safety","params":{"allowAborts":true},"disable":["stash-loss"]}]}'
    const user = person(text)
    await user.packs('git-safety', '--off')
    expect(user.json()).toMatchObject({ packs: [{ params: { allowAborts: true }, disable: ['stash-loss', '*'] }] })
    await user.packs('git-safety', '--on')
    expect(user.read()).toBe(text)
  })

  it('turns on one rule alone of a pack that is off', async () => {
    const user = person('{ "permissions": { "deny": ["Bash(x)"] } }')
    await user.packs('git-safety/force-push', '--on')
    expect(await user.decide(push)).toBe('deny')
    expect(await user.decide('git stash drop')).toBe('abstain')
  })

  it('sets params by what the pack declares, beside the preset’s, and unsets them', async () => {
    const user = person(recommended)
    expect(await user.decide('rm -rf generated')).toBe('ask')
    await user.packs('destructive-commands', '--param', 'regenerable={"add": ["generated"]}')
    expect(await user.decide('rm -rf generated')).toBe('abstain')
    await user.packs('destructive-commands', '--unset', 'regenerable')
    expect(user.read()).toBe(recommended)
    await user.packs('git-safety', '--param', 'protectedBranches=["main"]', '--param', 'allowAborts=false')
    const params = { protectedBranches: ['main'], allowAborts: false }
    expect(user.json()).toEqual({ preset: 'recommended', packs: [{ pack: 'git-safety', params }] })
    const after = user.read()
    expect(await user.packs('git-safety', '--param', 'allowAborts=no')).toBe(
      'hookgate: `allowAborts` must be a boolean, not a string\n',
    )
    expect(await user.packs('git-safety', '--param', 'protectedBranch=[]')).toMatch(
      /did you mean `protectedBranches`\?/,
    )
    expect(await user.packs('git-safety', '--param', '=1')).toMatch(/--param must be NAME=JSON/)
    expect(user.read()).toBe(after)
    await user.packs('git-safety', '--unset', 'protectedBranches', '--unset', 'allowAborts')
    expect(user.read()).toBe(recommended)
  })

  it('turns on a pack of the person’s own by its folder', async () => {
    const user = person(undefined, packFiles('project/own'))
    await user.packs('./own', '--on', '--param', 'limit=3')
    const pack = join(dirname(dirname(dirname(user.file))), 'project/own')
    expect(user.json()).toEqual({ packs: [{ pack, params: { limit: 3 } }] })
    await user.packs('./own/first', '--off')
    expect(user.json()).toEqual({ packs: [{ pack, params: { limit: 3 }, disable: ['first'] }] })
  })

  it('says which other file has it on, and what the file’s own mode comes to', async () => {
    const project = { '.hookgate/hooks.json': { json: { packs: [{ pack: 'secrets' }] } } }
    const files = Object.fromEntries(Object.entries(project).map(([name, content]) => [`project/${name}`, content]))
    const user = person('{"preset":"recommended","packs":[{"pack":"secrets","mode":"enforce"}],"hooks":{}}', files)
    const { notes } = FileChanges.parse(await user.packs('secrets', '--off'))
    expect(notes).toEqual([
      expect.stringMatching(
        /^secrets is on here by project:hooks\.json too \(it enforces\): .*\/project\/\.hookgate\/hooks\.json decides that$/,
      ),
    ])
    const observing = FileChanges.parse(await user.packs('recommended', '--observe'))
    expect(observing.notes).toEqual([
      'this mode holds for the whole file, so for its `hooks` and `permissions` too',
      'the pack `secrets` keeps a mode of its own: `enforce`',
    ])
  })

  it.each([
    [['git-safety/force-push', '--observe'], 'one rule of a pack has no mode and no params of its own'],
    [['git-safety/force-pusch', '--off'], 'has no rule `force-pusch`; did you mean `force-push`?'],
    [['supply-chain/new-packages', '--on'], 'the preset `recommended` leaves the rule `new-packages` out'],
    [['read-only-allow', '--observe'], 'the pack `read-only-allow` is off; add `--on`'],
    [['strict', '--observe'], 'the preset `strict` is not on; add `--on`'],
    [['observe', '--on', '--enforce'], 'the preset `observe` always has the mode `observe`'],
    [['recommended', '--param', 'a=1'], '`recommended` is a preset: params are those of its packs'],
    [['git-safety', '--on', '--off'], '--on and --off exclude each other'],
    [['git-safety', '--off', '--observe'], '--off stands alone'],
    [['git-safety', '--dry-run'], '--dry-run needs to know what would be changed'],
    [['--off'], 'it needs the name of what is to be changed'],
  ])('refuses %j, and changes nothing', async (argv, message) => {
    const user = person(recommended)
    expect(await user.packs(...argv)).toContain(message)
    expect(user.read()).toBe(recommended)
  })

  it('leaves a file alone that does not load', async () => {
    const user = person('{ "preset": "recommended", "hoks": {} }')
    expect(await user.packs('secrets', '--off')).toMatch(/hooks\.json:1:28: unknown key `hoks`/)
    user.write('{ "packs": 1 }')
    expect(await user.packs('secrets', '--on')).toMatch(/its packs cannot be read; `hookgate check` says what is wrong/)
    expect(user.read()).toBe('{ "packs": 1 }')
  })
})
