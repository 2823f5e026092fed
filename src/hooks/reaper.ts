import { type ChildProcess, spawn } from 'node:child_process'
import { Socket } from 'node:net'

/**
 * A shell script. It gets process ids as its arguments, and reads further ones from stdin, one a line: `+<pid>` to add,
 * `-<pid>` to drop. Once stdin is closed, also by the death of the process at its other end, it kills the groups that
 * are left.
 */
const script = `
live=" $* "
while read -r change; do
  pid=\${change#?}
  case $change in
    +*) live="$live$pid " ;;
    -*) live="\${live%% $pid *} \${live#* $pid }" ;;
  esac
done
for pid in $live; do kill -s KILL -- "-$pid"; done
`

/**
 * Ends the hooks of a process that is killed and can do nothing more itself. It is a shell of a megabyte, started when
 * the first hook has run for `reaperAfterMs`, so quicker ones cost nothing. The thread that starts the hooks knows of
 * them sooner, but does not start it: a thread that has ended would leave it a zombie.
 */
export class Reaper {
  #shell: ChildProcess | undefined
  readonly #watched = new Set<number>()

  /** @returns what is to be called when the hook and its group are gone */
  watch(pidOf: () => number | undefined): () => void {
    let pid: number | undefined
    const timer = setInterval(() => {
      // A thread that is still loading has not started the hook yet.
      pid = pidOf()
      if (pid === undefined) return
      clearInterval(timer)
      this.#watch(pid)
    }, reaperAfterMs)
    timer.unref()
    return () => {
      clearInterval(timer)
      if (pid !== undefined) this.#unwatch(pid)
    }
  }

  close(): void {
    this.#shell?.stdin?.end()
    this.#shell = undefined
  }

  #watch(pid: number): void {
    // Windows has neither groups nor this shell.
    if (process.platform === 'win32') return
    this.#watched.add(pid)
    if (this.#shell === undefined) this.#tryStart()
    else this.#shell.stdin?.write(`+${pid}\n`)
  }

  #tryStart(): void {
    try {
      this.#shell = this.#start()
    } catch {
      // The machine has no room for it. The next hook tries again.
    }
  }

  #unwatch(pid: number): void {
    this.#watched.delete(pid)
    this.#shell?.stdin?.write(`-${pid}\n`)
  }

  /** In a session of its own, so that a Ctrl-C at the terminal does not end it together with us. */
  #start(): ChildProcess {
    const shell = spawn('/bin/sh', ['-c', script, 'hookgate-reaper', ...[...this.#watched].map(String)], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      cwd: '/',
    })
    const lost = () => {
      if (this.#shell === shell) this.#shell = undefined
    }
    shell.on('error', lost)
    shell.on('exit', lost)
    shell.stdin?.on('error', lost)
    shell.unref()
    if (shell.stdin instanceof Socket) shell.stdin.unref()
    return shell
  }
}
/**
 * Running time of a hook before the reaper watches it. In a large process, the fork that starts the reaper takes tens of
 * milliseconds, too much for a hook of a few.
 */
export const reaperAfterMs = 50

/**
 * Ends a whole process group, its leader or not alive: SIGKILL, which no process can refuse.
 *
 * INVARIANT: `pid` is that of a hook that has not settled. The number stays taken as long as anybody in its group is
 * alive, and a hook that settles has had its group killed; later the system may give the number to somebody else.
 */
export function killGroup(pid: number): void {
  try {
    // Windows has no groups: what the hook itself has started is out of reach of a synchronous call there.
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // The group is empty already.
  }
}

/** Wait of an exiting process for the ids of hooks that its threads are just starting: many times one start. */
const startingMsMax = 250

/** Values of a slot without a process id. */
const empty = 0
const starting = -1

/**
 * Running hooks of a pool, in memory that its threads and its owner share: a message would come too late for a process
 * that is dying, and never from a thread that is dead.
 *
 * One slot a hook, two cells a slot: the process id, and whether the hook has been cancelled.
 */
export class PidTable {
  readonly shared: SharedArrayBuffer
  readonly #cells: Int32Array

  constructor(shared: SharedArrayBuffer) {
    this.shared = shared
    this.#cells = new Int32Array(shared)
  }

  static ofSlots(slots: number): PidTable {
    return new PidTable(new SharedArrayBuffer(slots * 2 * Int32Array.BYTES_PER_ELEMENT))
  }

  /** Resets a slot for another hook. */
  clear(slot: number): void {
    Atomics.store(this.#cells, slot * 2, empty)
    Atomics.store(this.#cells, slot * 2 + 1, 0)
  }

  /** A thread is about to start a process for this slot. */
  starting(slot: number): void {
    Atomics.store(this.#cells, slot * 2, starting)
  }

  started(slot: number, pid: number): void {
    Atomics.store(this.#cells, slot * 2, pid)
    Atomics.notify(this.#cells, slot * 2)
  }

  /** The process and its group are gone. */
  ended(slot: number): void {
    Atomics.store(this.#cells, slot * 2, empty)
    Atomics.notify(this.#cells, slot * 2)
  }

  cancel(slot: number): void {
    Atomics.store(this.#cells, slot * 2 + 1, 1)
  }

  isCancelled(slot: number): boolean {
    return Atomics.load(this.#cells, slot * 2 + 1) === 1
  }

  /** True while a thread is running the hook of this slot. */
  isTaken(slot: number): boolean {
    return Atomics.load(this.#cells, slot * 2) !== empty
  }

  pid(slot: number): number | undefined {
    const pid = Atomics.load(this.#cells, slot * 2)
    return pid > 0 ? pid : undefined
  }

  /**
   * Cancels every hook and returns their process ids.
   *
   * INVARIANT: a thread marks a slot as starting before it asks whether it is cancelled, and this does the two the other
   * way round: one of them always sees the other. Hooks that are just being started are waited for, since after the end
   * of this process they could no longer be found.
   *
   * @param startingMs how long to wait for each, since its thread may be dead
   */
  cancelAll(startingMs = startingMsMax): readonly number[] {
    const slots = Array.from({ length: this.#cells.length / 2 }, (_, slot) => slot)
    for (const slot of slots) this.cancel(slot)
    return slots.flatMap((slot) => {
      Atomics.wait(this.#cells, slot * 2, starting, startingMs)
      return this.pid(slot) ?? []
    })
  }
}
