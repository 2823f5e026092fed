import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { parse } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { waitForLock } from '../../files/lock.ts'
import { entryFile, smallHeap } from '../../files/program-files.ts'
import { readState } from '../../files/state/gate-state.ts'
import { ensurePlaces } from '../../files/state/own-folder.ts'
import type { GatePaths } from '../../files/state/places.ts'
import { errorText, HookgateError } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'
import type { Environment } from '../../model/node-environment.ts'
import { endUnlessFit } from './end-gate.ts'
import { gateEnvironment, keepEnvironment } from './gate-environment.ts'
import { checkPort } from './listen.ts'
import { linesSince, logEnd, openLog } from './log-file.ts'
import { type GateHello, type GatePresence, portOf, presenceAt } from './heartbeats.ts'

interface GateRequirements {
  readonly places: GatePaths
  /** The version that the gate must have; a gate of another version is replaced. */
  readonly version: string
  /** The port that must serve HTTP. If `undefined`, a gate is accepted whether or not it serves HTTP. */
  readonly httpPort: number | undefined
  /** The environment of the caller. `gate-environment.ts` selects what a new gate gets of it. */
  readonly env: Environment
  /** Whether the caller is an agent's session, even if no variable in `env` shows it. Default: false. */
  readonly forSession?: boolean
}

interface EnsuredGate {
  readonly did: 'found' | 'started' | 'replaced'
  readonly hello: GateHello
}

/**
 * Starts or replaces the gate if necessary, and waits until it answers. Concurrent callers, in any processes, end up
 * with one gate.
 *
 * @throws HookgateError `unavailable`
 */
export async function ensureGateRunning(required: GateRequirements): Promise<EnsuredGate> {
  const { places, env, forSession = false } = required
  ensurePlaces(places)
  if (!forSession) keepEnvironment(places, env)
  const deadlineMs = performance.now() + gateStartMs
  const glance = async () => fitting(required, await presenceAt(places, gateGlanceMs))
  let found = await glance()
  if (found !== undefined) return { did: 'found', hello: found }
  const lock = await waitForLock(places.startLock, deadlineMs, async () => (found = await glance()) !== undefined)
  // It may be replaced at this very moment, by a caller that needs HTTP, and so not answer again.
  if (lock === undefined && found !== undefined) return { did: 'found', hello: found }
  try {
    // The previous holder of the lock may have started it in the meantime.
    const presence = await presenceAt(places)
    found = fitting(required, presence)
    if (found !== undefined) return { did: 'found', hello: found }
    if (lock === undefined) throw tooLate(places)
    return await startAnew(required, presence, deadlineMs)
  } finally {
    lock?.release()
  }
}
/**
 * Wait of `up` for a gate to answer, including an older gate that drains first: measured 0.8 s on an idle machine.
 */
export const gateStartMs = 60_000
/** Wait for a gate's status in the first check, made without the lock; after it, the lock is taken. */
export const gateGlanceMs = 1000

async function startAnew(required: GateRequirements, before: GatePresence, deadlineMs: number): Promise<EnsuredGate> {
  const { places, env, forSession = false } = required
  const httpBefore = portOf(before.kind === 'answering' ? before.hello.http : readState(places)?.http)
  // Agents that use HTTP must still reach the gate after an upgrade, or after it was killed.
  const httpPort = required.httpPort ?? httpBefore
  // Checked before the old gate ends: if the new port is taken, the old gate is better than none.
  if (before.kind === 'answering' && httpPort !== undefined && httpPort !== httpBefore) await checkPort(httpPort)
  const replaced = await endUnlessFit(places, before, (hello) => isFit(required, hello))
  if (replaced.did === 'kept') return { did: 'found', hello: replaced.hello }
  await startDetached({
    places,
    env,
    forSession,
    httpPort,
    withinMs: Math.max(limits.gateAnswerMs, deadlineMs - performance.now()),
  })
  const hello = await fittingBy(deadlineMs, required)
  if (hello === undefined) throw tooLate(places)
  return { did: replaced.did === 'drained' || replaced.did === 'killed' ? 'replaced' : 'started', hello }
}

/** Polls until the started gate answers: it has reported ready, but on a busy machine one request may time out. */
async function fittingBy(deadlineMs: number, required: GateRequirements): Promise<GateHello | undefined> {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- polling is sequential
    const hello = fitting(required, await presenceAt(required.places))
    if (hello !== undefined || performance.now() >= deadlineMs) return hello
    // oxlint-disable-next-line no-await-in-loop
    await sleep(limits.gateLookMs)
  }
}

const fitting = (required: GateRequirements, presence: GatePresence): GateHello | undefined =>
  presence.kind === 'answering' && isFit(required, presence.hello) ? presence.hello : undefined

const isFit = ({ version, httpPort }: GateRequirements, hello: GateHello): boolean =>
  hello.version === version && (httpPort === undefined || portOf(hello.http) === httpPort)

const tooLate = ({ log }: GatePaths) =>
  new HookgateError(
    'unavailable',
    `no gate of this version and these options answered within ${gateStartMs / 1000} s`,
    {
      place: { file: log },
      remedy: 'see the log and `hookgate status`',
    },
  )

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
async function startDetached(starting: StartOptions): Promise<void> {
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
