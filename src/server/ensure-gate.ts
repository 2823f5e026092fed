import { setTimeout as sleep } from 'node:timers/promises'
import { HookgateError } from '../model/errors.ts'
import { limits } from '../model/limits.ts'
import { startDetached } from './detached.ts'
import { endUnlessFit } from './end-gate.ts'
import { type Environment, keepEnvironment } from './gate-environment.ts'
import { readState } from './gate-state.ts'
import { checkPort } from './listen.ts'
import { waitForLock } from '../files/lock.ts'
import type { Places } from './places.ts'
import { type GateHello, portOf, type Presence, presenceAt } from './presence.ts'
import { ensurePlaces } from './private-folder.ts'

export interface GateRequirements {
  readonly places: Places
  /** A gate of another version is replaced. */
  readonly version: string
  /** Where HTTP is required. A gate that listens to HTTP although nobody wants it here is left as it is. */
  readonly httpPort: number | undefined
  /** Of whoever wants it. What the gate is given of it, `gate-environment.ts` tells. */
  readonly env: Environment
  /** Whether that is an agent's session, though no variable tells it. Default: false. */
  readonly forSession?: boolean
}

export interface EnsuredGate {
  readonly did: 'found' | 'started' | 'replaced'
  readonly hello: GateHello
}

/**
 * Sees that the gate is there, and waits until it answers. Any number of callers at once, in any processes, end up with one.
 *
 * @throws HookgateError `unavailable`
 */
export async function ensureGateRunning(required: GateRequirements): Promise<EnsuredGate> {
  const { places, env, forSession = false } = required
  ensurePlaces(places)
  if (!forSession) keepEnvironment(places, env)
  const deadlineMs = performance.now() + limits.gateStartMs
  const glance = async () => fitting(required, await presenceAt(places, limits.gateGlanceMs))
  let found = await glance()
  if (found !== undefined) return { did: 'found', hello: found }
  const lock = await waitForLock(places.startLock, deadlineMs, async () => (found = await glance()) !== undefined)
  try {
    // Whoever had the lock before may have started it in the meantime.
    const presence = await presenceAt(places)
    found = fitting(required, presence)
    if (found !== undefined) return { did: 'found', hello: found }
    if (lock === undefined) throw tooLate(places)
    return await startAnew(required, presence, deadlineMs)
  } finally {
    lock?.release()
  }
}

async function startAnew(required: GateRequirements, before: Presence, deadlineMs: number): Promise<EnsuredGate> {
  const { places, env, forSession = false } = required
  const httpBefore = portOf(before.kind === 'answering' ? before.hello.http : readState(places)?.http)
  // Agents that reach the gate by HTTP still do after an upgrade, or when it was killed.
  const httpPort = required.httpPort ?? httpBefore
  // Better no change at all than no gate.
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

/** It has said that it is ready, but on a busy machine one look may go unanswered. */
async function fittingBy(deadlineMs: number, required: GateRequirements): Promise<GateHello | undefined> {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one look after the other is what waiting is
    const hello = fitting(required, await presenceAt(required.places))
    if (hello !== undefined || performance.now() >= deadlineMs) return hello
    // oxlint-disable-next-line no-await-in-loop
    await sleep(limits.gateLookMs)
  }
}

const fitting = (required: GateRequirements, presence: Presence): GateHello | undefined =>
  presence.kind === 'answering' && isFit(required, presence.hello) ? presence.hello : undefined

const isFit = ({ version, httpPort }: GateRequirements, hello: GateHello): boolean =>
  hello.version === version && (httpPort === undefined || portOf(hello.http) === httpPort)

const tooLate = ({ log }: Places) =>
  new HookgateError(
    'unavailable',
    `no gate of this version and these options answered within ${limits.gateStartMs / 1000} s`,
    {
      place: { file: log },
      remedy: 'see the log and `hookgate status`',
    },
  )
