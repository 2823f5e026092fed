import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { limits } from '../model/limits.ts'

/**
 * When the process of a pid was started, in the system's own words. A pid comes back for another process; the two together
 * do not. `null` where there is no such process, or no telling.
 */
export function processStart(pid: number, platform: NodeJS.Platform = process.platform): string | null {
  if (platform === 'win32') return null
  try {
    return platform === 'linux' ? linuxStart(pid) : psStart(pid)
  } catch {
    return null
  }
}

/** In ticks since the system was started, and which start of the system that was. */
function linuxStart(pid: number): string | null {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The second field is the program's name, in parentheses, and may hold spaces and parentheses of its own.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = fields[startField]
  // A zombie has ended, and only waits for its parent to hear of it.
  if (ticks === undefined || fields[0] === 'Z') return null
  return `${ticks} ${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}`
}
/** `starttime`, the 22nd of proc_pid_stat(5), counted from behind the name. */
const startField = 19

function psStart(pid: number): string | null {
  const options = {
    encoding: 'utf8',
    timeout: limits.gateAnswerMs,
    env: { PATH: '/bin:/usr/bin', LC_ALL: 'C' },
  } as const
  const text = execFileSync('ps', ['-o', 'lstart=', '-p', `${pid}`], options).trim()
  return text === '' ? null : text
}
