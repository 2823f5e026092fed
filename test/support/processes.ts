import { compileCache } from './compile-cache.ts'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const variable = 'HOOKGATE_TEST_TAG'
/** The same under a name that a gate in the background keeps, which of all others keeps few. */
const keptVariable = 'LC_HOOKGATE_TEST_TAG'

/** A mark for the processes of one test: an environment variable, which whatever they start inherits. */
export function processTag(): { readonly tag: string; readonly env: Readonly<Record<string, string>> } {
  const tag = randomUUID()
  return { tag, env: { [variable]: tag, [keptVariable]: tag, PATH: process.env['PATH'] ?? '', ...compileCache } }
}

/** The processes that carry a tag and are alive: one that has ended and waits to be collected has no environment. */
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

/** Those of them whose command line contains a text. */
export function liveCommands(tag: string, text: string): number[] {
  return liveProcesses(tag).filter((pid) => procFile(pid, 'cmdline').join(' ').includes(text))
}

/**
 * Those that are still alive after SIGKILL has had time to act, which it does at once but not synchronously. They are
 * ended, so that a test that fails does not burden the machine.
 */
export async function survivors(tag: string): Promise<number[]> {
  if (await until(() => liveProcesses(tag).length === 0, 20_000)) return []
  const left = liveProcesses(tag)
  for (const pid of left) process.kill(pid, 'SIGKILL')
  return left
}

/** Waits until something is so; false where it never was. */
export async function until(isSo: () => boolean, withinMs = 5000): Promise<boolean> {
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

/** The first process of a list. To signal process 0 is to signal everybody in one's own group, the tests with it. */
export function onlyPid(pids: readonly number[]): number {
  const [pid] = pids
  if (pid === undefined || pid <= 1) throw new Error('there is no such process')
  return pid
}
