import type { GateOptions } from '../gate.ts'
import { errorText, HookgateError } from '../model/errors.ts'
import { limits } from '../model/limits.ts'
import { waitForLock } from '../files/lock.ts'
import { logTo } from './log.ts'
import { LogFile } from './log-file.ts'
import type { Places } from './places.ts'
import { presenceAt } from './presence.ts'
import { ensurePlaces } from './private-folder.ts'
import { openResident, type Resident } from './resident.ts'

export interface Serving {
  readonly places: Places
  readonly version: string
  readonly gate: GateOptions
  readonly httpPort: number | undefined
  readonly idleMs: number
  readonly onRefusing?: (why: string) => void
  /** Called when it listens. */
  readonly onOpen: (resident: Resident) => void
}

/**
 * Is the gate, until it is asked to end, by a signal or through its socket, or nobody asks it for long. The process is to
 * end then: it keeps others from being the gate until it has.
 *
 * @throws HookgateError `unavailable`
 */
export async function serve({ places, onOpen, ...options }: Serving): Promise<void> {
  ensurePlaces(places)
  // INVARIANT: never let go of. The system does when this process has ended, and whoever gets the lock then, `hookgate down`
  // for one, may say that the gate is gone.
  await takeGateLock(places)
  const file = new LogFile(places.log)
  const log = logTo(file)
  const resident = await openResident({ ...options, places, log }).catch((error: unknown) => {
    log.error(errorText(error))
    throw error
  })
  const signals = hearSignals(resident)
  onOpen(resident)
  await Promise.race([resident.ended, signals.cutShort])
  signals.unhear()
  file.close()
}

/** One that drains has the lock to its end, and no socket any more. */
async function takeGateLock(places: Places): Promise<void> {
  const isThere = async () => (await presenceAt(places)).kind === 'answering'
  const deadlineMs = performance.now() + limits.gateDrainMs + limits.gateAnswerMs
  const lock = await waitForLock(places.gateLock, deadlineMs, isThere)
  if (lock !== undefined) return
  throw new HookgateError('unavailable', 'a gate is already running', {
    place: { file: places.gateLock },
    remedy: 'see `hookgate status`, or stop it with `hookgate down`',
  })
}

/** The first asks politely, the second comes from somebody who will not wait. */
function hearSignals(resident: Resident) {
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
  const unhear = () => {
    for (const signal of signals) process.off(signal, onSignal)
  }
  return { cutShort, unhear }
}
