import { printedObjects, textBeside } from './printed-objects.ts'
import type { AgentName, EventName } from '../../model/event.ts'
import type { Failure } from '../../model/failure.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import { quoted, sayable } from '../../model/text.ts'
import { type Applicable, indeterminate, notApplicable, type Outcome } from '../../model/evaluation.ts'

type ValueTest = (value: string) => boolean
const one =
  (...words: readonly string[]): ValueTest =>
  (value) =>
    words.includes(value)

/**
 * The fields by which any agent may be made to hold a call back, with the values that do so.
 *
 * Keys and values are normalised here. An agent that compares case-sensitively ignores `"DENY"` as it ignores an
 * unknown word.
 */
const words: ReadonlyMap<string, ValueTest> = new Map([
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

/** The fields that may contain decisions, apart from the answer itself. */
const places: ReadonlySet<string> = new Set(['hookspecificoutput', 'decision', 'result'])

const plain = (key: string) => key.replaceAll('_', '').toLowerCase()

/** Returns whether an object has any field that an agent could read as a decision: hardly any logged object has. */
function mayDecide(object: JsonObject): boolean {
  return Object.keys(object).some((key) => words.has(plain(key)) || places.has(plain(key)))
}

/** Returns whether a field holds a call back in the protocol of any agent. */
function holdsBack(key: string, value: Json): boolean {
  const text = typeof value === 'string' || typeof value === 'boolean' ? String(value).toLowerCase() : ''
  return words.get(plain(key))?.(text) === true
}

/**
 * Finds a decision that is lost because it is in another agent's format, or in the wrong place.
 *
 * The agent for which the hook was written ignores it; its author wrongly believes in a working guard.
 *
 * @param knownFields fields whose meaning, or lack of one, the agent's own dialect has already decided
 */
export function lostDecision(
  agent: AgentName,
  event: EventName,
  answer: JsonObject,
  knownFields: readonly string[] = [],
): Failure | undefined {
  const rest = Object.entries(answer).filter(([key]) => !knownFields.includes(key))
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
  // Each place occurs in another at most once, as in `hookSpecificOutput.decision`.
  if (above.length === places.size) return undefined
  for (const [key, inner] of fields) {
    const found = isJsonObject(inner) && places.has(plain(key)) ? decidingPath(inner, [...above, key]) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** The context in which a text is searched for a lost decision. */
interface TextSearch {
  readonly agent: AgentName
  readonly event: EventName
  /** Whether the agent's protocol can express a refusal there; if not, none is lost. */
  readonly canRefuse: boolean
  /** Returns whether the agent would have read a decision from an object that stood alone. */
  readonly decides: (object: JsonObject) => boolean
}

const named = /"(?:hookSpecificOutput|permissionDecision|decision|permission)"\s*:/i

/**
 * Finds a decision in a text that is not a valid answer.
 *
 * The agent takes it for log output and silently goes ahead, although the hook's author meant to decide something.
 */
export function lostInText(printed: string, sought: TextSearch): Failure | undefined {
  const text = unwrapped(printed)
  const inOwnWords = named.test(text) || objectsThatMayDecide(text).some(sought.decides)
  const message = 'its decision is lost: there is text beside the JSON on its stdout'
  if (inOwnWords) return { code: 'badOutput', message }
  return sought.canRefuse ? lostInWordsOf(text, sought) : undefined
}

/** Finds a lost decision in any agent's format, or in text that is not JSON. */
export function lostInWordsOf(
  printed: string,
  { agent, event }: Pick<TextSearch, 'agent' | 'event'>,
): Failure | undefined {
  const text = unwrapped(printed)
  for (const object of objectsThatMayDecide(text)) {
    const lost = lostDecision(agent, event, object)
    if (lost !== undefined) return lost
  }
  const fragment = decisionOutsideJson(textBeside(text))
  if (fragment === undefined) return undefined
  return { code: 'badOutput', message: `its decision is lost: ${quoted(fragment)} is not in a JSON object` }
}

/** Selects candidates cheaply, so that a hook flooding its stdout with objects does not have each validated. */
const objectsThatMayDecide = (text: string) => printedObjects(text).objects.filter(mayDecide)

/** Matches a field and its value as JSON writes them and as Python does: `'cancel': True`. */
const field = /["'](\w+)["']\s*:\s*(?:["'](\w+)["']|(true|false)\b)/gi

/** Finds a decision in a truncated object, or in one printed by Python. */
function decisionOutsideJson(text: string): string | undefined {
  for (const [whole, key = '', word, flag] of text.matchAll(field)) {
    if (holdsBack(key, word ?? flag ?? '')) return whole
  }
  return undefined
}

/** Unwraps an output that is one JSON string, since some libraries encode JSON twice. */
function unwrapped(text: string): string {
  if (!text.trimStart().startsWith('"')) return text
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : text
  } catch {
    return text
  }
}

// The parts of an outcome that are common to the hooks of every agent.

type OutcomeParts = { readonly [Key in keyof Omit<Applicable, 'kind'>]?: Applicable[Key] | undefined }

/** Makes an outcome of its parts. Without parts the hook abstained, or, if it failed, is indeterminate. */
export function applicable({ effect, reason, obligations = [], advice = [], failure }: OutcomeParts): Outcome {
  if (effect === undefined && obligations.length + advice.length === 0) {
    return failure === undefined ? notApplicable : indeterminate(failure)
  }
  return {
    kind: 'applicable',
    ...(effect && { effect }),
    ...(effect && reason !== undefined && { reason }),
    obligations,
    advice,
    ...(failure && { failure }),
  }
}

/**
 * INVARIANT: a rewrite that cannot be carried out refuses; as a mere failure it could run the call it was meant to
 * change.
 */
export function refusedRewrite(why: string): Outcome {
  return applicable({ effect: 'deny', reason: why, failure: { code: 'notTranslatable', message: why } })
}

/** Sanitises a text for display; returns `undefined` if nothing is left. */
export function said(text: string | undefined): string | undefined {
  const clean = sayable(text ?? '')
  return clean === '' ? undefined : clean
}
