import type { Readable } from 'node:stream'
import { getSystemErrorMessage } from 'node:util'
import { execa } from 'execa'
import { limits } from '../model/limits.ts'
import type { HookExit, HookProcess, Program } from '../model/rule.ts'
import { hookExit, type ProcessEnding } from './exit-facts.ts'
import { look } from './start-failure.ts'

/**
 * Starts a hook from this thread.
 *
 * @param onStart receives the process id, which is also the group's, before anything else can happen
 */
export function startHook(hook: HookProcess, onStart: (pid: number) => void): RunningHook {
  const startedAt = performance.now()
  const line = commandLine(hook.program, process.platform)
  let child = new HookChild(hook, line, onStart)

  async function ended(): Promise<HookExit> {
    let ending = await child.ending
    if (line.otherwise !== undefined && ending.kind === 'refused' && ending.code === line.otherwise.on) {
      child = new HookChild(hook, line.otherwise, onStart)
      ending = await child.ending
    }
    const lookUp = (file: string) => look(file, hook.cwd, hook.env['PATH'])
    return hookExit(hook, ending, performance.now() - startedAt, lookUp)
  }
  return { exit: ended(), cancel: () => child.end({ kind: 'cancelled' }) }
}

interface Exit {
  readonly exitCode: number | null
  readonly signal: string | null
  readonly stdinUnread: boolean
}

/**
 * One process and its group, from the start to the end of both.
 *
 * The run is over when the process has exited and both of its pipes are closed, or at our own deadline: a grandchild may
 * hold a pipe open indefinitely, and a process may ignore SIGTERM. Then the rest of the group is killed.
 *
 * INVARIANT: `ending` settles within the hook's timeout and twice `limits.graceMs`, whatever the hook does.
 */
class HookChild {
  readonly ending: Promise<ProcessEnding>
  readonly #settle: (ending: ProcessEnding) => void
  readonly #subprocess: ReturnType<typeof launch> | undefined
  #stdout: Output = nothing
  #stderr: Output = nothing
  /** The reason for ending it. Once set, its output is discarded. */
  #because: ProcessEnding | undefined
  #exited: Exit | undefined
  #pipesOpen = 2
  #groupKilled = false
  #timer: NodeJS.Timeout | undefined

  constructor(hook: HookProcess, line: CommandLine, onStart: (pid: number) => void) {
    const { promise, resolve } = Promise.withResolvers<ProcessEnding>()
    this.ending = promise
    this.#settle = resolve
    try {
      this.#subprocess = launch(hook, line)
    } catch (error) {
      // execa throws for input that no system call takes, such as a NUL in an argument.
      this.#settle({ kind: 'refused', file: line.file, ...systemError(error) })
      return
    }
    if (this.#subprocess.pid === undefined) {
      void this.#refused(line.file, this.#subprocess)
      return
    }
    onStart(this.#subprocess.pid)
    this.#converse(hook, this.#subprocess)
  }

  /** Ends the process group: SIGTERM, a grace period, SIGKILL. */
  end(because: ProcessEnding): void {
    if (this.#because !== undefined || this.#groupKilled) return
    this.#because = because
    if (this.#exited !== undefined) {
      this.#killGroup()
      return
    }
    this.#subprocess?.kill('SIGTERM')
    this.#after(limits.graceMs, () => this.#killGroup())
  }

  async #refused(file: string, subprocess: ReturnType<typeof launch>): Promise<void> {
    const { cause } = await subprocess
    clearTimeout(this.#timer)
    this.#settle(this.#because ?? { kind: 'refused', file, ...systemError(cause) })
  }

  #converse(hook: HookProcess, { stdin, stdout, stderr, nodeChildProcess }: ReturnType<typeof launch>): void {
    this.#after(hook.timeoutMs, () => this.end({ kind: 'timedOut' }))
    this.#stdout = collect(stdout, () => this.#flooded('stdout'))
    this.#stderr = collect(stderr, () => this.#flooded('stderr'))
    for (const pipe of [stdout, stderr]) pipe.once('close', () => this.#pipeClosed())
    // A hook need not read the event, so a broken pipe is not a failure.
    let stdinBroken = false
    stdin.on('error', () => (stdinBroken = true))
    nodeChildProcess.once('exit', (exitCode, signal) => {
      this.#exit({ exitCode, signal, stdinUnread: stdinBroken || stdin.writableLength > 0 })
    })
    // Signalling a set-user-ID program fails; without a listener Node would throw.
    nodeChildProcess.on('error', () => {})
    stdin.end(hook.stdin)
  }

  #flooded(stream: 'stdout' | 'stderr'): void {
    this.end({ kind: 'flooded', stream, stderr: stream === 'stdout' ? this.#stderr() : Buffer.alloc(0) })
  }

  #exit(exited: Exit): void {
    this.#exited = exited
    if (this.#groupKilled) this.#over()
    else if (this.#pipesOpen === 0) this.#killGroup()
    // It exited in time: from here on only the time that its pipes may stay open is limited.
    else if (this.#because === undefined) this.#after(limits.graceMs, () => this.#killGroup())
  }

  #pipeClosed(): void {
    this.#pipesOpen -= 1
    if (this.#pipesOpen === 0 && this.#exited !== undefined && !this.#groupKilled) this.#killGroup()
  }

  #killGroup(): void {
    this.#groupKilled = true
    this.#subprocess?.kill('SIGKILL')
    if (this.#exited !== undefined) this.#over()
    // A process in an uninterruptible system call outlives SIGKILL for a while and is not waited for.
    else this.#after(limits.graceMs, () => this.#over())
  }

  #over(): void {
    clearTimeout(this.#timer)
    const exited = this.#exited ?? { exitCode: null, signal: 'SIGKILL', stdinUnread: false }
    this.#settle(this.#because ?? { kind: 'exited', ...exited, stdout: this.#stdout(), stderr: this.#stderr() })
    for (const pipe of this.#subprocess?.stdio ?? []) pipe?.destroy()
  }

  #after(ms: number, then: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(then, ms)
  }
}

function launch(hook: HookProcess, line: CommandLine) {
  return execa(line.file, line.args, {
    cwd: hook.cwd,
    env: hook.env,
    extendEnv: false,
    windowsVerbatimArguments: line.verbatim,
    // Starts the program in its own process group, as agents do, so that the whole group can be killed.
    killDescendants: true,
    forceKillAfterDelay: false,
    cleanup: false,
    // Output is collected here: execa's own buffering waits for grandchildren and costs half a millisecond.
    buffer: false,
    encoding: 'buffer',
    reject: false,
  })
}

type Output = () => Buffer
const nothing: Output = () => Buffer.alloc(0)

/** Collects a stream up to `limits.hookOutputBytesMax`; beyond that it is closed, which stops the writer. */
function collect(stream: Readable, onFlood: () => void): Output {
  const chunks: Buffer[] = []
  let bytes = 0
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= limits.hookOutputBytesMax) {
      chunks.push(chunk)
      return
    }
    stream.destroy()
    onFlood()
  })
  return () => Buffer.concat(chunks)
}

function systemError(error: unknown): { readonly code: string | undefined; readonly detail: string } {
  if (!(error instanceof Error)) return { code: undefined, detail: String(error) }
  if (!('code' in error && typeof error.code === 'string' && 'errno' in error && typeof error.errno === 'number')) {
    return { code: undefined, detail: error.message }
  }
  return { code: error.code, detail: `${getSystemErrorMessage(error.errno)} (${error.code})` }
}

/** A program and its arguments, as the operating system is given them. */
interface CommandLine {
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

/** A hook that has been started. */
export interface RunningHook {
  /** Resolves with how the hook ended. Never rejects. */
  readonly exit: Promise<HookExit>
  /** Ends the hook as `cancelled`: SIGTERM to its group, `limits.graceMs`, SIGKILL. */
  cancel(): void
}

/** A place from which hooks are started. */
export interface HookPlacement {
  /** Starts a hook now. `durationMs` of its exit counts from here, as the place where it runs saw it. */
  start(hook: HookProcess): RunningHook
  /** Prepares for the first hook. */
  warm(): void
  /** Sends SIGKILL to every running group before it returns. */
  killAll(): void
  /** Ends everything that it started. A hook that has not settled by then settles as lost. */
  close(): Promise<void>
}
