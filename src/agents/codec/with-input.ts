import { isDeepStrictEqual } from 'node:util'
import { quoted } from '../../model/text.ts'
import { HookgateError } from '../../model/errors.ts'
import type { CallEvent, HookEvent } from '../../model/event.ts'
import { deepFreeze } from '../../model/freeze.ts'
import type { JsonObject } from '../../model/json.ts'

/**
 * Puts a call that was decoded from a changed wire object in the place of an event's own call.
 *
 * Everything else of the event stays, since more may be known of its session than its wire object says.
 *
 * INVARIANT: what is returned is the call that would run. The tool has the demanded input, and is of the kind that its
 * wire object alone makes it.
 *
 * @param before the event's own wire object, decoded
 * @param after the wire object with the other input, decoded
 *
 * @throws HookgateError `eventMalformed` if the tool would get another input than the demanded one
 */
export function withCall(event: HookEvent, before: HookEvent, after: HookEvent, input: JsonObject): CallEvent {
  const { tool, session } = event
  if (tool === undefined || after.tool === undefined || before.tool?.kind !== tool.kind) {
    throw unreadable(event, 'its event is not as the agent sends it')
  }
  if (!isDeepStrictEqual(after.tool.input, input)) throw unreadable(event, 'the agent would not pass it on unchanged')
  // A command may run in a folder that its input names.
  const cwd = after.session.cwd === before.session.cwd ? session.cwd : after.session.cwd
  return deepFreeze<CallEvent>({
    ...event,
    session: { ...session, cwd },
    tool: { ...after.tool, ...(tool.id !== undefined && { id: tool.id }) },
    raw: after.raw,
  })
}

/** The error for an input that cannot be put into a call. */
export const unreadable = ({ tool }: HookEvent, why: string): HookgateError =>
  new HookgateError('eventMalformed', `the new input of ${quoted(tool?.name ?? '')} cannot be judged: ${why}`)
