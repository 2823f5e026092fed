import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { PidTable } from '../../src/hooks/reaper.ts'

describe('the process table', () => {
  it('is empty at first', () => {
    const table = PidTable.ofSlots(3)
    expect(table.pid(1)).toBeUndefined()
    expect(table.isCancelled(1)).toBe(false)
    expect(table.cancelAll()).toEqual([])
  })

  it('shares its memory between threads', () => {
    const table = PidTable.ofSlots(3)
    const other = new PidTable(table.shared)
    other.started(0, 4711)
    other.started(2, 4712)
    expect([0, 1, 2].map((slot) => table.pid(slot))).toEqual([4711, undefined, 4712])
    table.cancel(2)
    expect([0, 1, 2].map((slot) => other.isCancelled(slot))).toEqual([false, false, true])
    other.ended(0)
    expect(table.pid(0)).toBeUndefined()
    expect(table.cancelAll()).toEqual([4712])
  })

  it('knows whether a thread has taken a hook that has no process yet', () => {
    const table = PidTable.ofSlots(1)
    expect(table.isTaken(0)).toBe(false)
    table.starting(0)
    expect(table.isTaken(0)).toBe(true)
    table.started(0, 4711)
    expect(table.isTaken(0)).toBe(true)
    table.ended(0)
    expect(table.isTaken(0)).toBe(false)
  })

  it('clears the state of a slot’s last hook', () => {
    const table = PidTable.ofSlots(1)
    table.started(0, 4711)
    table.ended(0)
    table.cancel(0)
    table.clear(0)
    expect(table.isCancelled(0)).toBe(false)
    expect(table.pid(0)).toBeUndefined()
  })

  it('waits for a process that a thread is starting', () => {
    const table = PidTable.ofSlots(2)
    table.starting(1)
    // Only once all are cancelled does the hook get its process.
    const thread = new Worker(
      `const cells = new Int32Array(require('node:worker_threads').workerData)
       while (Atomics.load(cells, 3) === 0) Atomics.wait(cells, 3, 0, 1)
       Atomics.store(cells, 2, 4711)
       Atomics.notify(cells, 2)`,
      { eval: true, workerData: table.shared },
    )
    thread.unref()
    // A busy machine may give a thread no time for longer than a real gate would wait for it.
    expect(table.cancelAll(Infinity)).toEqual([4711])
  })

  it('has a time limit, since the thread may be dead', () => {
    const table = PidTable.ofSlots(1)
    table.starting(0)
    expect(table.cancelAll()).toEqual([])
  })
})
