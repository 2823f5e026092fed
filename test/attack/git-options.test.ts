import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { sampleOf } from '../support/sample.ts'
import { openShippedGate } from '../support/shipped-gate.ts'

// What the real git does with options that are repeated, taken back, cut short and joined, against the gate's answer.
// `--all` runs each of some 4,000 command lines.

const folder = mkdtempSync(join(tmpdir(), 'git-options-'))
const gate = openShippedGate('/home/u')
afterAll(async () => {
  await gate.close()
  rmSync(folder, { recursive: true })
})

const env = {
  PATH: process.env['PATH'],
  HOME: folder,
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@a.example',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@a.example',
  GIT_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
}
const git = (cwd: string, ...args: readonly string[]) => execFileSync('git', args, { cwd, env, stdio: 'pipe' })

const files: Readonly<Record<string, string>> = {
  'a.txt': 'changed, in no commit',
  'b.txt': 'staged',
  'd/c.txt': 'changed in a folder',
  'u.txt': 'not tracked',
  'n/v.txt': 'not tracked, in a folder',
  'i.log': 'ignored',
}

function write(root: string, texts: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
}

/** Makes a work tree with changes of every kind, and a remote that has a commit and a branch that are not there. */
function makeTemplate(): string {
  const template = join(folder, 'template')
  const [here, there] = [join(template, 'here'), join(template, 'there.git')]
  mkdirSync(there, { recursive: true })
  git(there, 'init', '-q', '--bare', '-b', 'main')
  git(template, 'clone', '-q', 'there.git', 'here')
  git(here, 'config', 'remote.origin.url', '../there.git')
  git(here, 'checkout', '-q', '-b', 'main')
  write(here, { 'a.txt': '1', 'b.txt': '1', 'd/c.txt': '1', '.gitignore': '*.log\n' })
  git(here, 'add', '.')
  git(here, 'commit', '-qm', 'first')
  git(here, 'push', '-qu', 'origin', 'main')
  git(here, 'checkout', '-qb', 'other')
  git(here, 'commit', '-qm', 'theirs', '--allow-empty')
  git(here, 'push', '-q', 'origin', 'other', 'other:main')
  git(here, 'checkout', '-q', 'main')
  git(here, 'branch', '-qD', 'other')
  git(here, 'branch', 'topic')
  git(here, 'checkout', '-q', 'topic')
  git(here, 'commit', '-qm', 'unmerged', '--allow-empty')
  git(here, 'checkout', '-q', 'main')
  git(here, 'commit', '-qm', 'own', '--allow-empty')
  git(here, 'tag', 'v1', 'topic')
  git(here, 'fetch', '-q', 'origin')
  write(here, { 'a.txt': 'stashed' })
  git(here, 'stash', '-q')
  write(here, files)
  git(here, 'add', 'b.txt')
  git(here, 'worktree', 'add', '-q', '../side', '-b', 'side')
  write(join(template, 'side'), { 'a.txt': 'changed at the side' })
  return template
}

/** Returns the texts of a repository's references, by name. */
function referencesIn(repository: string): ReadonlyMap<string, string> {
  const loose = existsSync(join(repository, 'refs'))
    ? readdirSync(join(repository, 'refs'), { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
    : []
  const packed = existsSync(join(repository, 'packed-refs'))
    ? readFileSync(join(repository, 'packed-refs'), 'utf8')
    : ''
  return new Map([
    ...[...packed.matchAll(/^([\da-f]{40}) refs\/(\S+)$/gm)].map(([, id = '', name = '']) => [name, id] as const),
    ...loose.map(
      (one) =>
        [
          join(one.parentPath, one.name).slice(join(repository, 'refs').length + 1),
          readFileSync(join(one.parentPath, one.name), 'utf8').trim(),
        ] as const,
    ),
  ])
}

/** What is to be seen of a copy of the template: texts of files, references, stashes. */
function stateOf(root: string): ReadonlyMap<string, string> {
  const textOf = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '')
  const log = 'here/.git/logs/refs/stash'
  return new Map([
    ...Object.keys(files).map((name) => [`file ${name}`, textOf(`here/${name}`)] as const),
    ['file at the side', textOf('side/a.txt')],
    ['stash', String(textOf(log).split('\n').length)],
    ...[...referencesIn(join(root, 'here/.git'))].map(([name, id]) => [`here ${name}`, id] as const),
    ...[...referencesIn(join(root, 'there.git'))].map(([name, id]) => [`there ${name}`, id] as const),
  ])
}

const isOn = (repository: string, id: string, other: string) =>
  spawnSync('git', ['merge-base', '--is-ancestor', id, other], { cwd: repository, env }).status === 0

/** Returns what a run of git has lost: changes in no commit, branches of its own, commits and branches of the remote. */
function lostBetween(root: string, before: ReadonlyMap<string, string>): readonly string[] {
  const after = stateOf(root)
  const isStashed = Number(after.get('stash')) > Number(before.get('stash'))
  return [...before].flatMap(([name, was]) => {
    const is = after.get(name)
    if (is === was) return []
    if (name.startsWith('file ')) return isStashed || is?.includes(was) === true ? [] : [name]
    if (name === 'stash') return Number(is) < Number(was) ? [name] : []
    if (name.startsWith('here heads/') || name.startsWith('here tags/')) return is === undefined ? [name] : []
    if (!name.startsWith('there ')) return []
    return is !== undefined && isOn(join(root, 'there.git'), was, is) ? [] : [name]
  })
}

const template = makeTemplate()
const untouched = stateOf(template)
let copy: string | undefined
let copies = 0

/** Runs a command line of git in a copy of the template, which is made anew only after it was changed. */
function run(words: readonly string[]) {
  if (copy === undefined) {
    copy = join(folder, String(copies++))
    cpSync(template, copy, { recursive: true })
    if (words.includes('worktree')) git(join(copy, 'here'), 'worktree', 'repair', '../side')
  }
  const root = copy
  spawnSync('git', words, { cwd: join(root, 'here'), env, input: '' })
  const lost = lostBetween(root, untouched)
  const after = [...stateOf(root)].toString()
  const dirty = after !== [...untouched].toString() || indexIn(root) !== indexIn(template)
  if (dirty) {
    rmSync(root, { recursive: true })
    copy = undefined
  }
  return lost
}
const indexIn = (root: string) =>
  ['index', 'HEAD'].map((name) => readFileSync(join(root, 'here/.git', name), 'latin1')).join('\n')

/** Returns numbers that look arbitrary and are the same in every run. */
function numbers(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
    return (state >>> 8) % below
  }
}

interface Family {
  /** What tells it from another family of the same subcommand. */
  readonly besides?: string
  readonly subcommand: string
  /** Options, separated by blanks. */
  readonly options: string
  /** What may stand behind: alternatives, each of words. */
  readonly operands: readonly string[]
}

const globals = ['', '', '', '', '-C .', '-c a.b=c', '--no-pager', '--git-dir .git', '--no-pager -C .']

/** Command lines of a family: each option alone, then up to four at random, in front of the operands or behind them. */
function linesOf({ subcommand, options, operands }: Family, count: number): readonly string[] {
  const next = numbers(subcommand.length)
  const all = options.split(' ')
  const pick = <One>(from: readonly One[]): One | undefined => from[next(from.length)]
  const line = (given: readonly (string | undefined)[], words: string | undefined) => {
    const behind = next(given.length + 1)
    return ['git', pick(globals), subcommand, ...given.slice(behind), words, ...given.slice(0, behind)]
      .filter((one) => one !== undefined && one !== '')
      .join(' ')
  }
  const lines = [
    ...operands.flatMap((words) => [[undefined], ...all.map((one) => [one])].map((given) => line(given, words))),
    ...Array.from({ length: count }, () =>
      line(
        Array.from({ length: 2 + next(3) }, () => pick(all)),
        pick(operands),
      ),
    ),
  ]
  return [...new Set(lines)]
}

const families: readonly (Family & { readonly count: number })[] = [
  {
    subcommand: 'push',
    options:
      '--force -f --no-force --dry-run -n --no-dry-run --dry --no-dry --mirror --mir --no-mirror --delete -d --del --no-delete --prune --pru --no-prune --all --tags -fn -nf -qf -vn --porcelain --repo=origin --no-repo --atomic -u --thin --no-th --no-verify --forc --no-forc',
    operands: [
      'origin main',
      'origin +main',
      'origin :other',
      'origin HEAD:main',
      'origin',
      '',
      '../there.git +HEAD:main',
      'origin other',
      'origin +main :other',
      'origin main:other',
    ],
    count: 1500,
  },
  {
    subcommand: 'push',
    besides: ' --force-with-lease',
    options:
      '--force-with-lease --force-w --no-force-with-lease --no-force-w --force-with-lease=main --force -f --no-force --dry-run -n --no-dry-run --force-if-includes --no-force-if --mir --no-mirror',
    // Leases are allowed where the branch is not protected.
    operands: ['origin main', 'origin HEAD:main', 'origin +main'],
    count: 300,
  },
  {
    subcommand: 'reset',
    options: '--hard --har --soft --so --mixed --mi --merge --me --keep -q --quiet --no-quiet -N --no-refresh',
    operands: ['', 'HEAD', 'HEAD~1', 'topic', '-- a.txt'],
    count: 200,
  },
  {
    subcommand: 'clean',
    options:
      '-f --force --forc --no-force --no-f -n --dry-run --no-dry-run --dry --no-dry -d -x -X -fd -fdx -dfn -nfd -q --quiet -ff --exclude=u.txt --no-exclude',
    operands: ['', '.', 'u.txt', 'n', '-- n'],
    count: 300,
  },
  {
    subcommand: 'restore',
    options:
      '--staged -S --stag --no-staged --no-st --worktree -W --work --no-worktree --no-wo -SW -WS --source=HEAD --so=topic -s@ --no-source --quiet --ours --theirs --no-overlay --overlay --ignore-unmerged',
    operands: ['.', 'a.txt', 'b.txt', 'd', '', '-- a.txt', ':/'],
    count: 300,
  },
  {
    subcommand: 'checkout',
    options:
      '--force -f --no-force --forc -qf -q --quiet --no-quiet --merge -m --detach -d --no-detach --overlay --no-overlay --no-over --ours -B --orphan=x --ignore-other-worktrees',
    operands: ['', '.', 'a.txt', 'topic', '-- a.txt', 'HEAD -- d', 'topic .', 'HEAD', '-- .', 'HEAD b.txt'],
    count: 300,
  },
  {
    subcommand: 'switch',
    options:
      '--force -f --no-force --discard-changes --disc --no-discard-changes --no-disc -q --quiet --merge --detach -d --orphan=x -C x',
    operands: ['topic', 'main', '', '-'],
    count: 200,
  },
  {
    subcommand: 'rm',
    options:
      '--force -f --no-force --forc --cached --cach --no-cached --no-cach --dry-run -n --no-dry-run --dry --no-dry -r -rf -fn -q --quiet --ignore-unmatch',
    operands: ['a.txt', 'b.txt', 'd', '.', '-- a.txt'],
    count: 300,
  },
  {
    // Not renamed by force: `git branch -M main` is everyday.
    subcommand: 'branch',
    options:
      '-D -d --delete --del --no-delete --no-del --force -f --no-force --forc -df -q -m -c --move --no-move --list -l -r -a --quiet',
    operands: ['topic', 'main topic', '', 'side', 'x topic'],
    count: 300,
  },
  {
    subcommand: 'tag',
    options: '-d --delete --del --no-delete -f --force --no-force -l --list -a',
    operands: ['v1', '', 'v1 HEAD'],
    count: 100,
  },
  {
    subcommand: 'stash',
    options:
      'drop clear pop apply push list show -q --quiet --no-quiet --index -u -k --keep-index --no-keep-index --all --include-untracked',
    operands: ['', 'stash@{0}', '-- a.txt'],
    count: 150,
  },
  {
    subcommand: 'worktree remove',
    options: '--force -f --no-force --forc -ff',
    operands: ['../side', '-- ../side'],
    count: 60,
  },
  {
    subcommand: 'checkout-index',
    options: '-f --force --no-force --forc -a --all -u --index --quiet -n --no-create',
    operands: ['', 'a.txt', '-- a.txt'],
    count: 100,
  },
  {
    subcommand: 'read-tree',
    options: '--reset --res --no-reset -m -u --no-u -n --dry-run --no-dry-run -i -v',
    operands: ['HEAD', 'topic', ''],
    count: 100,
  },
]

/** Of each kind, what passed once: these run always. */
const known = [
  'git push -n --no-dry-run --force origin main',
  'git push --dry-run --no-dry --mir',
  'git -C . push --delete --dry-run origin other --no-dry',
  'git clean -fdx -dfn --no-dry',
  'git rm -q --cached -rf a.txt --no-cached',
  'git -c remote.origin.push=+main push',
  'git -c remote.origin.push=:other push origin',
  'git -c remote.origin.mirror push',
  'git send-pack --force ../there.git main',
  'git send-pack ../there.git :other',
  'git -C ../there.git update-ref refs/heads/main main~1',
  'git -C ../there.git fetch -q ../here +main:main',
  'git --git-dir ../there.git symbolic-ref refs/heads/other refs/heads/main',
]

describe.each([
  ['known command lines', known] as const,
  ...families.map(
    (family) => [`${family.subcommand}${family.besides ?? ''}`, sampleOf(linesOf(family, family.count), 80)] as const,
  ),
])('every loss that the real git causes by %s', (_, lines) => {
  it('is refused or asked about, whatever the options are', { timeout: 600_000 }, async () => {
    const losses = lines
      .map((line) => ({ line, lost: run(line.split(' ').slice(1)) }))
      .filter(({ lost }) => lost.length > 0)
    const judged = await Promise.all(losses.map(async (loss) => ({ ...loss, ...(await gate.judge(loss.line)) })))
    expect(judged.filter(({ denied, asked }) => denied.length + asked.length === 0)).toEqual([])
    if (lines === known) expect(losses).toHaveLength(known.length)
  })
})
