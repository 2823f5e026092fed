import { setTimeout as sleep } from 'node:timers/promises'
import { HookgateError } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'
import { startDetached } from './detached.ts'
import { endUnlessFit } from './end-gate.ts'
import type { Environment } from '../../model/node-environment.ts'
import { keepEnvironment } from './gate-environment.ts'
import { readState } from '../../files/state/gate-state.ts'
import { checkPort } from './listen.ts'
import { waitForLock } from '../../files/lock.ts'
import type { GatePaths } from '../../files/state/places.ts'
import { type GateHello, portOf, type GatePresence, presenceAt } from './presence.ts'
import { ensurePlaces } from '../../files/state/own-folder.ts'

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
