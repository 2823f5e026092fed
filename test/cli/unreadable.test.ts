import { chmodSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hookgate } from '../support/cli.ts'
import { policyText } from '../support/policies.ts'
import { withoutPrivileges } from '../support/without-privileges.ts'
import { folderWith, rulesWith, writeFiles } from '../support/workspace.ts'

const dropped = withoutPrivileges()

/** Runs a command in a project with a policy, of which one path is unreadable, and returns its output. */
async function outputWithout(path: string, argv: readonly string[]) {
  const cwd = folderWith({ '.hookgate/policies/x.policy.ts': policyText('x'), 'script.sh': '#!/bin/sh\n' })
  const whole = join(cwd, path)
  chmodSync(whole, 0)
  const ended = await hookgate(argv, { cwd, behind: dropped ?? [] })
  return { ...ended, stdout: ended.stdout.replaceAll(cwd, ''), stderr: ended.stderr.replaceAll(cwd, '') }
}

const folder = '.hookgate/policies'

describe.skipIf(dropped === undefined)('unreadable paths', () => {
  it.each([[['test']], [['bench']], [['test', folder]]])(
    'a folder of policies is named by `hookgate %j`',
    async (argv) => {
      expect(await outputWithout(folder, argv)).toEqual({
        stdout: '',
        stderr: `hookgate: /${folder}: the policies cannot be read: permission is denied; fix it, or name another\n`,
        exitCode: 1,
      })
    },
  )

  it('a file of a folder that may not be searched is named', async () => {
    const file = `${folder}/x.policy.ts`
    expect(await outputWithout(folder, ['test', file])).toEqual({
      stdout: '',
      stderr: `hookgate: /${file}: the policies cannot be read: permission is denied; fix it, or name another\n`,
      exitCode: 1,
    })
  })

  it('a folder that was named is reported once, not once for each file that could be in it', async () => {
    const message = `/${folder}: the rules cannot be read: permission is denied; fix it, or name another\n`
    expect(await outputWithout(folder, ['schema', folder])).toEqual({
      stdout: '',
      stderr: `hookgate: ${message}`,
      exitCode: 1,
    })
    const checked = message.replace(': the', ': error: the')
    expect(await outputWithout(folder, ['check', folder])).toEqual({ stdout: checked, stderr: '', exitCode: 1 })
  })

  it('a script that was named is reported', async () => {
    expect(await outputWithout('script.sh', ['check', 'script.sh'])).toEqual({
      stdout: '/script.sh: error: the script cannot be read: permission is denied; fix it, or name another\n',
      stderr: '',
      exitCode: 1,
    })
  })
})

describe('symbolic links that form a loop', () => {
  it.each([
    ['check', 'stdout', ': error: the rules cannot be read'],
    ['test', 'stderr', ': the policies cannot be read'],
    ['bench', 'stderr', ': the policies cannot be read'],
    ['schema', 'stderr', ': the rules cannot be read'],
  ] as const)('are reported by `hookgate %s`', async (command, stream, what) => {
    const cwd = folderWith()
    symlinkSync('l', join(cwd, 'l'))
    const ended = await hookgate([command, 'l'], { cwd })
    expect(ended.exitCode).toBe(1)
    expect(ended[stream]).toContain(
      `${join(cwd, 'l')}${what}: its symbolic links form a loop; fix it, or name another\n`,
    )
  })

  it('are not a program that a hook could start', async () => {
    const cwd = folderWith()
    symlinkSync('l', join(cwd, 'l'))
    writeFiles(cwd, { 'hooks.json': rulesWith('PreToolUse', join(cwd, 'l'), { matcher: 'Bash' }) })
    const { stdout, exitCode } = await hookgate(['check', 'hooks.json'], { cwd })
    expect(exitCode).toBe(1)
    expect(stdout).toContain(`warning: \`${join(cwd, 'l')}\` cannot be accessed; fix its links and permissions\n`)
  })
})
