import type { HookProcess } from '../model/process.ts'
import { killGroup } from './kill-group.ts'
import type { Placement, RunningHook } from './placement.ts'
import { Reaper } from './reaper.ts'
import { startHook } from './spawn.ts'

/** A hook that has not settled. */
interface Begun {
  pid: number | undefined
}

/**
 * Starts hooks from the thread that asks for them. For a process that is there for one event: it has nothing else to do
 * meanwhile, is small enough to fork, and would wait longer for a thread of its own than for most hooks.
 */
export class InlinePlacement implements Placement {
  readonly #begun = new Set<Begun>()
  readonly #reaper = new Reaper()
  readonly #onExit = () => this.killAll()

  /** There is nothing to wait for. */
  warm(): void {}

  start(hook: HookProcess): RunningHook {
    if (!process.listeners('exit').includes(this.#onExit)) process.on('exit', this.#onExit)
    const begun: Begun = { pid: undefined }
    this.#begun.add(begun)
    const unwatch = this.#reaper.watch(() => begun.pid)
    const started = startHook(hook, (pid) => {
      begun.pid = pid
    })
    const exit = started.exit.finally(() => {
      this.#begun.delete(begun)
      unwatch()
    })
    return { ...started, exit }
  }

  killAll(): void {
    for (const { pid } of this.#begun) if (pid !== undefined) killGroup(pid)
  }

  /** Whatever is running still ends in its own time, which is bounded. */
  close(): Promise<void> {
    process.off('exit', this.#onExit)
    this.#reaper.close()
    return Promise.resolve()
  }
}
