import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hookgate } from '../support/cli.ts'
import { claudeShell, clineTool } from '../support/wire.ts'
import { folderWith } from '../support/workspace.ts'

const testOf = (file: string) => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return spawnSync(process.execPath, ['--test', file], { encoding: 'utf8', env })
}

describe('hookgate new hook', () => {
  it.each([
    ['node', 'PreToolUse'],
    ['bash', 'PreToolUse'],
    ['python', 'PreToolUse'],
    ['node', 'UserPromptSubmit'],
    ['bash', 'UserPromptSubmit'],
    ['python', 'UserPromptSubmit'],
  ])(
    'in %s for %s makes a hook that passes its own test, and that check finds no fault with',
    async (language, event) => {
      const root = folderWith()
      const made = await hookgate(['new', 'hook', 'no-force-push', '--event', event, '--language', language], {
        cwd: root,
      })
      expect(made).toMatchObject({ exitCode: 0, stderr: '' })
      const test = testOf(join(root, '.hookgate/hooks/no-force-push.test.mjs'))
      expect([test.status, test.stdout]).toEqual([0, expect.stringContaining('pass 2')])
      expect((await hookgate(['check'], { cwd: root })).stdout).toBe('no mistakes found\n')
    },
  )

  it('registers the hook, so that it refuses once it is trusted', async () => {
    const root = folderWith()
    await hookgate(['new', 'hook', 'no-force-push'], { cwd: root })
    const ended = await hookgate(['run', '--trust-workspace'], {
      stdin: JSON.stringify(claudeShell('cd sub && git -C . push -f origin main', root)),
    })
    expect(ended).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--force-with-lease') })
  })

  it.each(['node', 'bash', 'python'])(
    'for Cline makes an executable file named as the event (%s)',
    async (language) => {
      const root = folderWith()
      await hookgate(['new', 'hook', 'PreToolUse', '--agent', 'cline', '--language', language], { cwd: root })
      expect(testOf(join(root, '.clinerules/hooks/PreToolUse.test.mjs')).status).toBe(0)
      const ended = await hookgate(['run', '--trust-workspace'], {
        stdin: JSON.stringify(clineTool('execute_command', { command: 'git push --force' }, root)),
      })
      expect(JSON.parse(ended.stdout)).toMatchObject({ cancel: true })
    },
  )

  it('overwrites nothing, and shows the rule to add where there is a rules file already', async () => {
    const root = folderWith({ '.hookgate/hooks.json': '{"hooks":{}}' })
    const made = await hookgate(['new', 'hook', 'mine'], { cwd: root })
    expect(made.stdout).toContain('add to .hookgate/hooks.json:')
    expect(readFileSync(join(root, '.hookgate/hooks.json'), 'utf8')).toBe('{"hooks":{}}')
    expect(await hookgate(['new', 'hook', 'mine'], { cwd: root })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('the file exists'),
    })
  })

  it.each([
    [['hook'], 'takes one name'],
    [['policy', 'x'], 'cannot make a new `policy`'],
    [['hook', '../x'], 'no name for a file'],
    [['hook', 'x', '--event', 'Stopp'], 'knows no event `Stopp`'],
    [['hook', 'x', '--language', 'cobol'], 'node, bash, python'],
  ])('refuses %j and says why', async (argv, why) => {
    const root = folderWith()
    expect(await hookgate(['new', ...argv], { cwd: root })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(why),
    })
  })
})
