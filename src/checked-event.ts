import { z } from 'zod'
import { deepFreeze } from './model/freeze.ts'
import { agentNames } from './agents/registry.ts'
import { mismatch } from './agents/mismatch.ts'
import { errorText, HookgateError } from './model/errors.ts'
import { HookEvent } from './model/event.ts'
import { nestsDeeperThan } from './model/json.ts'
import { limits } from './model/limits.ts'

/** An event whose agent is one that has a descriptor. */
const KnownEvent = HookEvent.extend({ agent: z.enum(agentNames) })

/** What a dialect has made, and frozen: nobody can have changed it. */
const decoded = new WeakSet<HookEvent>()

export function asDecoded(event: HookEvent): HookEvent {
  decoded.add(event)
  return event
}

/**
 * The event as it is to be decided: a copy, unless `decode` has made it.
 *
 * INVARIANT: what is no event is told, and never decided as one that no rule applies to; and what has been looked through
 * is what is decided, whatever becomes of the caller's object, or it says of itself the next time.
 *
 * @throws HookgateError `eventMalformed`, which names the field
 */
export function checkedEvent(event: HookEvent): HookEvent {
  if (decoded.has(event)) return event
  const { error, data } = KnownEvent.safeParse(readable(event), { reportInput: true })
  if (error === undefined) return deepFreeze(data)
  throw new HookgateError('eventMalformed', `this is not an event: ${mismatch(error.issues)}`, {
    remedy: 'use `gate.decode` to create it from what the agent sends',
  })
}

/**
 * A copy of what a program hands over, which may throw when it is looked at, or be another thing each time.
 *
 * @throws HookgateError `eventMalformed` for what cannot be copied or gone through
 */
export function readable<Value>(given: Value): Value {
  try {
    checkDepth(given)
    const copy = structuredClone(given)
    checkDepth(copy)
    return copy
  } catch (cause) {
    if (cause instanceof HookgateError) throw cause
    throw new HookgateError('eventMalformed', `the event cannot be read: ${errorText(cause)}`, { cause })
  }
}

/** @throws HookgateError `eventMalformed` for what nests so deep that nothing could go through it */
export function checkDepth(event: unknown): void {
  if (!nestsDeeperThan(event, limits.jsonDepthMax)) return
  throw new HookgateError('eventMalformed', `the event is nested deeper than ${limits.jsonDepthMax} levels`)
}

/** @throws HookgateError `usage` for what cannot tell that it is aborted */
export function checkedSignal(signal: AbortSignal | undefined): AbortSignal | undefined {
  if (signal === undefined || signal instanceof AbortSignal) return signal
  // oxlint-disable-next-line no-unnecessary-condition -- whatever the types say
  if (signal === null) return undefined
  throw new HookgateError('usage', '`signal` must be an AbortSignal')
}

const Roots = HookEvent.pick({ workspaceRoots: true }).strip()

/** @throws HookgateError `eventMalformed` */
export function checkedRoots(event: Pick<HookEvent, 'workspaceRoots'>): readonly string[] {
  const { error, data } = Roots.safeParse(event)
  if (error === undefined) return data.workspaceRoots
  throw new HookgateError('eventMalformed', `no rules can be told: ${mismatch(error.issues)}`)
}
