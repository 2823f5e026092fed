import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { parse } from 'node:path'
import { z } from 'zod'
import { entryFile, smallHeap } from '../../files/program-files.ts'
import { errorText, HookgateError } from '../../model/errors.ts'
import type { Environment } from '../../model/node-environment.ts'
import { gateEnvironment } from './gate-environment.ts'
import { linesSince, logEnd, openLog } from './log-file.ts'
import type { GatePaths } from '../../files/state/places.ts'

/** The IPC message of a started gate to the process that started it: it listens, or why it cannot. */
export const StartReport = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('open') }),
  z.strictObject({ kind: z.literal('failed'), message: z.string() }),
])
export type StartReport = Readonly<z.infer<typeof StartReport>>

interface StartOptions {
  readonly places: GatePaths
  readonly httpPort: number | undefined
  readonly env: Environment
  /** True if an agent's session starts the gate: its environment is not the owner's, and is not passed on. */
  readonly forSession: boolean
  readonly withinMs: number
}

/**
 * Starts a gate that outlives this process, and waits until it listens. Its stdout and stderr go to its log.
 *
 * @throws HookgateError `unavailable`, with the reason the gate gave or what it logged
 */
export async function startDetached(starting: StartOptions): Promise<void> {
  const { places, withinMs } = starting
  const log = openLog(places.log)
  const logStart = logEnd(log)
  const failed = (why: string) => {
    const logged = linesSince(log, logStart)
    const text = `the gate did not start: ${why}${logged === '' ? '' : `; its log says: ${logged}`}`
    return new HookgateError('unavailable', text, { place: { file: places.log } })
  }
  let child: ChildProcess | undefined
  let late: NodeJS.Timeout | undefined
  let failure: HookgateError | undefined
  try {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const started = spawnGate(starting, log)
    child = started
    late = setTimeout(() => {
      // It is our child and has not been reaped, so its pid cannot belong to another process.
      started.kill('SIGKILL')
      reject(failed(`it did not answer within ${withinMs / 1000} s`))
    }, withinMs)
    started.on('message', (message) => {
      const word = StartReport.safeParse(message)
      if (!word.success) return
      if (word.data.kind === 'open') resolve()
      // Reported only once the process has exited: the caller may retry at once, which needs the lock to be free.
      else failure = new HookgateError('unavailable', word.data.message)
    })
    started.on('error', (error) => reject(failed(errorText(error))))
    started.on('exit', (code, signal) => {
      const report = () => reject(failure ?? failed(`it stopped at once, ${signal ?? `with exit code ${code}`}`))
      // `disconnect` comes after every message that was sent before, so `failure` is final then.
      if (started.connected) started.once('disconnect', report)
      else report()
    })
    await promise
  } finally {
    clearTimeout(late)
    // From here on, the gate's exit is of no interest to this process.
    child?.removeAllListeners('exit').removeAllListeners('disconnect')
    if (child?.connected === true) child.disconnect()
    child?.unref()
    closeSync(log)
  }
}

function spawnGate({ places, httpPort, env, forSession }: StartOptions, log: number): ChildProcess {
  const own = gateEnvironment(places, env, forSession)
  const http = httpPort === undefined ? [] : ['--http', `${httpPort}`]
  return spawn(process.execPath, [...smallHeap, entryFile('cli/bin'), 'serve', ...http], {
    // A new process session: neither Ctrl-C at the terminal nor closing it may end the gate.
    detached: true,
    windowsHide: true,
    stdio: ['ignore', log, log, 'ipc'],
    env: 'electron' in process.versions ? { ...own, ELECTRON_RUN_AS_NODE: '1' } : own,
    // Not in a user's folder, which could then not be unmounted or, on Windows, removed.
    cwd: parse(process.execPath).root,
  })
}
