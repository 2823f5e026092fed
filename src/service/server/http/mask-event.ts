import { isJsonObject, type Json, type JsonObject } from '../../../model/json.ts'
import { isSecretField, maskedBeginning } from '../../../mask/mask.ts'

/**
 * Copies an event to be kept and shown: masks secrets, and bounds depth, values and text lengths, since the sender may
 * send megabytes of anything.
 */
export function maskEvent(event: JsonObject): JsonObject {
  let charactersLeft: number = eventKeptCharactersMax
  let valuesLeft: number = eventKeptValuesMax

  function text(whole: string): string {
    const max = Math.min(eventKeptTextCharactersMax, charactersLeft)
    const isCut = whole.length > max
    const clean = maskedBeginning(whole, max)
    const shown = isCut ? clean.slice(0, max).toWellFormed() : clean
    charactersLeft -= Math.min(shown.length, charactersLeft)
    return isCut ? `${shown}${cut}` : shown
  }

  const named = (key: string, value: Json, depth: number): Json =>
    typeof value === 'string' && isSecretField(key.slice(-nameCharactersMax), value) ? '***' : masked(value, depth)

  function masked(value: Json, depth: number): Json {
    valuesLeft -= 1
    if (typeof value === 'string') return text(value)
    if (typeof value !== 'object' || value === null) return value
    if (depth >= eventKeptDepthMax) return cut
    return isJsonObject(value) ? object(value, depth) : listed(value, depth)
  }

  function listed(list: readonly Json[], depth: number): Json {
    const kept: Json[] = []
    for (const item of list) {
      if (valuesLeft <= 0) return [...kept, cut]
      kept.push(masked(item, depth + 1))
    }
    return kept
  }

  function object(value: JsonObject, depth: number): JsonObject {
    const kept: [string, Json][] = []
    for (const [key, item] of Object.entries(value)) {
      if (valuesLeft <= 0) {
        kept.push([cut, cut])
        break
      }
      kept.push([text(key), named(key, item, depth + 1)])
    }
    // `fromEntries` creates own properties even for the key `__proto__`.
    return Object.fromEntries(kept)
  }

  return object(event, 0)
}
/** All texts of one kept event together: as much as a person still reads. The rest is cut. */
export const eventKeptCharactersMax = 64 * 1024
/** One text of a kept event. */
export const eventKeptTextCharactersMax = 4096
/** Values of one kept event: a list of numbers has no texts to cut. */
export const eventKeptValuesMax = 10_000
/** Nesting depth of a kept event: the code that shortens it recurses. */
const eventKeptDepthMax = 64

/** The end of a name says what it is the name of. */
const nameCharactersMax = 100

const cut = '[…]'
