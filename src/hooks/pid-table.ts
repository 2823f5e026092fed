/** Wait of an exiting process for the ids of hooks that its threads are just starting: many times one start. */
const startingMsMax = 250

/** Values of a slot without a process id. */
const empty = 0
const starting = -1

/**
 * Running hooks of a pool, in memory that its threads and its owner share: a
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
   */
  cancelAll(): readonly number[] {
    const slots = Array.from({ length: this.#cells.length / 2 }, (_, slot) => slot)
    for (const slot of slots) this.cancel(slot)
    return slots.flatMap((slot) => {
      Atomics.wait(this.#cells, slot * 2, starting, startingMsMax)
      return this.pid(slot) ?? []
    })
  }
}
