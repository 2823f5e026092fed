import { type ChildProcess, fork } from 'node:child_process'
import { parse } from 'node:path'
import type { Failure } from '../model/failure.ts'
import { limits } from '../model/limits.ts'
import { environmentForNode } from '../model/node-environment.ts'
import type { HookExit, HookProcess } from '../model/rule.ts'
import { entryFile } from '../files/program-files.ts'
import { failedExit } from './exit-facts.ts'
import { killGroup } from './reaper.ts'
import type { HookPlacement, RunningHook } from './spawn.ts'
import { companionFailure, exhausted } from './start-failure.ts'

/** Wait for the companion process after a hook's last deadline, before the companion is considered stuck. */
const companionSilenceMs = 2000

/** Starts hooks from a companion process. A companion that dies costs the hooks it was running; the next has a new one. */
export class CompanionPlacement implements HookPlacement {
  #companion: Companion | undefined

  warm(): void {
    this.#current()
  }

  start(hook: HookProcess): RunningHook {
    const companion = this.#current()
    if (companion instanceof Companion) return companion.start(hook)
    return { exit: Promise.resolve(failedExit(companion, 0)), cancel: () => {} }
  }

  /** Starts a background hook, which goes on when this process is gone. */
  linger(hook: HookProcess): Lingering {
    const companion = this.#current()
    if (companion instanceof Companion) return companion.linger(hook)
    return { started: Promise.resolve(companion), exit: Promise.resolve(failedExit(companion, 0)) }
  }

  /** Kills the hooks that the companion has reported; the companion ends all others when this process is gone. */
  killAll(): void {
    this.#companion?.killAll()
  }

  async close(): Promise<void> {
    await this.#companion?.close()
  }

  /** Returns the companion, or the failure to start one: Node throws some system errors and emits others. */
  #current(): Companion | Failure {
    if (this.#companion?.isAlive === true) return this.#companion
    try {
      this.#companion = new Companion()
      return this.#companion
    } catch (error) {
      return companionFailure('the companion process could not be started', error)
    }
  }
}

/** A background hook. */
interface Lingering {
  /** Resolves when it runs, or with the failure to start it. */
  readonly started: Promise<Failure | undefined>
  readonly exit: Promise<HookExit>
}

/** A hook that was sent to the companion and has not ended. */
interface PendingHook {
  readonly settle: (exit: HookExit) => void
  readonly onStart: () => void
  /** Kills a companion that should have reported the hook's end long ago. */
  readonly overdue: NodeJS.Timeout | undefined
  readonly lingers: boolean
  started: { readonly pid: number; readonly atMs: number } | undefined
}

/** The gate's end of one companion process. */
class Companion {
  isAlive = true
  /** True once it has sent a message. */
  #hasReported = false
  readonly #child: ChildProcess
  readonly #pending = new Map<number, PendingHook>()
  #lastId = 0

  constructor() {
    this.#child = startCompanion()
    this.#child.on('message', (reply: CompanionReply) => this.#receive(reply))
    // Messages that it sent before it died arrive before this event.
    this.#child.on('disconnect', () => this.#lost(this.#lossFailure()))
    // Unless something it was about to start still holds its end of the channel.
    this.#child.on('exit', () => setTimeout(() => this.#lost(this.#lossFailure()), limits.graceMs).unref())
    this.#child.on('error', (error) => this.#lost(companionFailure('the companion process could not be used', error)))
    this.#child.unref()
    this.#child.channel?.unref()
  }

  start(hook: HookProcess): RunningHook {
    const lastWordMs = hook.timeoutMs + 2 * limits.graceMs + companionSilenceMs
    const overdue = setTimeout(() => this.#child.kill('SIGKILL'), lastWordMs)
    this.#child.channel?.ref()
    const { id, exit } = this.#send(hook, { overdue, lingers: false, onStart: () => {} })
    return { exit, cancel: () => this.#post({ kind: 'cancel', id }) }
  }

  linger(hook: HookProcess): Lingering {
    const { promise: running, resolve } = Promise.withResolvers<undefined>()
    // Its start is awaited.
    this.#child.channel?.ref()
    const onStart = () => {
      this.#unrefIfIdle()
      resolve(undefined)
    }
    const { exit } = this.#send(hook, { overdue: undefined, lingers: true, onStart })
    const ended = exit.then((end) => (end.kind === 'failed' ? end.failure : undefined))
    return { started: Promise.race([running, ended]), exit }
  }

  #send(hook: HookProcess, how: Pick<PendingHook, 'overdue' | 'lingers' | 'onStart'>) {
    const id = (this.#lastId += 1)
    const { promise: exit, resolve: settle } = Promise.withResolvers<HookExit>()
    this.#pending.set(id, { ...how, settle, started: undefined })
    this.#post({ kind: 'run', id, hook, lingers: how.lingers })
    return { id, exit }
  }

  /** But for what lingers. */
  killAll(): void {
    for (const { started, lingers } of this.#pending.values()) {
      if (started !== undefined && !lingers) killGroup(started.pid)
    }
  }

  async close(): Promise<void> {
    // It may be dead already with `disconnect` still to come; then `exit` would never be emitted again.
    if (!this.isAlive || this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const gone = Promise.withResolvers<void>()
    this.#child.once('exit', () => gone.resolve())
    this.#child.once('error', () => gone.resolve())
    this.#child.ref()
    this.#post({ kind: 'close' })
    const stuck = setTimeout(() => this.#child.kill('SIGKILL'), limits.graceMs)
    await gone.promise
    clearTimeout(stuck)
  }

  #post(request: CompanionRequest): void {
    // If the process could not be started there is no `send` either; an event reports the loss.
    if (!this.#child.connected) return
    this.#child.send(request, undefined, undefined, (error) => {
      if (error !== null) this.#lost(companionFailure('the companion process could not be pending', error))
    })
  }

  #receive(reply: CompanionReply): void {
    this.#hasReported = true
    const pending = this.#pending.get(reply.id)
    if (pending === undefined) return
    switch (reply.kind) {
      case 'started':
        pending.started = { pid: reply.pid, atMs: performance.now() }
        pending.onStart()
        return
      case 'ended':
        this.#settle(reply.id, pending, reply.exit)
        return
    }
  }

  #settle(id: number, pending: PendingHook, exit: HookExit): void {
    this.#pending.delete(id)
    clearTimeout(pending.overdue)
    this.#unrefIfIdle()
    pending.settle(exit)
  }

  /** Lets this process end while no awaited hook is running. */
  #unrefIfIdle(): void {
    const awaited = [...this.#pending.values()].some(({ lingers, started }) => !lingers || started === undefined)
    if (!awaited) this.#child.channel?.unref()
  }

  /** A process that starts without free descriptors or memory dies before its first message. */
  #lossFailure(): Failure {
    if (!this.#hasReported) return exhausted('the companion process died while starting')
    return { code: 'workerLost', message: 'the companion process that ran it died' }
  }

  #lost(failure: Failure): void {
    this.isAlive = false
    this.#child.kill('SIGKILL')
    for (const [id, pending] of this.#pending) {
      const { started } = pending
      if (started !== undefined) killGroup(started.pid)
      const durationMs = started === undefined ? 0 : performance.now() - started.atMs
      this.#settle(id, pending, failedExit(failure, durationMs))
    }
  }
}

function startCompanion(): ChildProcess {
  // Options for our own process are not for this one: `--inspect-brk` would hang it.
  const env = environmentForNode(process.env)
  return fork(entryFile('hooks/companion'), [], {
    // A group and session of its own: a Ctrl-C at the terminal is meant for the gate, which then closes it. Windows
    // would open a window for it.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    execArgv: [],
    // Inside an editor, `process.execPath` is the editor, which runs as Node only with this variable.
    env: 'electron' in process.versions ? { ...env, ELECTRON_RUN_AS_NODE: '1' } : env,
    // It keeps no folder of the user's busy.
    cwd: parse(process.execPath).root,
  })
}

/**
 * Messages between the gate and its companion, as structured clones over a private channel.
 * Both are this code of this version, as a thread and its owner are, so there is no schema between them.
 */
export type CompanionRequest =
  /** `lingers`: a background hook, which may outlive the gate. */
  | { readonly kind: 'run'; readonly id: number; readonly hook: HookProcess; readonly lingers: boolean }
  | { readonly kind: 'cancel'; readonly id: number }
  /** End everything, background hooks included. */
  | { readonly kind: 'close' }

export type CompanionReply =
  /** Sent at once, so that the gate can end the hook if the companion dies. */
  | { readonly kind: 'started'; readonly id: number; readonly pid: number }
  | { readonly kind: 'ended'; readonly id: number; readonly exit: HookExit }
