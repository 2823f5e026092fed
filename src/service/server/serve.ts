import type { GateOptions } from '../../gate/gate.ts'
import { errorText, HookgateError } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'
import { waitForLock } from '../../files/lock.ts'
import { LogFile, logTo } from './log-file.ts'
import type { GatePaths } from '../../files/state/places.ts'
import { presenceAt } from './heartbeats.ts'
import { ensurePlaces } from '../../files/state/own-folder.ts'
import type { RemoteOptions } from './remote/listen-remote.ts'
import { openResident, type Resident } from './resident.ts'

interface ServeOptions {
  readonly places: GatePaths
  readonly version: string
  readonly gate: GateOptions
  readonly httpPort: number | undefined
  readonly remote?: RemoteOptions | undefined
  readonly leaveMs?: number | undefined
  readonly idleMs: number
  readonly onRefusing?: (why: string) => void
  /** Called once the gate listens. */
  readonly onOpen: (resident: Resident) => void
}

/**
 * Runs the gate in this process until a signal or a request ends it, it is idle for `idleMs`, or its files are removed.
 * The caller must then exit: the process keeps the gate's lock, so no other gate can start.
 *
 * @throws HookgateError `unavailable`
 */
export async function serve({ places, onOpen, ...options }: ServeOptions): Promise<void> {
  ensurePlaces(places)
  // INVARIANT: never released. The system releases it when this process exits: the next holder, such as `hookgate
  // down`, may report that the gate is gone.
  await takeGateLock(places)
  const file = new LogFile(places.log)
  const log = logTo(file)
  const resident = await openResident({ ...options, places, log }).catch((error: unknown) => {
    log.error(errorText(error))
    throw error
  })
  const signals = handleSignals(resident)
  onOpen(resident)
  await Promise.race([resident.ended, signals.cutShort])
  signals.removeHandlers()
  file.close()
}

/** Waits for the gate's lock: a gate that is draining keeps it until its process exits, but has closed its socket. */
async function takeGateLock(places: GatePaths): Promise<void> {
  const isAnswering = async () => (await presenceAt(places)).kind === 'answering'
  const deadlineMs = performance.now() + limits.gateDrainMs + limits.gateAnswerMs
  const lock = await waitForLock(places.gateLock, deadlineMs, isAnswering)
  if (lock !== undefined) return
  throw new HookgateError('unavailable', 'a gate is already running', {
    place: { file: places.gateLock },
    remedy: 'see `hookgate status`, or stop it with `hookgate down`',
  })
}

/** Ends the gate gracefully on the first signal, and at once on the second. */
function handleSignals(resident: Resident) {
  const { promise: cutShort, reject } = Promise.withResolvers<never>()
  let isEnding = false
  const onSignal = (signal: NodeJS.Signals) => {
    if (isEnding) {
      resident.kill()
      reject(new HookgateError('closed', `stopped by a second ${signal}; requests in progress were not answered`))
    }
    isEnding = true
    resident.end(`received ${signal}`)
  }
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, onSignal)
  const removeHandlers = () => {
    for (const signal of signals) process.off(signal, onSignal)
  }
  return { cutShort, removeHandlers }
}
