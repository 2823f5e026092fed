import { execFileSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { factIn, missingIn } from '../../support/facts.ts'
import { folderWith } from '../../support/workspace.ts'

const origin = { gitRemote: 'origin' } as const
const head = 'ref: refs/heads/main\n'
const withConfig = (config: string) => folderWith({ '.git/HEAD': head, '.git/config': config, 'a/b': '' })
const withUrl = (url: string) => withConfig(`[remote "origin"]\n\turl = ${url}\n`)
const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, stdio: 'pipe' })

describe('the URL of a remote', () => {
  it('is the one that git wrote, also from a folder below the top and from a worktree', async () => {
    const folder = folderWith({ 'work/a/b': '' })
    const work = join(folder, 'work')
    git(work, 'init', '-q')
    git(work, '-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-q', '--allow-empty', '-m', 'a')
    git(work, 'remote', 'add', 'other', 'https://example.org/other.git')
    git(work, 'remote', 'add', 'origin', 'git@example.org:a/b.git')
    git(work, 'worktree', 'add', '-q', join(folder, 'tree'))
    const found = await Promise.all(
      [work, join(work, 'a'), join(folder, 'tree')].map(async (root) => factIn(root, origin)),
    )
    expect(found).toEqual(found.map(() => ({ value: 'example.org:a/b.git' })))
    expect(await factIn(work, { gitRemote: 'other' })).toEqual({ value: 'https://example.org/other.git' })
  })

  it.each([
    ['[remote "origin"] url = https://a.b/c', 'https://a.b/c'],
    ['[REMOTE "origin"]\nURL="https://a.b/c" ; a comment', 'https://a.b/c'],
    ['[remote "origin"]\nfetch = x\nurl = one\nurl = two', 'one'],
    ['[remote "origin"]\r\n\turl = https://a.b/c\r\n', 'https://a.b/c'],
    ['[remote "origin"]\npushurl = two\n[branch "x"]\nurl = three\n[remote "origin"]\nurl = one', 'one'],
    ['[remote "origin"]\n# not continued \\\nurl = one', 'one'],
    ['[remote "origin"]\nurl = https://a.b/\\\nc', 'https://a.b/c'],
  ])('is read as git reads %j', async (config, value) => {
    expect(await factIn(withConfig(config), origin)).toEqual({ value })
  })

  it.each([
    ['https://user:hunter2@example.org/a.git', 'https://example.org/a.git'],
    ['https://ghp_token@example.org:8443/a.git', 'https://example.org:8443/a.git'],
    ['https://user:hun@ter2@example.org/a.git', 'https://example.org/a.git'],
    ['https://example.org/a.git?access_token=hunter2', 'https://example.org/a.git'],
    ['git@example.org:a/b.git', 'example.org:a/b.git'],
    ['hunter2@example.org/a.git', 'example.org/a.git'],
    ['/srv/git/a.git', '/srv/git/a.git'],
    ['file:///srv/git/a.git', 'file:///srv/git/a.git'],
    ['ssh://git:hunter2@[::1]:22/a.git', 'ssh://[::1]:22/a.git'],
  ])('has no user and no password: %s', async (url, value) => {
    expect(await factIn(withUrl(url), origin)).toEqual({ value })
  })

  it.each([
    'user:hunter2@example.org:a',
    'user:hun/ter2@example.org:a',
    'hun/ter2@example.org:a',
    '//user:hunter2@example.org/a',
    'https:/user:hunter2@example.org/a',
    'https:///user:hunter2@example.org/a',
    'https://user:hun/ter2@example.org/a',
    'https://user:12/34@example.org/a',
    'https://hun/ter2@example.org/a',
    'https://user:12?34@example.org/a',
    'https://user:12#34@example.org/a',
    '"https://user:12#34@example.org/a"',
    String.raw`https://user:12\\34@example.org/a`,
    'https://user:hunter2',
    'https://user:hunter2%40example.org/a',
    'https://user:12/34%40example.org/a',
    'example.org:a?access_token=hunter2',
    'hg::https://user:hunter2@example.org/a',
    'ext::sh -c hunter2',
    '"https://a.b\\nhunter2"',
    '',
  ])('is missing if a password could be left in it: %s', async (url) => {
    expect(await missingIn(withUrl(url), origin)).toBe('`origin` has a URL that could contain a password')
  })

  it('is missing, with the reason, where there is none', async () => {
    const none = '`origin` is no remote with a URL in `.git/config`'
    expect(await missingIn(withConfig('[remote "upstream"]\nurl = a'), origin)).toBe(none)
    expect(await missingIn(withConfig('[remote "Origin"]\nurl = a'), origin)).toBe(none)
    expect(await missingIn(folderWith({ '.git/HEAD': head }), origin)).toBe('`config` does not exist')
    expect(await missingIn(withConfig('x'.repeat(300_000)), origin)).toBe('`config` is too large')
    const root = folderWith()
    expect(await missingIn(root, origin, { HOME: root })).toMatch(/is not in a git repository$/)
  })

  it('is not read through a link that leads out of the git folder', async () => {
    const outside = folderWith({ config: '[remote "origin"]\nurl = secret' })
    const root = folderWith({ '.git/HEAD': head })
    symlinkSync(join(outside, 'config'), join(root, '.git/config'))
    expect(await missingIn(root, origin)).toMatch(/cannot be followed within the workspace/)
  })

  it('is not read from a folder that a `commondir` names elsewhere', async () => {
    const folder = folderWith({ 'secret/config': '[remote "origin"]\nurl = secret', 'a/.git/HEAD': head })
    writeFileSync(join(folder, 'a/.git/commondir'), '../../secret\n')
    expect(await missingIn(join(folder, 'a'), origin)).toBe('`commondir` does not lead to the repository')
  })
})
