// The one clock that the gate and the threads of its sandbox share: monotonic, and of the machine, not of a process.

/** What that clock showed when that of `performance.now()` here began. */
const zeroMs = Number(process.hrtime.bigint()) / 1e6 - performance.now()

/** A moment on the clock of `performance.now()` here, for others; in whole milliseconds. */
export const onMachineClock = (ownMs: number): number => Math.floor(ownMs + zeroMs)

/** A moment that somebody else has told, on the clock of `performance.now()` here. */
export const onOwnClock = (machineMs: number): number => machineMs - zeroMs
