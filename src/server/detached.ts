import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { extname, parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { errorText, HookgateError } from '../model/errors.ts'
import { type Environment, gateEnvironment } from './gate-environment.ts'
import { linesSince, logEnd, openLog } from './log-file.ts'
import type { Places } from './places.ts'

/** What a gate that is started by another process tells it: that it listens, or why it cannot. */
export const StartWord = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('open') }),
  z.strictObject({ kind: z.literal('failed'), message: z.string() }),
])
export type StartWord = Readonly<z.infer<typeof StartWord>>

export interface Starting {
  readonly places: Places
  readonly httpPort: number | undefined
  readonly env: Environment
  /** Whether an agent's session has it started, whose environment is none of its owner's. */
  readonly forSession: boolean
  readonly withinMs: number
}

/**
 * Starts a gate that outlives this process, and waits until it listens. What it prints goes to its log.
 *
 * @throws HookgateError `unavailable`, with what it said
 */
export async function startDetached(starting: Starting): Promise<void> {
  const { places, withinMs } = starting
  const log = openLog(places.log)
  const logStart = logEnd(log)
  const failed = (why: string) => {
    const said = linesSince(log, logStart)
    const text = `the gate did not start: ${why}${said === '' ? '' : `; its log says: ${said}`}`
    return new HookgateError('unavailable', text, { place: { file: places.log } })
  }
  let child: ChildProcess | undefined
  let late: NodeJS.Timeout | undefined
  let lastWord: HookgateError | undefined
  try {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const started = spawnGate(starting, log)
    child = started
    late = setTimeout(() => {
      // It is our child and we have not heard of its end: nobody else can have its pid.
      started.kill('SIGKILL')
      reject(failed(`it did not answer within ${withinMs / 1000} s`))
    }, withinMs)
    started.on('message', (message) => {
      const word = StartWord.safeParse(message)
      if (!word.success) return
      if (word.data.kind === 'open') resolve()
      // Told when it is gone: who hears of it may try again at once.
      else lastWord = new HookgateError('unavailable', word.data.message)
    })
    started.on('error', (error) => reject(failed(errorText(error))))
    started.on('exit', (code, signal) => {
      const tell = () => reject(lastWord ?? failed(`it stopped at once, ${signal ?? `with exit code ${code}`}`))
      // All that it said before is heard before this.
      if (started.connected) started.once('disconnect', tell)
      else tell()
    })
    await promise
  } finally {
    clearTimeout(late)
    // Its end is nobody's business here any more.
    child?.removeAllListeners('exit').removeAllListeners('disconnect')
    if (child?.connected === true) child.disconnect()
    child?.unref()
    closeSync(log)
  }
}

function spawnGate({ places, httpPort, env, forSession }: Starting, log: number): ChildProcess {
  const own = gateEnvironment(places, env, forSession)
  const bin = fileURLToPath(new URL(`../cli/bin${extname(import.meta.url)}`, import.meta.url))
  const http = httpPort === undefined ? [] : ['--http', `${httpPort}`]
  return spawn(process.execPath, [bin, 'serve', ...http], {
    // A session of its own: neither a Ctrl-C at the terminal nor its end is meant for the gate.
    detached: true,
    windowsHide: true,
    stdio: ['ignore', log, log, 'ipc'],
    env: 'electron' in process.versions ? { ...own, ELECTRON_RUN_AS_NODE: '1' } : own,
    // No folder of the user's is held busy by it.
    cwd: parse(process.execPath).root,
  })
}
