import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FileChanges } from '../../src/model/file-changes.ts'
import { hookgateHere as hookgate } from '../support/cli.ts'
import { claudeShell, clineTool } from '../support/wire.ts'
import { folderWith, rulesWith, writeFiles } from '../support/workspace.ts'
import { missing } from '../support/own-folder.ts'

const refuses = { script: '#!/bin/sh\necho no >&2\nexit 2\n' }

describe('hookgate trust', () => {
  it('lets a workspace’s hooks run until one of its files changes', async () => {
    const HOME = folderWith()
    const root = folderWith({
      '.hookgate/hooks.json': rulesWith('PreToolUse', '"$CLAUDE_PROJECT_DIR"/.hookgate/guard.sh'),
      '.hookgate/guard.sh': refuses,
    })
    const call = { env: { HOME }, cwd: root }
    const decide = async () => {
      const { stdout } = await hookgate(['run', '--json'], { ...call, stdin: JSON.stringify(claudeShell('ls', root)) })
      return JSON.parse(stdout) as { decision: string; notices: readonly string[] }
    }

    expect(await decide()).toMatchObject({
      decision: 'abstain',
      notices: [expect.stringContaining('is not trusted')],
    })
    const trusted = await hookgate(['trust'], call)
    expect(trusted).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('.hookgate/guard.sh') })
    expect((await decide()).decision).toBe('deny')
    // Trusted once more as it is, nothing changes, and nobody is asked.
    const questions: string[] = []
    const ask = (question: string) => Promise.resolve(String(questions.push(question)))
    expect((await hookgate(['trust'], { ...call, ask })).stdout).toBe(trusted.stdout)
    expect(questions).toEqual([])

    writeFiles(root, { '.hookgate/guard.sh': { script: '#!/bin/sh\nexit 0\n' } })
    expect(await decide()).toMatchObject({ decision: 'abstain', notices: [expect.stringContaining('has changed')] })
  })

  it('pins Cline’s hooks too, lists what is pinned, and removes the pins again', async () => {
    const HOME = folderWith()
    const root = folderWith({ '.clinerules/hooks/PreToolUse': { script: '#!/bin/sh\necho \'{"cancel":true}\'\n' } })
    const call = { env: { HOME }, cwd: root }
    const stdin = JSON.stringify(clineTool('read_file', { path: 'a' }, root))
    await hookgate(['trust', root], { env: { HOME } })
    expect(JSON.parse((await hookgate(['run'], { ...call, stdin })).stdout)).toMatchObject({ cancel: true })

    expect((await hookgate(['trust', '--list'], call)).stdout).toContain('.clinerules/hooks/PreToolUse')
    expect((await hookgate(['trust', '--revoke'], call)).stdout).toContain('is no longer trusted')
    expect(JSON.parse((await hookgate(['run'], { ...call, stdin })).stdout)).toMatchObject({ cancel: false })
    expect((await hookgate(['trust', '--list'], call)).stdout).toBe('nothing is trusted\n')
  })

  it.each([
    [
      'a script',
      { '.hookgate/hooks.json': rulesWith('PreToolUse', './guard.sh'), 'guard.sh': refuses },
      'PreToolUse: ./guard.sh',
    ],
    ['an inline command', { '.hookgate/hooks.json': rulesWith('PostToolUse', 'echo x') }, 'PostToolUse: echo x'],
    [
      'another event of Cline',
      { '.clinerules/hooks/TaskStart': refuses },
      /TaskStart: \/.*\.clinerules\/hooks\/TaskStart/,
    ],
    ['a hook of Cline', { '.clinerules/hooks/PreToolUse': refuses }, /PreToolUse: \/.*\.clinerules\/hooks\/PreToolUse/],
    ['control bytes', { '.hookgate/hooks.json': rulesWith('PreToolUse', 'echo \u001b[2J') }, 'echo \\x1b[2J'],
  ])('shows what will run, in a dry run too: %s', async (_what, files, said) => {
    const call = { env: { HOME: folderWith() }, cwd: folderWith(files) }
    for (const flags of [['--dry-run'], []]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { stdout } = await hookgate(['trust', ...flags], call)
      expect(stdout).toMatch(/^runs at /m)
      if (typeof said === 'string') expect(stdout).toContain(said)
      else expect(stdout).toMatch(said)
    }
  })

  it('stores the pins where only the user can read or write them', async () => {
    const HOME = folderWith()
    const root = folderWith({ '.clinerules/hooks/PreToolUse': refuses })
    await hookgate(['trust', root], { env: { HOME } })
    expect(statSync(join(HOME, '.config/hookgate/trust.json')).mode & 0o777).toBe(0o600)
  })

  it('`--dry-run --json` shows what would be pinned and how the file of the pins changes, and pins nothing', async () => {
    const HOME = folderWith()
    const root = folderWith({ '.clinerules/hooks/PreToolUse': refuses })
    const file = join(HOME, '.config/hookgate/trust.json')
    const trust = async (...argv: string[]) => {
      const { stdout } = await hookgate(['trust', root, '--json', ...argv], { env: { HOME } })
      const json = JSON.parse(stdout) as { workspaces?: readonly { files: readonly string[] }[]; revoked?: boolean }
      return { ...json, ...FileChanges.parse(json) }
    }
    const dry = await trust('--dry-run')
    expect(dry.workspaces?.[0]?.files).toEqual(['.clinerules/hooks/PreToolUse'])
    const added = expect.stringMatching(/^--- \/dev\/null\n[^]*^\+ +".clinerules\/hooks\/PreToolUse": "[0-9a-f]{64}"$/m)
    expect(dry).toMatchObject({ changed: false, files: [{ file, diff: added }], copies: [] })
    expect(existsSync(file)).toBe(false)
    expect(await trust()).toMatchObject({
      changed: true,
      files: [{ file, diff: added }],
      workspaces: dry.workspaces?.map(({ files }) => ({ files })),
    })
    const before = readFileSync(file, 'utf8')
    const removed = expect.stringMatching(/^- +".clinerules\/hooks\/PreToolUse"/m)
    const kept = await trust('--revoke', '--dry-run')
    expect(kept).toMatchObject({ changed: false, revoked: false, files: [{ file, diff: removed }] })
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect(await trust('--revoke')).toMatchObject({ changed: true, revoked: true, files: [{ file, diff: removed }] })
    expect(await trust('--revoke')).toMatchObject({ changed: false, revoked: false, files: [] })
  })

  it('no longer applies once a script has changed, of which `hookgate check` warns', async () => {
    const HOME = folderWith()
    const root = folderWith({
      '.hookgate/hooks.json': rulesWith('PreToolUse', '"$CLAUDE_PROJECT_DIR"/.hookgate/guard.sh'),
      '.hookgate/guard.sh': refuses,
    })
    const call = { env: { HOME }, cwd: root }
    const clean = { exitCode: 0, stdout: 'no mistakes found in 1 hook\n' }
    await hookgate(['trust'], call)
    expect(await hookgate(['check'], call)).toMatchObject(clean)
    writeFiles(root, { '.hookgate/guard.sh': { script: '#!/bin/sh\nexit 0\n' } })
    expect(await hookgate(['check'], call)).toMatchObject({
      exitCode: 1,
      stdout: expect.stringMatching(
        /hooks\.json:\d+:\d+: warning: this hook will not run: `\.hookgate\/guard\.sh` has changed since it was trusted; review it, then run `hookgate trust/,
      ),
    })
  })

  it('reports that there is nothing to pin, and refuses what is not a folder', async () => {
    const HOME = folderWith()
    expect((await hookgate(['trust', folderWith()], { env: { HOME } })).stdout).toContain('there are no hooks')
    expect(await hookgate(['trust', missing], { env: { HOME } })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(missing),
    })
  })

  it('names hooks that stay untrusted because their files cannot be determined', async () => {
    const HOME = folderWith()
    const root = folderWith({ '.hookgate/hooks.json': rulesWith('PreToolUse', 'sh tools/*.sh') })
    expect(await hookgate(['trust', root], { env: { HOME } })).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('.hookgate/hooks.json'),
      stderr: expect.stringMatching(
        /hooks\.json#PreToolUse\[0\]\.hooks\[0\]: this hook will not run: .* move it into a script/,
      ),
    })
  })

  it('does not pin rules that do not parse, since what they run is unknown', async () => {
    const HOME = folderWith()
    const root = folderWith({ '.hookgate/hooks.json': '{' })
    expect(await hookgate(['trust', root], { env: { HOME } })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('hooks.json:1:'),
    })
  })
})
