import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { factIn, missingIn } from '../../support/facts.ts'
import { folderWith } from '../../support/workspace.ts'

const branch = { gitBranch: true } as const
const main = 'ref: refs/heads/main\n'

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd, stdio: 'pipe' })

function repository() {
  const folder = folderWith({ 'work/a': '' })
  const work = join(folder, 'work')
  git(work, 'init', '-q', '-b', 'trunk')
  git(work, 'add', 'a')
  git(work, 'commit', '-qm', 'a')
  return { folder, work }
}

describe('the branch', () => {
  it('is the repository’s, even before its first commit and with slashes in its name', async () => {
    const { work } = repository()
    expect(await factIn(work, branch)).toEqual({ value: 'trunk' })
    git(work, 'checkout', '-q', '--orphan', 'feature/é-1.2')
    expect(await factIn(work, branch)).toEqual({ value: 'feature/é-1.2' })
  })

  it('is missing where none is checked out', async () => {
    const { work } = repository()
    git(work, 'checkout', '-q', '--detach')
    expect(await missingIn(work, branch)).toBe('`HEAD` is detached: no branch is checked out')
  })

  it('of a worktree is its own', async () => {
    const { folder, work } = repository()
    git(work, 'worktree', 'add', '-q', '-b', 'other', join(folder, 'tree'))
    expect(await factIn(join(folder, 'tree'), branch)).toEqual({ value: 'other' })
    expect(await factIn(work, branch)).toEqual({ value: 'trunk' })
  })

  it('of a submodule is its own', async () => {
    const { work } = repository()
    const { work: outer } = repository()
    git(outer, 'checkout', '-qb', 'outer')
    git(outer, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', work, 'inner')
    expect(await factIn(join(outer, 'inner'), branch)).toEqual({ value: 'trunk' })
    expect(await factIn(outer, branch)).toEqual({ value: 'outer' })
  })

  it('is found from a folder below the top, and through a link to one', async () => {
    const folder = folderWith({ 'work/.git/HEAD': main, 'work/a/b/c': '' })
    symlinkSync(join(folder, 'work/a/b'), join(folder, 'link'))
    expect(await factIn(join(folder, 'work/a/b'), branch)).toEqual({ value: 'main' })
    expect(await factIn(join(folder, 'link'), branch)).toEqual({ value: 'main' })
  })

  it('is the nearest repository’s, where a folder without HEAD does not count', async () => {
    const folder = folderWith({ '.git/HEAD': main, 'a/.git/HEAD': 'ref: refs/heads/a\n', 'a/b/c/d': '' })
    mkdirSync(join(folder, 'a/b/.git'))
    expect(await factIn(join(folder, 'a/b/c'), branch)).toEqual({ value: 'a' })
  })

  it('is searched up to the home folder, and not above it', async () => {
    const folder = folderWith({ '.git/HEAD': main, 'home/work/a': '', 'home2/.git/HEAD': main, 'home2/work/a': '' })
    const root = join(folder, 'home/work')
    expect(await missingIn(root, branch, { HOME: join(folder, 'home') })).toMatch(/is not in a git repository$/)
    expect(await missingIn(join(folder, 'home'), branch, { HOME: join(folder, 'home') })).toMatch(
      /not in a git repository$/,
    )
    expect(await factIn(root, branch, { HOME: join(folder, 'elsewhere') })).toEqual({ value: 'main' })
    expect(await factIn(join(folder, 'home2/work'), branch, { HOME: join(folder, 'home2') })).toEqual({ value: 'main' })
  })

  it.each([
    ['ref: refs/remotes/origin/main\n', '`HEAD` does not name a branch'],
    ['ref: refs/heads/.invalid\n', '`HEAD` does not name a branch: the repository keeps its branches in a reftable'],
    ['ref: refs/heads/\n', '`HEAD` does not name a branch'],
    ['ref: refs/heads/a b\n', '`HEAD` does not name a branch'],
    ['ref: refs/heads/a\u001b[2J\n', '`HEAD` does not name a branch'],
    ['ref: refs/heads/../../secret\n', '`HEAD` does not name a branch'],
    ['ref: refs/heads/a\nsecret\n', '`HEAD` does not name a branch'],
    ['secret', '`HEAD` does not name a branch'],
    ['', '`HEAD` does not name a branch'],
    [`${'a'.repeat(39)}\n`, '`HEAD` does not name a branch'],
    [`${'a'.repeat(64)}\n`, '`HEAD` is detached: no branch is checked out'],
  ])('is missing with HEAD %j, whose content is not revealed', async (head, why) => {
    expect(await missingIn(folderWith({ '.git/HEAD': head }), branch)).toBe(why)
  })

  it.each([
    ['nonsense', '`.git` is not a repository and does not lead to one'],
    ['gitdir: ../nowhere\n', '`.git` does not lead to a repository'],
    ['gitdir: a\0b\n', ''],
  ])('is missing with a .git file %j', async (text, why) => {
    const folder = folderWith({ '.git/HEAD': main, 'work/a': '' })
    writeFileSync(join(folder, 'work/.git'), text)
    expect(await missingIn(join(folder, 'work'), branch)).toContain(why)
  })
})
