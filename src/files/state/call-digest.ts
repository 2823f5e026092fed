import { createHash } from 'node:crypto'
import type { HookEvent } from '../../model/event.ts'
import type { Json, JsonObject } from '../../model/json.ts'

/**
 * Returns a digest of a call: equal only for the same call of the same session, in the same project and folder.
 *
 * A shell call's description is left out: models word it anew each time, and it changes nothing.
 */
export const callDigest = (event: HookEvent): string => digestOf(event, event.session.id)

/** Returns the digest of a call whose session does not matter. */
export const sessionlessDigest = (event: HookEvent): string => digestOf(event, '')

function digestOf({ name, agent, session, workspaceRoots, tool }: HookEvent, sessionId: string): string {
  const { description: _, ...input }: JsonObject = tool?.input ?? {}
  const known = tool?.kind === 'shell' ? input : (tool?.input ?? {})
  const parts = [agent, sessionId, session.cwd, workspaceRoots, name, tool?.kind, tool?.name, sorted(known)]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

/** Returns a value with the keys of its objects in order, in which agents differ. No two values become the same. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return ['list', ...value.map(sorted)]
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  // Pairs instead of an object, in which number-like keys would come first and `__proto__` would be lost.
  return ['object', ...entries.map(([key, one]) => [key, sorted(one)])]
}
