import { hash, randomBytes } from 'node:crypto'
import { maskSecrets } from '../mask/mask.ts'
import { randomWindows } from '../mask/random.ts'
import type { ToolUse } from '../model/event.ts'
import { isJsonObject, type Json } from '../model/json.ts'
import { pastLimits } from '../model/past-limits.ts'
import type { ReusedValue, SeenStep } from '../model/past.ts'

/**
 * Recognizes the secrets of outputs in later calls, without keeping them: of each value, only keyed digests of all its
 * windows are kept, and the key goes with the session.
 *
 * A window is always of the value itself, as long as `randomWindows` says. Encoded texts are decoded before they are looked at:
 * digests of windows of an encoded form would be of few characters of the value, which could be guessed.
 */

/** What is kept of one value. */
interface SeenValue {
  readonly digests: readonly string[]
}

/** A value that is known, by one of its windows. */
export interface KnownValue {
  readonly id: number
  /** How many windows the value has. */
  readonly windows: number
  readonly step: SeenStep
}

/** The values of one session. */
export interface ValueStore {
  /** The key of the session's digests; `undefined` if no value was seen. */
  readonly key: string
  /** Set if there were more values than are kept: the step that had them. */
  readonly overflow: SeenStep | undefined
  readonly find: (digest: string) => KnownValue | undefined
}

export const newValueKey = (): string => randomBytes(32).toString('base64')

/** A fixed key before a text of a fixed length needs no more than a hash. 64 bits are no accident in any session. */
const digestOf = (key: string, window: string) => hash('sha256', key + window, 'base64').slice(0, 11)

/** Returns the secrets that an output holds, as their random parts. */
export function secretsOf(output: Json): readonly string[] {
  const values = new Set<string>()
  let left: number = pastLimits.outputCharactersMax
  const seen = (value: string) => {
    const part = randomPart(value)
    if (values.size <= pastLimits.valuesMax && randomWindows(part).next().done !== true) values.add(part)
  }
  const look = (text: string) => {
    const some = text.slice(0, Math.max(0, left))
    left -= some.length
    maskSecrets(some, 'value', seen)
  }
  for (const text of textsOf(output)) look(text)
  // A field's name may say that its text is secret.
  if (typeof output !== 'string' && left > 0) look(JSON.stringify(output))
  return [...values]
}

/** Characters of a value that are kept, from its end: the beginnings of keys are alike. */
const valueCharactersMax = 512
const beginning = /^(?:[A-Za-z]{1,10}\d{0,3}[_-]){1,3}/

/** Returns a value without what others of its kind have as well: frames of keys, prefixes, the claims of a web token. */
function randomPart(value: string): string {
  const bare = value.replaceAll(/-----[A-Z ]+-----/g, '').replaceAll(/\s|\\[nr]/g, '')
  const own = bare.startsWith('eyJ') ? bare.slice(bare.lastIndexOf('.') + 1) : bare.replace(beginning, '')
  return own.includes('***') ? '' : own.slice(-valueCharactersMax)
}

export const seenValue = (value: string, key: string): SeenValue => ({
  digests: [...new Set([...randomWindows(value)].map((window) => digestOf(key, window)))],
})

/** Returns all that a call says, each text once. */
export function textsOfCall(tool: ToolUse | undefined): readonly string[] {
  if (tool === undefined) return []
  const { input, command, url, content } = tool
  return [...new Set([...textsOf(input), command ?? '', url ?? '', content ?? ''])]
}

/** Returns all strings of a value, and the names of fields. */
function textsOf(value: Json): readonly string[] {
  const texts: string[] = []
  // One list for all: of lists in lists, each would be copied once for every list around it.
  const walk = (one: Json): void => {
    if (typeof one === 'string') texts.push(one)
    else if (Array.isArray(one)) one.forEach((item: Json) => walk(item))
    else if (isJsonObject(one))
      for (const [name, item] of Object.entries(one)) {
        texts.push(name)
        walk(item)
      }
  }
  walk(value)
  return texts
}

/** How often a text is decoded again: base64 of base64. */
const decodingsMax = 2

/** Returns what a text may stand for: itself decoded, as often as anybody encodes. */
function decoded(text: string): readonly string[] {
  const found: string[] = []
  const characters = text
    .replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) => characterOf(code))
    .replaceAll(/\\x([0-9a-f]{2})|\\u00([0-9a-f]{2})/gi, (_, short?: string, long?: string) =>
      characterOf(short ?? long ?? ''),
    )
  if (characters !== text) found.push(characters)
  for (const [run] of text.matchAll(/[0-9a-f]{24,}/gi))
    for (const from of [0, 1]) found.push(Buffer.from(run.slice(from), 'hex').toString('latin1'))
  // Something else may stand directly before it.
  for (const [run] of text.matchAll(/[\w+/-]{16,}/g))
    for (const from of [0, 1, 2, 3]) found.push(Buffer.from(run.slice(from), 'base64').toString('latin1'))
  return found
}
const characterOf = (code: string) => String.fromCharCode(Number.parseInt(code, 16))

/** A text in which whatever separates digits may be left out, in UTF-16 units: names of hosts and commands are no longer. */
const separatedCharactersMax = 16_384

/** Returns a text, and what it may be whole: quotes and blanks stand between parts, in `'a''b'` and lines of base64, or dots in the name of a host. */
function joined(text: string): readonly string[] {
  const unquoted = text.replaceAll(/["'`\\\s]+/g, '')
  return text.length > separatedCharactersMax
    ? [text, unquoted]
    : [...new Set([text, unquoted, unquoted.replaceAll(/[.,:;|]+/g, '')])]
}

/** Looks for the values of a session in the texts of a call. */
export function reusedIn(texts: readonly string[], store: ValueStore): ReusedValue | undefined {
  if (store.overflow !== undefined) return { form: 'unknown', step: store.overflow }
  const looked = new Set<string>()
  const matched = new Map<number, { readonly value: KnownValue; readonly windows: Set<string>; depth: number }>()
  let isTooMuch = false
  const look = (text: string, depth: number) => {
    for (const window of randomWindows(text)) {
      if (looked.has(window)) continue
      if (looked.size >= pastLimits.windowsLookedUpMax) {
        isTooMuch = true
        return
      }
      looked.add(window)
      const value = store.find(digestOf(store.key, window))
      if (value === undefined) continue
      const match = matched.get(value.id) ?? { value, windows: new Set<string>(), depth }
      match.windows.add(window)
      matched.set(value.id, match)
    }
  }
  let level = texts.flatMap(joined)
  for (let depth = 0; depth <= decodingsMax; depth += 1) {
    for (const text of level) look(text, depth)
    const sum = level.reduce((length, text) => length + text.length, 0)
    if (sum > pastLimits.decodedCharactersMax) isTooMuch = true
    if (depth < decodingsMax && !isTooMuch) level = level.flatMap(decoded)
  }
  const [first] = matched.values()
  if (first === undefined) return isTooMuch ? { form: 'unknown' } : undefined
  const { value, windows, depth } = first
  return { form: depth > 0 ? 'encoded' : windows.size >= value.windows ? 'whole' : 'part', step: value.step }
}
