import { isJsonObject, type Json, type JsonObject, textAt } from '../model/json.ts'

/** Says in the place of an output that it is withheld, and why. */
export const withheldText = (why: string): string => `[withheld by hookgate: ${why}]`

/**
 * Replaces every text of an output by nothing, and its longest by another text. The structure stays, since agents discard
 * what does not fit the tool, and would show the output; so do names of kinds, and images, which no rule can read.
 */
export function withheldOutput(output: Json, text: string): Json {
  if (typeof output === 'string') return text
  if (isBlocks(output)) return [{ type: 'text', text }]
  let longest = ''
  const look = (value: Json): void => {
    if (typeof value === 'string') longest = value.length > longest.length ? value : longest
    else if (isJsonObject(value)) {
      for (const [key, one] of fieldsOf(value)) if (!isKept(key, one)) look(one)
    } else for (const one of isList(value) ? [] : listOf(value)) look(one)
  }
  look(output)
  let isSaid = false
  const emptied = (value: Json): Json => {
    if (typeof value === 'string') {
      const isHere = !isSaid && value === longest
      isSaid ||= isHere
      return isHere ? text : ''
    }
    if (isBlocks(value)) {
      isSaid = true
      return [{ type: 'text', text }]
    }
    if (!isJsonObject(value)) return Array.isArray(value) ? (isList(value) ? [] : listOf(value).map(emptied)) : value
    const kept = fieldsOf(value).map(([key, one]) => [key, isKept(key, one) ? one : emptied(one)] as const)
    return { ...(isMedia(value) ? value : {}), ...Object.fromEntries(kept) }
  }
  const changed = emptied(output)
  return isSaid ? changed : isJsonObject(changed) ? changed : text
}

/** The content of a server's tool: texts, images and links, each with its type. */
const isBlocks = (value: Json): value is JsonObject[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => isJsonObject(one) && typeof one['type'] === 'string')

const listOf = (value: Json): readonly Json[] => (Array.isArray(value) ? value.map((one: Json) => one) : [])
const isList = (value: Json): boolean => listOf(value).every((one) => typeof one === 'string')

const isKept = (key: string, value: Json): boolean =>
  typeof value === 'string' && namesKind.test(key) && /^[\w/+.-]{1,40}$/.test(value)
const namesKind = /^(?:type|mode|kind|status|role|mimeType|media_?type|result_?type)$/i

const mediaFields: ReadonlySet<string> = new Set(['data', 'base64', 'blob'])
const fieldsOf = (value: JsonObject) =>
  Object.entries(value).filter(([key]) => !(isMedia(value) && mediaFields.has(key)))

/** Whether a field of an object is an image or a sound, in which forms of secrets stand by accident. */
export const isMediaField = (value: JsonObject, key: string): boolean => mediaFields.has(key) && isMedia(value)

const isMedia = (value: JsonObject): boolean =>
  ['mimeType', 'media_type', 'mediaType', 'type'].some((key) =>
    /^(?:image|audio|video)(?:\/|$)/.test(textAt(value, key) ?? ''),
  )
