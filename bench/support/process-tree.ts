import { readdirSync, readFileSync } from 'node:fs'

/** The kernel's own unit of CPU time on Linux, whatever the machine. */
const msPerTick = 10

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // It has ended, or this system has no /proc.
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

/** Every process that this one started, and those that they started. Empty where there is no /proc. */
export function descendants(pid = process.pid): readonly number[] {
  const children = threadsOf(pid).flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  )
  return [...children, ...children.flatMap((child) => descendants(child))]
}

function cpuMsOf(pid: number): number {
  // The name stands in parentheses and may contain spaces; user and system time are the 12th and 13th words after it.
  const [, rest = ''] = read(`/proc/${pid}/stat`).split(') ')
  const words = rest.split(' ').map(Number)
  return ((words[11] ?? 0) + (words[12] ?? 0)) * msPerTick
}

/** CPU time of this process and all that it started, ms. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + descendants().reduce((sum, pid) => sum + cpuMsOf(pid), 0)
}

/** Resident memory of one process, KB. */
export function rssKb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0)
}
