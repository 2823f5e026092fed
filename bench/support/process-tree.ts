import { readdirSync, readFileSync } from 'node:fs'

/** Unit of CPU time in /proc on Linux, the same on every machine. */
const msPerTick = 10

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // It has exited, or this system has no /proc.
    return ''
  }
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** Returns all descendants of a process. Empty without /proc. */
export function descendants(pid = process.pid): readonly number[] {
  const children = threadsOf(pid).flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  )
  return [...children, ...children.flatMap((child) => descendants(child))]
}

function cpuMsOf(pid: number): number {
  // The name is in parentheses and may contain spaces; user and system time are the 12th and 13th words after it.
  const [, rest = ''] = read(`/proc/${pid}/stat`).split(') ')
  const words = rest.split(' ').map(Number)
  return ((words[11] ?? 0) + (words[12] ?? 0)) * msPerTick
}

/** Returns the CPU time of this process and its descendants, ms. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + descendants().reduce((sum, pid) => sum + cpuMsOf(pid), 0)
}

/** Returns the resident memory of one process, KB. */
export function rssKb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0)
}

/** Returns the memory of one process, KB, with its share of what several processes have in common. */
export function pssKb(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0)
}
