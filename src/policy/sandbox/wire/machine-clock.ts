// The one clock that the gate and the threads of its sandbox share: monotonic, and of the machine, not of a process.

/** The time of that clock at which `performance.now()` of this process began. */
const zeroMs = Number(process.hrtime.bigint()) / 1e6 - performance.now()

/** Converts a moment of this process's `performance.now()` for other processes, in whole milliseconds. */
export const onMachineClock = (ownMs: number): number => Math.floor(ownMs + zeroMs)

/** Converts a moment from another process to this process's `performance.now()`. */
export const onOwnClock = (machineMs: number): number => machineMs - zeroMs
