import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { newcomer } from '../support/enabling.ts'
import { claudeShell } from '../support/wire.ts'

interface Settings {
  readonly hooks: Readonly<
    Record<
      string,
      readonly { readonly hooks: readonly { readonly command: string; readonly args: readonly string[] }[] }[]
    >
  >
}

describe('a first session', () => {
  it('is protected from the first command, can be proved, and leaves nothing behind', async () => {
    const settings = '{ "model": "opus" }\n'
    const user = newcomer({ 'home/.claude/settings.json': settings }, '2.1.290')
    const before = user.home()

    const enabled = await user.cli(['enable', 'claude-code'])
    expect(enabled).toMatchObject({ exitCode: 0, stderr: '' })
    expect(enabled.stdout).toContain('the preset `recommended` is on')

    const { hooks } = JSON.parse(user.read('home/.claude/settings.json')) as Settings
    const registered = hooks['PreToolUse']?.[0]?.hooks[0]
    const call = (command: string) => {
      const input = JSON.stringify(claudeShell(command, user.project))
      const { status, stdout, stderr } = spawnSync(registered?.command ?? '', registered?.args, {
        input,
        env: user.env,
        cwd: user.project,
        encoding: 'utf8',
      })
      return { status, stdout, stderr }
    }
    const refused = call('rm -rf ~')
    expect([refused.stdout, refused.stderr].join('')).toContain('destructive-commands/home-deletion')
    expect(refused).toMatchObject(
      refused.status === 2 ? { status: 2 } : { stdout: expect.stringContaining('"permissionDecision":"deny"') },
    )
    const push = 'git push --force origin main'
    const id = /hookgate allow (\w{6})/.exec(Object.values(call(push)).join('\n'))?.[1] ?? 'no id'
    const person = { ask: () => Promise.resolve('y') }
    expect(await user.cli(['allow', id, '--once'], person)).toMatchObject({ exitCode: 0, stderr: '' })
    expect(call(push)).toEqual({ status: 0, stdout: '', stderr: '' })
    expect(Object.values(call(push)).join('\n')).toContain('git-safety/force-push')

    expect(call('ls')).toEqual({ status: 0, stdout: '', stderr: '' })

    const status = await user.cli(['status', 'claude-code'])
    expect(status).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^Claude Code asks hookgate\n/) })

    expect(await user.cli(['disable', 'claude-code'])).toMatchObject({ exitCode: 0, stderr: '' })
    expect(user.home()).toEqual(before)
  })
})
