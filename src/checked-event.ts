import { mismatch } from './dialect/mismatch.ts'
import { errorText, HookgateError } from './model/errors.ts'
import { HookEvent } from './model/event.ts'
import { nestsDeeperThan } from './model/json.ts'
import { limits } from './model/limits.ts'

/** What a dialect has made, and frozen: nobody can have changed it. */
const decoded = new WeakSet<HookEvent>()

export function asDecoded(event: HookEvent): HookEvent {
  decoded.add(event)
  return event
}

/**
 * INVARIANT: what is no event is told, and never decided as one that no rule applies to.
 *
 * @throws HookgateError `eventMalformed`, which names the field
 */
export function checkEvent(event: HookEvent): void {
  if (decoded.has(event)) return
  checkReadable(event)
  const { error } = HookEvent.safeParse(event, { reportInput: true })
  if (error === undefined) return
  throw new HookgateError('eventMalformed', `this is not an event: ${mismatch(error.issues)}`, {
    remedy: 'use `gate.decode` to create it from what the agent sends',
  })
}

/** @throws HookgateError `eventMalformed` for what nothing could go through */
export function checkReadable(event: unknown): void {
  if (!isTooDeep(event)) return
  throw new HookgateError('eventMalformed', `the event is nested deeper than ${limits.jsonDepthMax} levels`)
}

/** A program's object may be one that throws when it is looked at. */
function isTooDeep(event: unknown): boolean {
  try {
    return nestsDeeperThan(event, limits.jsonDepthMax)
  } catch (cause) {
    throw new HookgateError('eventMalformed', `the event cannot be read: ${errorText(cause)}`, { cause })
  }
}
