import { describe, expect, it } from 'vitest'
import type { Program } from '../../src/model/rule.ts'
import { commandLine } from '../../src/hooks/spawn.ts'

const argv = (program: Program, platform: NodeJS.Platform) => {
  const { file, args } = commandLine(program, platform)
  return [file, ...args]
}
const posix: readonly NodeJS.Platform[] = ['linux', 'darwin']

describe('a program and its arguments', () => {
  const program: Program = { form: 'exec', file: './guard', args: ['--strict', '$HOME', 'a b'] }

  it.each(['linux', 'darwin', 'win32'] as const)('go to the system unchanged on %s', (platform) => {
    expect(commandLine(program, platform)).toEqual({ file: './guard', args: program.args, verbatim: false })
  })
})

describe('a command for the shell', () => {
  const program: Program = { form: 'shell', shell: 'sh', command: 'guard "$HOME" | tee log' }

  it.each(posix)('goes whole to /bin/sh on %s', (platform) => {
    expect(argv(program, platform)).toEqual(['/bin/sh', '-c', 'guard "$HOME" | tee log'])
  })

  it('goes to cmd.exe on Windows, in quotes that cmd strips and Node must not escape', () => {
    expect(commandLine(program, 'win32')).toEqual({
      file: 'cmd.exe',
      args: ['/d', '/s', '/c', '"guard "$HOME" | tee log"'],
      verbatim: true,
    })
  })
})

describe('a command for PowerShell', () => {
  const program: Program = { form: 'shell', shell: 'powershell', command: 'Get-Content -' }
  const args = ['-NoProfile', '-NonInteractive', '-Command', 'Get-Content -']

  it.each(posix)('goes to pwsh on %s, the only PowerShell there', (platform) => {
    expect(commandLine(program, platform)).toEqual({ file: 'pwsh', args, verbatim: false })
  })

  it('goes to pwsh on Windows, and to powershell where that is not installed', () => {
    const otherwise = { file: 'powershell.exe', args, verbatim: false, on: 'ENOENT' }
    expect(commandLine(program, 'win32')).toEqual({ file: 'pwsh.exe', args, verbatim: false, otherwise })
  })
})

describe('a script', () => {
  const program: Program = { form: 'script', file: '/w/.clinerules/hooks/PreToolUse' }

  it.each(posix)('is started directly on %s, or by sh where it has no shebang', (platform) => {
    const otherwise = { file: '/bin/sh', args: [program.file], verbatim: false, on: 'ENOEXEC' }
    expect(commandLine(program, platform)).toEqual({ file: program.file, args: [], verbatim: false, otherwise })
  })

  it.each(['C:\\hooks\\PreToolUse.ps1', 'C:\\hooks\\PreToolUse.PS1'])(
    'runs under PowerShell on Windows: %s',
    (file) => {
      const args = ['-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass', '-File', file]
      const otherwise = { file: 'powershell.exe', args, verbatim: false, on: 'ENOENT' }
      expect(commandLine({ form: 'script', file }, 'win32')).toEqual({
        file: 'pwsh.exe',
        args,
        verbatim: false,
        otherwise,
      })
    },
  )

  it('that ends in .ps1 is like any other on other systems than Windows', () => {
    expect(argv({ form: 'script', file: '/w/hook.ps1' }, 'linux')).toEqual(['/w/hook.ps1'])
  })
})
