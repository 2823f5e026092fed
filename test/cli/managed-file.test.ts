import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createGate } from '../../src/library/index.ts'
import { textOf } from '../docs/pages.ts'
import { hookgateHere } from '../support/cli.ts'
import { makeTeam } from '../support/bundles.ts'
import { claudeShell } from '../support/wire.ts'
import { folderWith } from '../support/workspace.ts'

const printedWith = async (...flags: readonly string[]) =>
  (await hookgateHere(['new', 'managed', '--print', ...flags])).stdout

/** What `check` says of a managed file with this text. */
async function checked(text: string, beside: Readonly<Record<string, string>> = {}) {
  const folder = folderWith({ 'hooks.json': text, ...beside })
  chmodSync(folder, 0o755)
  chmodSync(join(folder, 'hooks.json'), 0o644)
  return hookgateHere(['check', '--managed', join(folder, 'hooks.json')], { cwd: folder })
}
const leftOpen = ({ stdout }: { readonly stdout: string }) =>
  stdout.split('\n').flatMap((line) => /^the managed file leaves open: (.*)$/.exec(line)?.[1] ?? [])

describe('hookgate new managed', () => {
  it('has no rules only if it names none, and not if those that it names are wrong', async () => {
    expect(leftOpen(await checked('{"hooks": {}}'))).toContainEqual(expect.stringMatching(/^it has no rules/))
    const wrong = await checked('{"packs": [{"pack": "./gone"}]}')
    expect(wrong.stdout).toMatch(/error: there is no pack/)
    expect(leftOpen(wrong)).not.toContainEqual(expect.stringMatching(/^it has no rules/))
  })

  it('writes a file that has no mistakes, leaves two things open, and explains each key', async () => {
    const text = await printedWith()
    const ended = await checked(text)
    expect(ended.exitCode).toBe(0)
    expect(leftOpen(ended)).toEqual([
      'the record stays on each machine: there is no `export`',
      'a refusal does not say whom to ask: there is no `contact`',
    ])
    const keys = [...text.matchAll(/^ {2}(?:\/\/ )?"(\w+)":/gm)].map(([, key]) => key)
    const explained = textOf('docs/for-security-teams.md').matchAll(/^\| `(\w+)` +\| /gm)
    expect(new Set([...explained].map(([, key]) => key))).toEqual(new Set(keys))
    expect(keys).toEqual([
      'preset',
      'packs',
      'userMaySet',
      'selfProtection',
      'record',
      'export',
      'contact',
      'approvals',
      'bundle',
      'permissions',
      'exceptions',
    ])
    for (const block of text.split('\n\n')) expect(block).toMatch(/^(?:\{\n)? {2}\/\/ [A-Z]/)
  })

  it('leaves nothing open once a collector and a contact are named', async () => {
    const flags = ['--otlp', 'https://collector.example.com:4318', '--contact', 'it’s "Sam"']
    const whole = await checked(await printedWith(...flags))
    expect(whole.stdout).toMatch(/^no mistakes found in \d+ policies and 3 limits\n$/)
    // What is written as a comment is right as well.
    const uncommented = (await printedWith()).replaceAll(/^ {2}\/\/ (?="(?:export|contact)":)/gm, '  ')
    expect((await checked(uncommented)).stdout).toBe(whole.stdout)
  })

  it('writes it for everybody to read, and never over another', async () => {
    const dir = join(folderWith(), 'fleet')
    const argv = ['new', 'managed', '--dir', dir, '--preset', 'strict']
    const before = process.umask(0o077)
    try {
      expect((await hookgateHere(argv)).stdout).toContain(`wrote ${join(dir, 'hooks.json')}`)
    } finally {
      process.umask(before)
    }
    expect(readFileSync(join(dir, 'hooks.json'), 'utf8')).toContain('"preset": "strict"')
    expect([statSync(dir).mode & 0o777, statSync(join(dir, 'hooks.json')).mode & 0o777]).toEqual([0o755, 0o644])
    expect(await hookgateHere(argv)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('already exists') })
  })

  it.each([
    [['--preset', 'strong'], 'hookgate has no preset `strong`'],
    [['x'], 'new managed takes no name'],
  ])('refuses %j', async (words, says) => {
    const ended = await hookgateHere(['new', 'managed', ...words])
    expect(ended).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(says) })
  })
})

describe('hookgate check, of a managed file', () => {
  // A small pack: the examples of all are run.
  const whole = { packs: [{ pack: 'git-safety' }], contact: 'x', export: { file: '/var/log/hookgate.jsonl' } }
  it.each<[object, RegExp]>([
    [{ packs: [] }, /^it has no rules/],
    [{ packs: [{ pack: 'git-safety', mode: 'observe' }] }, /^its rules only observe/],
    [{ mode: 'observe' }, /^its rules only observe/],
    [{ packs: [{ pack: 'git-safety' }, { pack: 'secrets', mode: 'observe' }] }, /^\d+ of its rules only observe$/],
    [{ selfProtection: false }, /^an agent may change hookgate itself/],
    [{ userMaySet: ['record'] }, /^users may loosen `record`$/],
    [{ record: 'decisions' }, /^not every decision is recorded/],
    [{ record: { days: 1 } }, /^not every decision is recorded/],
    [{ exceptions: [{ rule: 'git-safety/*', command: 'git push' }] }, /^1 exception takes back/],
    [{ packs: [{ pack: 'git-safety', disable: ['git-safety/force-push'] }] }, /^1 rule of its packs is left out/],
    [{ export: undefined }, /^the record stays on each machine/],
    [{ contact: undefined }, /^a refusal does not say whom to ask/],
  ])('says what %j leaves open', async (more, says) => {
    const open = leftOpen(await checked(JSON.stringify({ ...whole, ...more })))
    expect(open).toEqual([expect.stringMatching(says)])
  })

  it('says what a bundle leaves open', async () => {
    const open = async (bundle: object, beside = {}) =>
      leftOpen(
        await checked(JSON.stringify({ ...whole, bundle: { url: 'https://x', channel: 'c', ...bundle } }), beside),
      )
    const rootless = expect.stringMatching(/^its signed rules never count/)
    const going = expect.stringMatching(/^where its signed rules are stale, calls go on: `onStale`/)
    const without = expect.stringMatching(/^where its signed rules are missing, calls go on: `onMissing`/)
    const pinned = readFileSync(makeTeam().file('metadata/1.root.json'), 'utf8')
    const root = { 'root.json': pinned, 'pinned.json': pinned }
    const damaged = { 'root.json': pinned.slice(0, 40) }
    const isDamaged = expect.stringMatching(/^its signed rules never count, since the pinned root is damaged; put /)
    expect(await open({ onStale: 'block' }, damaged)).toEqual([isDamaged])
    expect(await open({})).toEqual([rootless, without, going])
    expect(await open({ onStale: 'continue' }, root)).toEqual([without, going])
    expect(await open({ onStale: 'continue', onMissing: 'block' }, root)).toEqual([going])
    expect(await open({ onStale: 'ask', root: 'other.json' }, root)).toEqual([rootless])
    expect(await open({ onStale: 'block', root: 'pinned.json' }, root)).toEqual([])
  })

  it('finds the mistakes of the file alone, whatever this machine has', async () => {
    const { stdout, exitCode } = await checked('{ "packs": [{ "pack": "git-safety" }], "userMaySet": ["rules"] }')
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/hooks\.json:1:\d+: error: /)
    const ended = await hookgateHere(['check', '--managed', '/nowhere/hooks.json'])
    expect(ended).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('there is no /nowhere/hooks.json') })
  })

  it.each(['two\nlines', '', '\u202Eevil', 'x'.repeat(301)])(
    'takes no contact that is not a line: %j',
    async (contact) => {
      expect((await checked(JSON.stringify({ ...whole, contact }))).exitCode).toBe(1)
    },
  )

  it('accepts comments there, and in no file of a user or a project', async () => {
    const text = '{\n  // why\n  "packs": [{ "pack": "git-safety" }]\n}\n'
    expect((await checked(text)).exitCode).toBe(0)
    const folder = folderWith({
      'hooks.json': text,
      'contact/hooks.json': { json: { packs: [{ pack: 'git-safety' }], contact: 'x' } },
    })
    expect((await hookgateHere(['check', join(folder, 'hooks.json')])).exitCode).toBe(1)
    const elsewhere = await hookgateHere(['check', join(folder, 'contact/hooks.json')])
    expect(elsewhere.stdout).toContain('only the managed hooks.json may set `contact`')
  })
})

describe('whom to ask for an exception', () => {
  const asked = async (managed: object, command: string) => {
    const folder = folderWith({ 'managed/hooks.json': { json: managed }, 'home/x': '', 'work/x': '' })
    const home = join(folder, 'home')
    const stateFolder = join(folder, 'state')
    mkdirSync(stateFolder, { mode: 0o700 })
    writeFileSync(join(folder, 'x'), '')
    const gate = createGate({
      placement: 'caller',
      home,
      env: { HOME: home },
      managedFolder: join(folder, 'managed'),
      state: stateFolder,
      keeps: false,
    })
    try {
      const wire = JSON.stringify(claudeShell(command, join(folder, 'work')))
      const { stdout, stderr } = await gate.answer(new TextEncoder().encode(wire), { agent: 'claude-code' })
      return `${stdout}${stderr}`
    } finally {
      await gate.close()
    }
  }
  const managed = { packs: [{ pack: 'git-safety' }], contact: '#ask-security' }

  it.each(['git push --force origin main', 'sudo hookgate disable --managed codex'])(
    'is said with a refusal or question: %s',
    async (command) => {
      expect(await asked(managed, command)).toContain('For an exception, ask #ask-security')
      expect(await asked({ ...managed, contact: undefined }, command)).not.toContain('For an exception')
    },
  )

  it('is not said of what passes', async () => {
    expect(await asked(managed, 'ls')).not.toContain('#ask-security')
  })
})
