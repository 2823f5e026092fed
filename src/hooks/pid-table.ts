import { limits } from '../model/limits.ts'

/** What stands in a slot in place of a process id. */
const nobody = 0
const starting = -1

/**
 * What the threads of a pool and its owner know of the hooks that are running, in memory that both see at any moment: a
 * message would come too late for a process that is dying, or from a thread that is dead.
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

  /** Makes a slot ready for another hook: what was said of the last one must not be taken for it. */
  clear(slot: number): void {
    Atomics.store(this.#cells, slot * 2, nobody)
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
    Atomics.store(this.#cells, slot * 2, nobody)
    Atomics.notify(this.#cells, slot * 2)
  }

  cancel(slot: number): void {
    Atomics.store(this.#cells, slot * 2 + 1, 1)
  }

  isCancelled(slot: number): boolean {
    return Atomics.load(this.#cells, slot * 2 + 1) === 1
  }

  /** Whether a thread has come to the hook of this slot, and not yet to its end. */
  isTaken(slot: number): boolean {
    return Atomics.load(this.#cells, slot * 2) !== nobody
  }

  pid(slot: number): number | undefined {
    const pid = Atomics.load(this.#cells, slot * 2)
    return pid > 0 ? pid : undefined
  }

  /**
   * Cancels every hook there is and says which processes they are.
   *
   * INVARIANT: a thread marks a slot as starting before it asks whether it is cancelled, and this does the two the other
   * way round: one of them always sees the other. Hooks that are just being started are waited for, since after the end
   * of this process nobody would find them.
   */
  cancelAll(): readonly number[] {
    const slots = Array.from({ length: this.#cells.length / 2 }, (_, slot) => slot)
    for (const slot of slots) this.cancel(slot)
    return slots.flatMap((slot) => {
      Atomics.wait(this.#cells, slot * 2, starting, limits.startingMsMax)
      return this.pid(slot) ?? []
    })
  }
}
