import { printedObjects, textBeside } from './printed/objects.ts'
import type { AgentName } from '../model/agents.ts'
import type { EventName } from '../model/event.ts'
import type { Failure } from '../model/failure.ts'
import { isJsonObject, type Json, type JsonObject } from '../model/json.ts'
import { quoted } from '../model/text.ts'

type Says = (value: string) => boolean
const one =
  (...words: readonly string[]): Says =>
  (value) =>
    words.includes(value)

/**
 * How one agent or another is told to hold a call back: the field, and what it says then. Spelled as by `plain`: an agent
 * that compares letter by letter reads over `"DENY"` as over a word that it does not know.
 */
const words: ReadonlyMap<string, Says> = new Map([
  ['cancel', one('true')],
  ['review', one('true')],
  ['continue', one('false')],
  ['shouldcontinue', one('false')],
  ['decision', one('block', 'deny', 'ask')],
  ['permission', one('deny', 'ask')],
  ['permissiondecision', one('deny', 'ask', 'defer')],
  ['behavior', one('deny', 'ask')],
  ['status', one('deny', 'ask')],
  ['action', one('cancel', 'decline')],
  ['followupmessage', (value) => value.trim() !== ''],
])

/** The fields that decisions stand in besides the answer itself. */
const places: ReadonlySet<string> = new Set(['hookspecificoutput', 'decision', 'result'])

const plain = (key: string) => key.replaceAll('_', '').toLowerCase()

/** Whether an object has a field by which any agent is told something, whatever it says: nearly nothing that is logged has. */
function mayDecide(object: JsonObject): boolean {
  return Object.keys(object).some((key) => words.has(plain(key)) || places.has(plain(key)))
}

/** Whether a field holds a call back in the words of any agent. */
function holdsBack(key: string, value: Json): boolean {
  const said = typeof value === 'string' || typeof value === 'boolean' ? String(value).toLowerCase() : ''
  return words.get(plain(key))?.(said) === true
}

/**
 * An answer that decides nothing in the words of the agent the hook was written for, and holds the call back in those of
 * another, or in the wrong place. The agent reads over it; its author believes in a guard that is none.
 *
 * @param told fields of which the agent's own dialect says what they mean, or that they mean nothing there
 */
export function lostDecision(
  agent: AgentName,
  event: EventName,
  answer: JsonObject,
  told: readonly string[] = [],
): Failure | undefined {
  const rest = Object.entries(answer).filter(([key]) => !told.includes(key))
  const path = decidingPath(Object.fromEntries(rest), [])
  if (path === undefined) return undefined
  const message =
    `its decision is lost: a hook for ${agent} cannot decide with ${quoted(path.join('.'))} at ${event}; ` +
    "answer in that agent's format, or set `dialect` to the agent that it is written for"
  return { code: 'badOutput', message }
}

function decidingPath(object: JsonObject, above: readonly string[]): readonly string[] | undefined {
  const fields = Object.entries(object)
  const word = fields.find(([key, value]) => holdsBack(key, value))
  if (word !== undefined) return [...above, word[0]]
  // Each place stands in another once at most, as `hookSpecificOutput.decision` does.
  if (above.length === places.size) return undefined
  for (const [key, inner] of fields) {
    const found = isJsonObject(inner) && places.has(plain(key)) ? decidingPath(inner, [...above, key]) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

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
