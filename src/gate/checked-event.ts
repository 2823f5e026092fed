import { z } from 'zod'
import { deepFreeze, nestsDeeperThan } from '../model/json.ts'
import { agentNames } from '../agents/registry.ts'
import { mismatch } from '../agents/codec/mismatch.ts'
import { errorText, HookgateError } from '../model/errors.ts'
import { HookEvent } from '../model/event.ts'
import { limits } from '../model/limits.ts'
import { didYouMean } from '../words/suggest.ts'

/** Schema of an event whose agent has a descriptor. */
const KnownEvent = HookEvent.extend({ agent: z.enum(agentNames) })

/** Events decoded by a dialect. They are frozen, so they need no further check. */
const decoded = new WeakSet<HookEvent>()

export function asDecoded(event: HookEvent): HookEvent {
  decoded.add(event)
  return event
}

/**
 * Validates an event and returns a frozen copy, or the event itself if `decode` has made it.
 *
 * INVARIANT: an invalid event is reported, and never decided as one that no rule matches. The validated copy is what is
 * decided, even if the caller's object changes later or its getters return something else.
 *
 * @throws HookgateError `eventMalformed`, which names the field
 */
export function checkedEvent(event: HookEvent): HookEvent {
  if (decoded.has(event)) return event
  const { error, data } = KnownEvent.safeParse(readable(event), { reportInput: true })
  if (error === undefined) {
    checkFolders(data)
    return deepFreeze(data)
  }
  throw new HookgateError('eventMalformed', `this is not an event: ${mismatch(error.issues)}`, {
    remedy: meantField(error.issues) ?? 'use `gate.decode` to create it from what the agent sends',
  })
}

/** Returns the remedy for a misspelt field; `undefined` if no unknown field resembles a known one. */
function meantField(issues: readonly z.core.$ZodIssue[]): string | undefined {
  const meant = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.flatMap((key) => didYouMean(key, fieldsAt(issue.path.join('.'))) ?? [])
      : [],
  )
  return meant[0]
}

/** Returns the fields of an event or of one of its parts. */
function fieldsAt(part: string): readonly string[] {
  const { session, tool, result } = HookEvent.shape
  const parts = { session, tool: tool.unwrap(), result: result.unwrap() }
  if (part === 'session' || part === 'tool' || part === 'result') return Object.keys(parts[part].shape)
  return part === '' ? Object.keys(HookEvent.shape) : []
}

/**
 * Copies a value from the embedding program. Its getters may throw, or return another value each time.
 *
 * @throws HookgateError `eventMalformed` if it cannot be copied or traversed
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

/** @throws HookgateError `eventMalformed` if a folder has a longer path than any system opens */
export function checkFolders({ session, workspaceRoots }: HookEvent): void {
  if ([session.cwd, ...workspaceRoots].every(({ length }) => length <= limits.folderCharactersMax)) return
  const most = `a path has at most ${limits.folderCharactersMax} characters`
  throw new HookgateError('eventMalformed', `the event names a working folder that cannot exist: ${most}`)
}

/** @throws HookgateError `eventMalformed` if it nests too deep for recursive code */
export function checkDepth(event: unknown): void {
  if (!nestsDeeperThan(event, limits.jsonDepthMax)) return
  throw new HookgateError('eventMalformed', `the event is nested deeper than ${limits.jsonDepthMax} levels`)
}

/** @throws HookgateError `usage` for anything but an `AbortSignal` or none */
export function checkedSignal(signal: AbortSignal | undefined): AbortSignal | undefined {
  if (signal === undefined || signal instanceof AbortSignal) return signal
  // oxlint-disable-next-line no-unnecessary-condition -- untyped callers may pass it
  if (signal === null) return undefined
  throw new HookgateError('usage', '`signal` must be an AbortSignal')
}

const Roots = HookEvent.pick({ workspaceRoots: true }).strip()

/** @throws HookgateError `eventMalformed` */
export function checkedRoots(event: Pick<HookEvent, 'workspaceRoots'>): readonly string[] {
  const { error, data } = Roots.safeParse(event)
  if (error === undefined) return data.workspaceRoots
  throw new HookgateError('eventMalformed', `the rules cannot be listed: ${mismatch(error.issues)}`)
}
