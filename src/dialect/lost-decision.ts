import type { AgentName } from '../model/agents.ts'
import type { EventName } from '../model/event.ts'
import type { Failure } from '../model/failure.ts'
import { isJsonObject, type JsonObject } from '../model/json.ts'
import { quoted } from '../model/text.ts'

/** How one agent or another is told to hold a call back: the field, and what it says then. */
const words: Readonly<Record<string, ReadonlySet<unknown>>> = {
  cancel: new Set([true]),
  review: new Set([true]),
  decision: new Set(['block', 'deny', 'ask']),
  permission: new Set(['deny', 'ask']),
  permissionDecision: new Set(['deny', 'ask']),
  behavior: new Set(['deny']),
}

/**
 * An answer that decides nothing in the words of the agent the hook was written for, and holds the call back in those of
 * another, or in the wrong place. The agent reads over it; its author believes in a guard that is none.
 */
export function lostDecision(agent: AgentName, event: EventName, answer: JsonObject): Failure | undefined {
  const path = decidingPath(answer, [])
  if (path === undefined) return undefined
  const message =
    `its decision is lost: a hook for ${agent} cannot decide with ${quoted(path.join('.'))} at ${event}; ` +
    "answer in that agent's format, or set `dialect` to the agent that it is written for"
  return { code: 'badOutput', message }
}

/** The places that decisions stand in: the answer itself, `hookSpecificOutput`, and `decision` in either. */
function decidingPath(object: JsonObject, above: readonly string[]): readonly string[] | undefined {
  const word = Object.keys(words).find((key) => Object.hasOwn(object, key) && words[key]?.has(object[key]))
  if (word !== undefined) return [...above, word]
  for (const key of ['hookSpecificOutput', 'decision']) {
    const inner = Object.hasOwn(object, key) && !above.includes(key) ? object[key] : undefined
    const found = isJsonObject(inner) ? decidingPath(inner, [...above, key]) : undefined
    if (found !== undefined) return found
  }
  return undefined
}
