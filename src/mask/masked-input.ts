import { isJsonObject, type Json, type JsonObject, parseJsonObject } from '../model/json.ts'
import { isSecretField, maskedBeginning, maskSecrets } from './mask.ts'

/** The input of a tool without its secrets. */
interface MaskedInput {
  readonly input: JsonObject
  /** False if anything of it is not as it was sent: it was masked, cut or left out. */
  readonly isWhole: boolean
}

/** Returns the name of an option that stands before its value in a list: `["--password", "two words"]`. */
const optionBefore = (value: Json | undefined): string | undefined =>
  typeof value === 'string' ? /^--?([\w-]{1,60})$/.exec(value)?.[1] : undefined

/** Masks the secrets in a tool's input, and leaves out what goes beyond a length in characters. */
export function maskedInput(input: JsonObject, charactersMax: number): MaskedInput {
  let left = charactersMax
  let isWhole = true
  /** @param name the field that the text stands in, at any depth of lists */
  function textOf(text: string, name: string): string {
    const own = isSecretField(name, text) ? '***' : maskedBeginning(text, Math.max(0, left))
    const kept = own.length > left ? `${own.slice(0, Math.max(0, left)).toWellFormed()}…` : own
    if (kept !== text) isWhole = false
    left -= kept.length
    return kept
  }
  function valueOf(value: Json, name: string): Json {
    if (typeof value === 'string') return textOf(value, name)
    if (isJsonObject(value)) return objectOf(value)
    if (!Array.isArray(value)) return value
    return listOf(value, name)
  }
  function listOf(list: readonly Json[], name: string): Json {
    const kept: Json[] = []
    for (const [at, one] of list.entries()) {
      if (hasRoom(0)) kept.push(valueOf(one, optionBefore(list[at - 1]) ?? name))
    }
    return kept
  }
  /** Each value takes some room, so that many empty ones are no way around the limit. */
  function hasRoom(length: number): boolean {
    left -= length + 4
    if (left < 0) isWhole = false
    return left >= 0
  }
  function objectOf(object: JsonObject): JsonObject {
    const fields: [string, Json][] = []
    for (const [key, value] of Object.entries(object)) {
      if (hasRoom(0)) fields.push([textOf(key, ''), valueOf(value, key)])
    }
    return Object.fromEntries(fields)
  }
  const masked = objectOf(input)
  // Texts beside each other may show a secret that none shows alone.
  const text = JSON.stringify(masked)
  const again = maskSecrets(text)
  return again === text ? { input: masked, isWhole } : { input: parseJsonObject(again) ?? {}, isWhole: false }
}
