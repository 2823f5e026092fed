import type { EncodedInput, PolicyInput, TextPlace } from '../../model/policy.ts'

/** Encodes an input for the sandbox, without writing its long texts as JSON. */
export function encodeInput(input: PolicyInput): EncodedInput {
  const lifted: Lifted = { texts: [], places: [], at: [], left: policyRawLooksMax }
  const event = withoutTexts(input.event, 'event', lifted)
  const tool = withoutTexts(input.tool, 'tool', lifted)
  const changes = withoutTexts(input.changes, 'changes', lifted)
  const { texts, places } = lifted
  return texts.length === 0
    ? [JSON.stringify(input)]
    : [JSON.stringify({ ...input, event, tool, changes, texts: places }), ...texts]
}

/** Counts the UTF-16 units of an input. */
export function sizeOfInput(input: EncodedInput): number {
  let size = 0
  for (const { length } of input) size += length
  return size
}

interface Lifted {
  readonly texts: string[]
  readonly places: TextPlace[]
  /** The keys that lead to the value being looked at. */
  readonly at: (string | number)[]
  /** Values that are still looked at. */
  left: number
}

/** Returns a value with `0` in place of each long text, and the value itself if it has none. */
function withoutTexts(value: unknown, key: string | number, lifted: Lifted): unknown {
  if (typeof value === 'string') {
    if (value.length < policyRawTextCharactersMin || lifted.texts.length >= policyRawTextsMax) return value
    lifted.texts.push(value)
    lifted.places.push([...lifted.at, key])
    return 0
  }
  if (!isObject(value) || lifted.left <= 0) return value
  lifted.left -= 1
  lifted.at.push(key)
  const left = Array.isArray(value) ? listWithoutTexts(value, lifted) : objectWithoutTexts(value, lifted)
  lifted.at.pop()
  return left
}
/**
 * Texts that cross into the sandbox beside the JSON, in UTF-16 units: for a shorter one, JSON takes no longer than what
 * each text takes by itself.
 */
export const policyRawTextCharactersMin = 256
/** Texts of one event beside the JSON, as each is an argument of the call into the isolate: most events have one or two. */
export const policyRawTextsMax = 16

/** Lists and objects that are searched for long texts: one with more has few of them, and its JSON is the dearer part. */
const policyRawLooksMax = 2_000

// Not `isJsonObject`, whose file loads the schemas: the sandbox's threads load this one.
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

function listWithoutTexts(list: readonly unknown[], lifted: Lifted): readonly unknown[] {
  let copy: unknown[] | undefined
  for (let at = 0; at < list.length; at += 1) {
    const left = withoutTexts(list[at], at, lifted)
    if (left !== list[at]) (copy ??= [...list])[at] = left
  }
  return copy ?? list
}

function objectWithoutTexts(whole: Readonly<Record<string, unknown>>, lifted: Lifted): object {
  let copy: Record<string, unknown> | undefined
  for (const key of Object.keys(whole)) {
    const value = whole[key]
    const left = withoutTexts(value, key, lifted)
    if (left === value) continue
    copy ??= { ...whole }
    // The key is the copy's own already, so that even `__proto__` is only a key.
    copy[key] = left
  }
  return copy ?? whole
}
