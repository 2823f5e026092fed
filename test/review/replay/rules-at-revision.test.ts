import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { devNull } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { rulesAtRevision } from '../../../src/review/replay/rule-sets.ts'
import { folderWith, writeFiles } from '../../support/workspace.ts'

const settings = ['user.name=a', 'user.email=a@b', `core.hooksPath=${devNull}`].flatMap((one) => ['-c', one])

const siteIn = (cwd: string) => ({ cwd, env: process.env })

/** Creates a repository with one commit of some files. */
function repositoryWith(files: Parameters<typeof folderWith>[0]) {
  const folder = folderWith(files)
  const git = (...args: readonly string[]) =>
    execFileSync('git', [...settings, ...args], { cwd: folder, encoding: 'utf8' })
  git('init', '--quiet', '--initial-branch=main')
  git('add', '--all')
  git('commit', '--quiet', '--message=one')
  return { folder, git }
}

describe('the rules at a revision', () => {
  it('are written as they were, into a private folder that is removed, and nothing of the repository changes', async () => {
    const hook = { script: '#!/bin/sh\ntouch "$(git rev-parse --show-toplevel)/hook-ran"\n' }
    const { folder, git } = repositoryWith({ 'rules/hooks.json': 'old', 'rules/sub/a.txt': 'a', 'other/b.txt': 'b' })
    writeFiles(folder, { '.git/hooks/post-checkout': hook, '.git/hooks/post-index-change': hook })
    writeFiles(folder, { 'rules/hooks.json': 'new', 'rules/added.txt': '' })
    const status = git('status', '--porcelain=v2')
    const old = await rulesAtRevision('main', ['rules'], siteIn(folder))
    const [path = ''] = old.paths
    expect(readFileSync(join(path, 'hooks.json'), 'utf8')).toBe('old')
    expect(existsSync(join(path, 'sub/a.txt'))).toBe(true)
    expect(existsSync(join(path, 'added.txt'))).toBe(false)
    expect(existsSync(join(path, '../other'))).toBe(false)
    expect(old.named(`in ${join(path, 'hooks.json')}`)).toBe('in main:rules/hooks.json')
    old.remove()
    expect(existsSync(path)).toBe(false)
    expect(git('status', '--porcelain=v2')).toBe(status)
    expect(readFileSync(join(folder, 'rules/hooks.json'), 'utf8')).toBe('new')
    expect(existsSync(join(folder, 'hook-ran'))).toBe(false)
  })

  it('are those of a file with all that stands beside it, and of the whole repository', async () => {
    const { folder } = repositoryWith({ 'rules/hooks.json': '{}', 'rules/policies/a.txt': '', 'hooks.json': '{}' })
    const file = await rulesAtRevision('HEAD', ['hooks.json'], siteIn(join(folder, 'rules')))
    const whole = await rulesAtRevision('HEAD', [folder, join(folder, 'rules')], siteIn(folder))
    try {
      expect(existsSync(join(file.paths[0] ?? '', '../policies/a.txt'))).toBe(true)
      expect(existsSync(join(whole.paths[0] ?? '', 'hooks.json'))).toBe(true)
      expect(existsSync(join(whole.paths[1] ?? '', 'hooks.json'))).toBe(true)
    } finally {
      file.remove()
      whole.remove()
    }
  })

  it('have the target of a link in its place, and nothing of what it leads to on this machine', async () => {
    const outside = folderWith({ 'secret.txt': 'of this machine' })
    const { folder, git } = repositoryWith({ 'rules/a.txt': 'a' })
    symlinkSync(join(outside, 'secret.txt'), join(folder, 'rules/hooks.json'))
    git('add', '--all')
    git('commit', '--quiet', '--message=two')
    const old = await rulesAtRevision('HEAD', ['rules'], siteIn(folder))
    try {
      expect(readFileSync(join(old.paths[0] ?? '', 'hooks.json'), 'utf8')).toBe(join(outside, 'secret.txt'))
    } finally {
      old.remove()
    }
  })

  it('need a repository, a revision and rules in it, and a path that is inside', async () => {
    const { folder } = repositoryWith({ 'rules/hooks.json': '{}' })
    const outside = folderWith({})
    const of = (revision: string, path: string, cwd = folder) => rulesAtRevision(revision, [path], siteIn(cwd))
    await expect(of('main', 'rules', outside)).rejects.toThrow(/is not in a git repository/)
    await expect(of('gone', 'rules')).rejects.toThrow(/there is no revision `gone`/)
    await expect(of('--all', 'rules')).rejects.toThrow(/there is no revision `--all`/)
    await expect(of('main', 'later')).rejects.toThrow('`main` has no `later`')
    await expect(of('main', outside)).rejects.toThrow(/is outside of the repository/)
  })
})
