import type { AgentName } from '../model/agents.ts'
import type { EventName } from '../model/event.ts'
import type { Failure } from '../model/failure.ts'
import type { JsonObject } from '../model/json.ts'
import { quoted } from '../model/text.ts'
import { holdsBack, lostDecision, mayDecide } from './lost-decision.ts'
import { printedObjects, textBeside } from './printed/objects.ts'

/** What a text is searched for. */
interface Sought {
  readonly agent: AgentName
  readonly event: EventName
  /** Whether the agent can be told a refusal there; where it cannot, none is lost. */
  readonly canRefuse: boolean
  /** Whether the agent would have heard a decision in an object that stood alone. */
  readonly hears: (object: JsonObject) => boolean
}

const named = /"(?:hookSpecificOutput|permissionDecision|decision|permission)"\s*:/i

/**
 * A decision in a text that is no answer to the agent, which takes it for a log and goes ahead without a word; the hook's
 * author meant to decide something.
 */
export function lostInText(printed: string, sought: Sought): Failure | undefined {
  const text = unwrapped(printed)
  const inOwnWords = named.test(text) || objectsThatMayDecide(text).some(sought.hears)
  const message = 'its decision is lost: there is text beside the JSON on its stdout'
  if (inOwnWords) return { code: 'badOutput', message }
  return sought.canRefuse ? lostInWordsOf(text, sought) : undefined
}

/** The same in the words of any agent, and in what is no JSON. */
export function lostInWordsOf(printed: string, { agent, event }: Pick<Sought, 'agent' | 'event'>): Failure | undefined {
  const text = unwrapped(printed)
  for (const object of objectsThatMayDecide(text)) {
    const lost = lostDecision(agent, event, object)
    if (lost !== undefined) return lost
  }
  const said = sayingNoJson(textBeside(text))
  if (said === undefined) return undefined
  return { code: 'badOutput', message: `its decision is lost: ${quoted(said)} is not in a JSON object` }
}

/** Whoever floods its stdout with objects must not have each of them held against a schema. */
const objectsThatMayDecide = (text: string) => printedObjects(text).objects.filter(mayDecide)

/** A field and its word, as JSON writes them and as Python does: `'cancel': True`. */
const field = /["'](\w+)["']\s*:\s*(?:["'](\w+)["']|(true|false)\b)/gi

/** Half an object, or what Python prints for one. */
function sayingNoJson(text: string): string | undefined {
  for (const [whole, key = '', word, flag] of text.matchAll(field)) {
    if (holdsBack(key, word ?? flag ?? '')) return whole
  }
  return undefined
}

/** Some libraries write JSON into JSON: the whole output is one text. */
function unwrapped(text: string): string {
  if (!text.trimStart().startsWith('"')) return text
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : text
  } catch {
    return text
  }
}
