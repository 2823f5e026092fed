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
