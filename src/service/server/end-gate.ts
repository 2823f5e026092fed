import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf, HookgateError } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'
import { askGate } from './ask-gate.ts'
import { readState, removeState } from '../../files/state/gate-state.ts'
import { removeSocket } from './listen.ts'
import { tryLock } from '../../files/lock.ts'
import type { GatePaths } from '../../files/state/places.ts'
import { type GateHello, type GatePresence, presenceAt } from './heartbeats.ts'
import { checkPlaces } from '../../files/state/own-folder.ts'
import { processStart } from './process-start.ts'

export type EndedGate =
  | { readonly did: 'nothing' }
  /** The gate was asked to end, answered the requests in flight, and has exited. */
  | { readonly did: 'drained'; readonly pid: number }
  /** The gate did not answer, and its process was killed. */
  | { readonly did: 'killed'; readonly pid: number }
  /** The gate was already ending, and has exited. */
  | { readonly did: 'awaited' }
  /** No gate was running, but one that was killed had left files behind. */
  | { readonly did: 'tidied' }
  /** No gate was running. Another program was listening on the socket, which was taken from it. */
  | { readonly did: 'ousted' }

type ReplacedGate =
  | EndedGate
  /** A suitable gate had just started, and was left running. */
  | { readonly did: 'kept'; readonly hello: GateHello }

/** Ends the gate, if there is one, and waits until it is gone. @throws HookgateError `unavailable` */
export async function endGate(places: GatePaths): Promise<EndedGate> {
  checkPlaces(places)
  if (!existsSync(places.folder)) return { did: 'nothing' }
  const ended = await endUnlessFit(places, await presenceAt(places), () => false)
  return ended.did === 'kept' ? { did: 'nothing' } : ended
}

/**
 * Ends the gate unless `isFit` accepts it: a suitable one may have started in the meantime, and is left running.
 *
 * @param seen the presence that the caller has just found
 * @throws HookgateError `unavailable`
 */
export async function endUnlessFit(
  places: GatePaths,
  seen: GatePresence,
  isFit: (hello: GateHello) => boolean,
): Promise<ReplacedGate> {
  const deadlineMs = performance.now() + limits.gateDrainMs + 2 * limits.gateAnswerMs
  let ended: EndedGate = { did: 'nothing' }
  let presence = seen
  while (performance.now() < deadlineMs) {
    if (presence.kind === 'answering' && isFit(presence.hello)) return { did: 'kept', hello: presence.hello }
    // oxlint-disable-next-line no-await-in-loop -- waiting is the point
    const step = await endingStep(places, presence, ended)
    if (step.isGone) return step.ended
    ended = step.ended
    // oxlint-disable-next-line no-await-in-loop -- waiting is the point
    await sleep(limits.gateLookMs)
    // oxlint-disable-next-line no-await-in-loop -- waiting is the point
    presence = await presenceAt(places)
  }
  throw new HookgateError('unavailable', 'the gate does not stop', ownEnding(places))
}

interface EndStep {
  readonly isGone: boolean
  readonly ended: EndedGate
}

async function endingStep(places: GatePaths, presence: GatePresence, before: EndedGate): Promise<EndStep> {
  switch (presence.kind) {
    case 'answering': {
      const { pid } = presence.hello
      // Asked on every step: asking twice is harmless, and a new gate may have started since.
      await askGate(places, { to: 'drain' }).catch(() => {})
      return { isGone: false, ended: { did: 'drained', pid } }
    }
    case 'silent':
    case 'unexpectedPeer':
      return oust(places)
    case 'absent':
      return endedUnder(places, before)
  }
}

/** Removes what a gate left behind. INVARIANT: only under the gate's lock, when no live gate can own the files. */
function endedUnder(places: GatePaths, before: EndedGate): EndStep {
  const lock = tryLock(places.gateLock)
  if (lock === undefined) return { isGone: false, ended: before.did === 'nothing' ? { did: 'awaited' } : before }
  try {
    const left = [places.state, ...(places.socketFolder === undefined ? [] : [places.socket])].filter(existsSync)
    removeState(places)
    removeSocket(places)
    return { isGone: true, ended: before.did === 'nothing' && left.length > 0 ? { did: 'tidied' } : before }
  } finally {
    lock.release()
  }
}

/**
 * Takes the socket from a program that does not prove to be the gate, or kills the gate if it cannot do so.
 *
 * INVARIANT: the socket is removed only under the gate's lock, when no live gate can own it.
 */
function oust(places: GatePaths): EndStep {
  const lock = tryLock(places.gateLock)
  if (lock === undefined) return { isGone: false, ended: killStuck(places) }
  try {
    if (places.socketFolder === undefined) throw otherProgram(places)
    removeState(places)
    removeSocket(places)
    return { isGone: true, ended: { did: 'ousted' } }
  } finally {
    lock.release()
  }
}

const otherProgram = ({ socket }: GatePaths) =>
  new HookgateError('unavailable', 'another program is listening on this named pipe', {
    place: { file: socket },
    remedy: 'stop it, or set HOOKGATE_HOME to another folder',
  })

/**
 * Kills a gate that does not answer, or that does not know its key.
 *
 * INVARIANT: a process is killed only if it is proven to be the gate: the caller has found the gate's lock held, and the
 * process with the recorded pid has the recorded start time. A pid alone may have been reused.
 */
function killStuck(places: GatePaths): EndedGate {
  const state = readState(places)
  if (state === undefined || state.processStart === null || processStart(state.pid) !== state.processStart) {
    throw new HookgateError(
      'unavailable',
      'the gate does not answer, and its process cannot be identified for certain',
      ownEnding(places),
    )
  }
  try {
    process.kill(state.pid, 'SIGKILL')
  } catch (cause) {
    // It has just exited by itself.
    if (codeOf(cause) === 'ESRCH') return { did: 'awaited' }
    throw cause
  }
  return { did: 'killed', pid: state.pid }
}

const ownEnding = ({ gateLock }: GatePaths) => ({
  place: { file: gateLock },
  remedy: 'find the process that has this file open (with `fuser`), and kill it',
})
