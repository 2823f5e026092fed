import type { Program } from '../model/rule.ts'

/** A program and its arguments, as the operating system is given them. */
export interface CommandLine {
  readonly file: string
  readonly args: readonly string[]
  /** Windows: the arguments are one finished command line; quoting them again would break it. */
  readonly verbatim: boolean
  /** What to start instead when the system refuses this one with that error. */
  readonly otherwise?: CommandLine & { readonly on: 'ENOENT' | 'ENOEXEC' }
}

export function commandLine(program: Program, platform: NodeJS.Platform): CommandLine {
  switch (program.form) {
    case 'exec':
      return plain(program.file, program.args)
    case 'shell':
      return program.shell === 'powershell'
        ? powershell(['-NoProfile', '-NonInteractive', '-Command', program.command], platform)
        : shell(program.command, platform)
    case 'script':
      return script(program.file, platform)
  }
}

function plain(file: string, args: readonly string[]): CommandLine {
  return { file, args, verbatim: false }
}

/** `/bin/sh`, whatever `$SHELL` says; on Windows, the command line that Node's own `shell: true` makes. */
function shell(command: string, platform: NodeJS.Platform): CommandLine {
  if (platform !== 'win32') return plain('/bin/sh', ['-c', command])
  return { file: 'cmd.exe', args: ['/d', '/s', '/c', `"${command}"`], verbatim: true }
}

/** PowerShell 7 where it is installed; Windows alone has an older one to fall back on. */
function powershell(args: readonly string[], platform: NodeJS.Platform): CommandLine {
  if (platform !== 'win32') return plain('pwsh', args)
  return { ...plain('pwsh.exe', args), otherwise: { ...plain('powershell.exe', args), on: 'ENOENT' } }
}

function script(file: string, platform: NodeJS.Platform): CommandLine {
  if (platform === 'win32' && file.toLowerCase().endsWith('.ps1')) {
    return powershell(['-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass', '-File', file], platform)
  }
  // Without a first line that names an interpreter, Cline's hooks run under `sh`. glibc sees to that by itself when it
  // starts a program; other systems refuse.
  return { ...plain(file, []), otherwise: { ...plain('/bin/sh', [file]), on: 'ENOEXEC' } }
}
