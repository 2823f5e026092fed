import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type GatePaths, placesOf } from '../../src/files/state/places.ts'
import type { GateStatus } from '../../src/service/server/gate-status.ts'
import { hookgate, hookgateHere } from './cli.ts'
import { liveProcesses, processTag } from './processes.ts'
import { folderWith } from './workspace.ts'

type Files = Parameters<typeof folderWith>[0]

/** The commands that must run as their own process: what ends, and how it ends, is what their tests are about. */
const ownProcess: ReadonlySet<string | undefined> = new Set(['run', 'serve', 'emit'])

/** A rules file that refuses nothing that a test does, for a user who is no newcomer: `enable` turns on no preset. */
const someRules = { json: { permissions: { deny: ['Bash(never-called)'] } } }

/**
 * Creates a user whose gate is stopped when the test ends.
 *
 * @param files unless the user's rules file is among them, or one without rules is asked for, there is one of some rule
 */
export function residentUser(files: Files = {}, more: Readonly<Record<string, string>> = {}) {
  const folder = folderWith({ 'home/x': '', 'home/.config/hookgate/hooks.json': someRules, ...files })
  const { tag, env: tagged } = processTag()
  const env = { ...tagged, HOME: join(folder, 'home'), HOOKGATE_HOME: join(folder, 'state'), ...more }
  // Runs before the folder is removed. The sandbox, which has another environment, ends with its gate.
  onTestFinished(() => {
    for (const pid of liveProcesses(tag)) kill(pid)
  })
  const places: GatePaths = placesOf({ env, platform: process.platform, uid: process.getuid?.(), home: env.HOME })
  const calling = (call: Parameters<typeof hookgate>[1] = {}) => ({
    cwd: folder,
    ...call,
    env: { ...env, ...call.env },
  })
  const spawned = (argv: readonly string[], call?: Parameters<typeof hookgate>[1]) => hookgate(argv, calling(call))
  /** Runs a command in this process, unless it needs its own. */
  const cli = (argv: readonly string[], call: Parameters<typeof hookgate>[1] = {}) => {
    const isProcess = call.bin !== undefined || call.behind !== undefined || call.onStart !== undefined
    return isProcess || ownProcess.has(argv[0]) ? spawned(argv, call) : hookgateHere(argv, calling(call))
  }
  return {
    folder,
    tag,
    env,
    places,
    cli,
    /** Runs a command as a separate process. */
    spawned,
    async status(): Promise<(GateStatus & { running: true }) | { running: false }> {
      return JSON.parse((await cli(['status', '--json'])).stdout) as GateStatus & { running: true }
    },
    /** Lists the living gates, reachable or not. */
    gates: () => liveProcesses(tag).filter((pid) => commandLine(pid).includes('bin.js serve')),
  }
}

export function kill(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has already ended.
  }
}

/** Lists the living descendants of a process. */
export function descendants(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) => parentOf(other) === pid)
  return [...children, ...children.flatMap(descendants)]
}

/** Whether a process runs and is not a zombie. */
export const isAlive = (pid: number) => parentOf(pid) !== undefined

function parentOf(pid: number): number | undefined {
  const [state, parent] = (read(`/proc/${pid}/stat`).split(') ').at(-1) ?? '').split(' ')
  return state === undefined || state === '' || state === 'Z' ? undefined : Number(parent)
}

export const commandLine = (pid: number) => read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Returns a free port of the loopback address. */
export async function freePort(): Promise<number> {
  const { createServer } = await import('node:net')
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  await new Promise((done) => server.close(done))
  return typeof address === 'object' && address !== null ? address.port : 0
}
