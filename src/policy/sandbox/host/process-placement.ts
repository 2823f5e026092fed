import { type ChildProcess, fork } from 'node:child_process'
import { Socket } from 'node:net'
import { parse } from 'node:path'
import { entryFile, smallHeap } from '../../../files/program-files.ts'
import { bytesOfFrames } from '../wire/frame-bytes.ts'
import { tags, cpuMsOfThread } from '../wire/frames.ts'
import type { Channel, SandboxEnd, SandboxPlacement, SandboxInstance } from './placement.ts'

/** Evaluates policies in a separate process, which can be killed whatever they do. */
export const processPlacement: SandboxPlacement = {
  hasSpare: true,
  start(threads) {
    const started = early?.threads === threads ? early.process : undefined
    if (started !== undefined) early = undefined
    wasStarted = true
    return started ?? new SandboxProcess(threads)
  },
}

let early: { readonly threads: number; readonly process: SandboxProcess } | undefined
let wasStarted = false
let wasAsked = false

/** Starts a process for the first sandbox that needs as many threads, so that it loads while the caller still does. */
export function startProcessEarly(threads: number): void {
  early = { threads, process: new SandboxProcess(threads) }
  process.once('exit', () => early?.process.kill())
}

/** Returns what sandboxes in processes were needed for so far: `asked` if one was asked about a policy. */
export function useOfProcesses(): 'none' | 'loaded' | 'asked' {
  if (wasAsked) return 'asked'
  return wasStarted ? 'loaded' : 'none'
}

class SandboxProcess implements SandboxInstance {
  readonly channels: readonly Channel[]
  readonly ended: Promise<SandboxEnd>
  readonly #child: ChildProcess
  readonly #gone = Promise.withResolvers<void>()
  #questions: ((cpuMs: number) => void)[] = []

  constructor(threads: number) {
    const child = startSandbox(threads)
    this.#child = child
    const sockets = channelsOf(child).filter((stream) => stream instanceof Socket)
    this.channels = sockets.map(channelOf)
    this.ended = new Promise((resolve) => {
      child.on('close', (code, signal) => resolve(endOf(code, signal)))
      child.on('error', (error) => resolve({ kind: 'failed', error }))
    })
    child.once('exit', () => this.#gone.resolve())
    child.once('error', () => this.#gone.resolve())
    child.on('message', (cpuMs) => {
      if (typeof cpuMs === 'number') for (const answer of this.#questions.splice(0)) answer(cpuMs)
    })
    child.unref()
    child.channel?.unref()
    for (const socket of sockets) socket.unref()
  }

  cpuMs(thread: string): Promise<number> {
    const ofThread = cpuMsOfThread(thread)
    if (ofThread !== undefined) return Promise.resolve(ofThread)
    return new Promise((resolve) => {
      this.#questions.push(resolve)
      // An error means that the process is gone, which `ended` reports.
      if (this.#child.connected) this.#child.send('cpu', undefined, undefined, () => {})
    })
  }

  kill(): void {
    this.#child.kill('SIGKILL')
    for (const stream of channelsOf(this.#child)) stream?.destroy()
  }

  async gone(): Promise<void> {
    if (this.#child.pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#child.ref()
    await this.#gone.promise
  }
}

/**
 * Returns the socket of each thread.
 *
 * @throws if no descriptors are left for them: Node has then started no process, and emits an error as well
 */
function channelsOf(child: ChildProcess): readonly ChildProcess['stdio'][number][] {
  // Despite its type, `stdio` is absent if no process was started.
  const stdio: ChildProcess['stdio'] | undefined = child.stdio
  if (stdio !== undefined) return stdio.slice(4)
  child.on('error', () => {})
  throw new Error('EMFILE or ENFILE: there is no file descriptor left for it')
}

function channelOf(socket: Socket): Channel {
  socket.setEncoding('utf8')
  // `ended` reports a sandbox that is gone.
  socket.on('error', () => {})
  return {
    write(frames) {
      wasAsked ||= frames.some(([line]) => line.startsWith(tags.ask) || line.startsWith(tags.describe))
      socket.write(bytesOfFrames(frames))
    },
    onText: (take) => socket.on('data', take),
  }
}

/** Signals of a crash: V8 ends its process with one of them on a fatal error. */
const fatalSignals: ReadonlySet<NodeJS.Signals> = new Set([
  'SIGABRT',
  'SIGTRAP',
  'SIGILL',
  'SIGSEGV',
  'SIGBUS',
  'SIGFPE',
])

function endOf(code: number | null, signal: NodeJS.Signals | null): SandboxEnd {
  const why = signal === null ? `it exited with code ${code}` : `it was killed by ${signal}`
  return { kind: signal !== null && fatalSignals.has(signal) ? 'aborted' : 'died', why }
}

function startSandbox(threads: number): ChildProcess {
  return fork(entryFile('policy/sandbox/thread/sandbox-main'), [String(threads)], {
    // A separate group and session, because Ctrl-C at the terminal is meant for the gate. Windows would open a window.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', ...Array.from({ length: threads }, () => 'pipe' as const)],
    // Not inherited from this process: `--inspect-brk` would hang the sandbox.
    execArgv: [...sandboxOptions(), ...smallHeap],
    env: sandboxEnvironment(),
    // The file system's root, so that the process keeps none of the user's folders in use.
    cwd: parse(process.execPath).root,
  })
}

/**
 * Returns Node options for defence in depth, against code that escapes an isolate: no code from strings, no writing to
 * files, no processes. They do not slow the start (measured). Editors ship their own Node, which may lack some of them.
 * V8 optimises for size: that takes a fifth off the memory, and no decision is slower (measured).
 */
function sandboxOptions(): string[] {
  const noCode = '--disallow-code-generation-from-strings'
  const small = '--optimize-for-size'
  if ('electron' in process.versions) return [noCode, small]
  return [noCode, small, '--permission', '--allow-addons', '--allow-worker', '--allow-fs-read=*']
}

/** INVARIANT: contains no variable of the user's, so that code that escapes an isolate finds no secrets. */
function sandboxEnvironment(): NodeJS.ProcessEnv {
  const { SystemRoot } = process.env
  return {
    TZ: 'UTC',
    LANG: 'C',
    // For glibc, which else gives each thread an arena of its own: a sixth of the sandbox's memory (measured).
    MALLOC_ARENA_MAX: '2',
    // It also raises the size from which memory is given back as soon as it is free, and holes stay: after 60,000
    // decisions a third of what was taken was free (measured). Fixed sizes cost no CPU time.
    MALLOC_MMAP_THRESHOLD_: '65536',
    MALLOC_TRIM_THRESHOLD_: '262144',
    // Windows starts no program without `SystemRoot`.
    ...(SystemRoot !== undefined && { SystemRoot }),
    // Inside an editor, `process.execPath` is the editor, which runs as Node only with this variable.
    ...('electron' in process.versions && { ELECTRON_RUN_AS_NODE: '1' }),
  }
}
