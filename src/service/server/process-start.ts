import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { limits } from '../../model/limits.ts'

/**
 * Returns the start time of a process in the system's own format; `null` if the process does not exist or the system
 * does not tell. A pid is reused by later processes; a pid with its start time is not.
 */
export function processStart(pid: number, platform: NodeJS.Platform = process.platform): string | null {
  if (platform === 'win32') return null
  try {
    return platform === 'linux' ? linuxStart(pid) : psStart(pid)
  } catch {
    return null
  }
}

/** Returns the start in clock ticks since boot, and the id of that boot. */
function linuxStart(pid: number): string | null {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The second field is the program's name, in parentheses, which may itself contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = fields[startField]
  // A zombie has exited, and only waits to be reaped by its parent.
  if (ticks === undefined || fields[0] === 'Z') return null
  return `${ticks} ${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}`
}
/** The index of `starttime`, field 22 in proc_pid_stat(5), among the fields after the name. */
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
