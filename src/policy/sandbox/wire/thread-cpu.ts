import { readFileSync, readlinkSync } from 'node:fs'

/**
 * What the system calls the thread that asks: `<process>/task/<thread>`, as Linux's `/proc` has it. `''` where it has no
 * name that others can look it up by.
 */
export function nameOfThread(): string {
  try {
    return readlinkSync('/proc/thread-self')
  } catch {
    return ''
  }
}

/** The CPU time that the thread that asks has used, ms. What isolated-vm calls so is wall time, as it comes built. */
export function cpuMsHere(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** The CPU time that a thread has used, ms; `undefined` where that cannot be told. */
export function cpuMsOfThread(name: string): number | undefined {
  // It is a sandbox that says so.
  if (!/^\d+\/task\/\d+$/.test(name)) return undefined
  try {
    const [nanoseconds = ''] = readFileSync(`/proc/${name}/schedstat`, 'utf8').split(' ')
    return Number(nanoseconds) / 1e6
  } catch {
    return undefined
  }
}
