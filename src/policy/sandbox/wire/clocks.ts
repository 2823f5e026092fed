import { readFileSync, readlinkSync } from 'node:fs'

/**
 * Names the calling thread for other processes: `<process>/task/<thread>`, as Linux's `/proc` has it. `''` on systems
 * without such names.
 */
export function nameOfThread(): string {
  try {
    return readlinkSync('/proc/thread-self')
  } catch {
    return ''
  }
}

/** Reads the CPU time of the calling thread, ms. The CPU time of isolated-vm's own counter is wall time, as it comes built. */
export function cpuMsHere(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Reads the CPU time of a thread by its name, ms; `undefined` where the system does not tell. */
export function cpuMsOfThread(name: string): number | undefined {
  // INVARIANT: the name comes from a sandbox, and may be a path to anything.
  if (!/^\d+\/task\/\d+$/.test(name)) return undefined
  try {
    const [nanoseconds = ''] = readFileSync(`/proc/${name}/schedstat`, 'utf8').split(' ')
    return Number(nanoseconds) / 1e6
  } catch {
    return undefined
  }
}

// The one clock that the gate and the threads of its sandbox share: monotonic, and of the machine, not of a process.

/** The time of that clock at which `performance.now()` of this process began. */
const zeroMs = Number(process.hrtime.bigint()) / 1e6 - performance.now()

/** Converts a moment of this process's `performance.now()` for other processes, in whole milliseconds. */
export const onMachineClock = (ownMs: number): number => Math.floor(ownMs + zeroMs)

/** Converts a moment from another process to this process's `performance.now()`. */
export const onOwnClock = (machineMs: number): number => machineMs - zeroMs
