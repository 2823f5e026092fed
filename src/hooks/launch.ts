import { type ChildProcess, fork } from 'node:child_process'
import { parse } from 'node:path'
import type { Failure } from '../model/failure.ts'
import { limits } from '../model/limits.ts'
import { environmentForNode } from '../model/node-environment.ts'
import type { HookExit, HookProcess } from '../model/process.ts'
import { entryFile } from '../files/entry-file.ts'
import { failedExit } from './exit-facts.ts'
import { killGroup } from './kill-group.ts'
import type { Placement, RunningHook } from './placement.ts'
import type { Reply, Request } from './protocol.ts'
import { exhausted, companionFailure } from './start-failure.ts'

/** Starts hooks from a companion process. A companion that dies costs the hooks it was running; the next has a new one. */
export class CompanionPlacement implements Placement {
  #companion: Companion | undefined

  warm(): void {
    this.#current()
  }

  start(hook: HookProcess): RunningHook {
    const companion = this.#current()
    if (companion instanceof Companion) return companion.start(hook)
    return { exit: Promise.resolve(failedExit(companion, 0)), cancel: () => {} }
  }

  /** Starts a hook that nobody waits for, and that goes on when this process is gone. */
  linger(hook: HookProcess): Lingering {
    const companion = this.#current()
    if (companion instanceof Companion) return companion.linger(hook)
    return { started: Promise.resolve(companion), exit: Promise.resolve(failedExit(companion, 0)) }
  }

  /** What the companion has not told of yet it ends itself when this process is gone. */
  killAll(): void {
    this.#companion?.killAll()
  }

  async close(): Promise<void> {
    await this.#companion?.close()
  }

  /** Or why there is none: Node throws some of the system's refusals, and tells the others by an event. */
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

/** A hook that goes on by itself. */
interface Lingering {
  /** Resolves when it runs, or with why it could not be started. */
  readonly started: Promise<Failure | undefined>
  readonly exit: Promise<HookExit>
}

/** A hook that the companion has been asked for and has not answered. */
interface Asked {
  readonly settle: (exit: HookExit) => void
  readonly onStart: () => void
  /** Gives the companion up: it owes an answer that it could have given long ago. */
  readonly overdue: NodeJS.Timeout | undefined
  readonly lingers: boolean
  started: { readonly pid: number; readonly atMs: number } | undefined
}

/** The gate's end of one companion process. */
class Companion {
  isAlive = true
  /** Whether it has ever said anything. */
  #hasSpoken = false
  readonly #child: ChildProcess
  readonly #asked = new Map<number, Asked>()
  #lastId = 0

  constructor() {
    this.#child = startCompanion()
    this.#child.on('message', (reply: Reply) => this.#hear(reply))
    // All that it said before it died is heard before this.
    this.#child.on('disconnect', () => this.#lost(this.#death()))
    // Unless something it was about to start still holds its end of the channel.
    this.#child.on('exit', () => setTimeout(() => this.#lost(this.#death()), limits.graceMs).unref())
    this.#child.on('error', (error) => this.#lost(companionFailure('the companion process could not be used', error)))
    this.#child.unref()
    this.#child.channel?.unref()
  }

  start(hook: HookProcess): RunningHook {
    const lastWordMs = hook.timeoutMs + 2 * limits.graceMs + limits.companionSilenceMs
    const overdue = setTimeout(() => this.#child.kill('SIGKILL'), lastWordMs)
    this.#child.channel?.ref()
    const { id, exit } = this.#ask(hook, { overdue, lingers: false, onStart: () => {} })
    return { exit, cancel: () => this.#tell({ kind: 'cancel', id }) }
  }

  linger(hook: HookProcess): Lingering {
    const { promise: running, resolve } = Promise.withResolvers<undefined>()
    // Until it is started somebody does wait for it.
    this.#child.channel?.ref()
    const onStart = () => {
      this.#rest()
      resolve(undefined)
    }
    const { exit } = this.#ask(hook, { overdue: undefined, lingers: true, onStart })
    const ended = exit.then((end) => (end.kind === 'failed' ? end.failure : undefined))
    return { started: Promise.race([running, ended]), exit }
  }

  #ask(hook: HookProcess, how: Pick<Asked, 'overdue' | 'lingers' | 'onStart'>) {
    const id = (this.#lastId += 1)
    const { promise: exit, resolve: settle } = Promise.withResolvers<HookExit>()
    this.#asked.set(id, { ...how, settle, started: undefined })
    this.#tell({ kind: 'run', id, hook, lingers: how.lingers })
    return { id, exit }
  }

  /** But for what lingers. */
  killAll(): void {
    for (const { started, lingers } of this.#asked.values()) {
      if (started !== undefined && !lingers) killGroup(started.pid)
    }
  }

  async close(): Promise<void> {
    // It may be dead without our having heard that its channel is closed; that it ends would then never be told again.
    if (!this.isAlive || this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const gone = Promise.withResolvers<void>()
    this.#child.once('exit', () => gone.resolve())
    this.#child.once('error', () => gone.resolve())
    this.#child.ref()
    this.#tell({ kind: 'close' })
    const stuck = setTimeout(() => this.#child.kill('SIGKILL'), limits.graceMs)
    await gone.promise
    clearTimeout(stuck)
  }

  #tell(request: Request): void {
    // Where there was no room for a process Node has made no `send` either. That it is lost is then told by an event.
    if (!this.#child.connected) return
    this.#child.send(request, undefined, undefined, (error) => {
      if (error !== null) this.#lost(companionFailure('the companion process could not be asked', error))
    })
  }

  #hear(reply: Reply): void {
    this.#hasSpoken = true
    const asked = this.#asked.get(reply.id)
    if (asked === undefined) return
    switch (reply.kind) {
      case 'started':
        asked.started = { pid: reply.pid, atMs: performance.now() }
        asked.onStart()
        return
      case 'ended':
        this.#settle(reply.id, asked, reply.exit)
        return
    }
  }

  #settle(id: number, asked: Asked, exit: HookExit): void {
    this.#asked.delete(id)
    clearTimeout(asked.overdue)
    this.#rest()
    asked.settle(exit)
  }

  /** A companion that nobody waits for keeps nobody's event loop alive. */
  #rest(): void {
    const awaited = [...this.#asked.values()].some(({ lingers, started }) => !lingers || started === undefined)
    if (!awaited) this.#child.channel?.unref()
  }

  /** A process that finds no descriptors or memory to begin with dies without a word; what a hook does to it comes later. */
  #death(): Failure {
    if (!this.#hasSpoken) return exhausted('the companion process died while starting')
    return { code: 'workerLost', message: 'the companion process that ran it died' }
  }

  #lost(failure: Failure): void {
    this.isAlive = false
    this.#child.kill('SIGKILL')
    for (const [id, asked] of this.#asked) {
      const { started } = asked
      if (started !== undefined) killGroup(started.pid)
      const durationMs = started === undefined ? 0 : performance.now() - started.atMs
      this.#settle(id, asked, failedExit(failure, durationMs))
    }
  }
}

function startCompanion(): ChildProcess {
  // Options for our own process are not for this one: `--inspect-brk` would hang it.
  const env = environmentForNode(process.env)
  return fork(entryFile(import.meta.url, './companion'), [], {
    // A group and session of its own: a Ctrl-C at the terminal is meant for the gate, which then closes it. Windows
    // would open a window for it.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    execArgv: [],
    // Inside of an editor, `process.execPath` is the editor, which is Node only when told so.
    env: 'electron' in process.versions ? { ...env, ELECTRON_RUN_AS_NODE: '1' } : env,
    // No folder of the user's is held busy by it.
    cwd: parse(process.execPath).root,
  })
}
