import { compileCache } from './compile-cache.ts'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const variable = 'HOOKGATE_TEST_TAG'
/** The tag under a name that survives in a background gate, which drops most of its environment. */
const keptVariable = 'LC_HOOKGATE_TEST_TAG'

/** Marks the processes of one test by an environment variable, which their children inherit. */
export function processTag(): { readonly tag: string; readonly env: Readonly<Record<string, string>> } {
  const tag = randomUUID()
  return { tag, env: { [variable]: tag, [keptVariable]: tag, PATH: process.env['PATH'] ?? '', ...compileCache } }
}

/** Lists the living processes with a tag: a zombie has no environment. */
export function liveProcesses(tag: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && isTagged(pid, tag))
}

function isTagged(pid: number, tag: string): boolean {
  const environment = procFile(pid, 'environ')
  return [variable, keptVariable].some((name) => environment.includes(`${name}=${tag}`))
}

/** Lists those whose command line contains a text. */
export function liveCommands(tag: string, text: string): number[] {
  return liveProcesses(tag).filter((pid) => procFile(pid, 'cmdline').join(' ').includes(text))
}

/**
 * Lists those that are alive although SIGKILL, which is asynchronous, has had time to act. They are
 * killed, so that a failing test leaves no load on the machine.
 */
export async function survivors(tag: string): Promise<number[]> {
  if (await until(() => liveProcesses(tag).length === 0)) return []
  const left = liveProcesses(tag)
  for (const pid of left) process.kill(pid, 'SIGKILL')
  return left
}

/** Waits until a process has nothing to do: it does not even wait for a processor, for as many looks as it takes to be sure. */
export async function untilIdle(pid = 0): Promise<boolean> {
  let looks = 0
  return await until(() => (looks = /^State:\tS/m.test(procFile(pid, 'status').join('')) ? looks + 1 : 0) >= idleLooks)
}
const idleLooks = 40

/** Waits until a condition holds, and returns false if it never does. */
export async function until(isSo: () => boolean, withinMs = 120_000): Promise<boolean> {
  const deadline = performance.now() + withinMs
  while (!isSo()) {
    if (performance.now() > deadline) return false
    // oxlint-disable-next-line no-await-in-loop -- waiting is the point
    await sleep(10)
  }
  return true
}

function procFile(pid: number, name: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8').split('\0')
  } catch {
    return []
  }
}

/** Returns the first process of a list, and throws without one: signalling 0 would hit the tests' own group. */
export function onlyPid(pids: readonly number[]): number {
  const [pid] = pids
  if (pid === undefined || pid <= 1) throw new Error('there is no such process')
  return pid
}
