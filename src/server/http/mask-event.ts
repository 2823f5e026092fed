import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import { limits } from '../../model/limits.ts'
import { maskSecrets } from '../../record/mask.ts'

/**
 * A copy of an event to be kept and looked at: secrets masked, and no more of it than a person looks through. Bounded in
 * all directions, for it may be megabytes of whatever its sender likes.
 */
export function maskEvent(event: JsonObject): JsonObject {
  let charactersLeft: number = limits.eventKeptCharactersMax
  let valuesLeft: number = limits.eventKeptValuesMax

  function text(whole: string): string {
    const max = Math.min(limits.eventKeptTextCharactersMax, charactersLeft)
    const isCut = whole.length > max
    // Masked before it is cut, and of what is masked the end is left out: half a secret would not be recognised.
    const clean = maskSecrets(isCut ? whole.slice(0, max + secretCharactersMax) : whole)
    const shown = isCut ? clean.slice(0, Math.min(max, clean.length - secretCharactersMax)).toWellFormed() : clean
    charactersLeft -= Math.min(shown.length, charactersLeft)
    return isCut ? `${shown}${cut}` : shown
  }

  const named = (key: string, value: Json, depth: number): Json =>
    typeof value === 'string' && isSecretName(key) ? '***' : masked(value, depth)

  function masked(value: Json, depth: number): Json {
    valuesLeft -= 1
    if (typeof value === 'string') return text(value)
    if (typeof value !== 'object' || value === null) return value
    if (depth >= limits.eventKeptDepthMax) return cut
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
    // Entries become own properties, whatever they are called: `__proto__` too.
    return Object.fromEntries(kept)
  }

  return object(event, 0)
}

/** Whether what has this name is a secret, whatever it looks like: `password`, `authorization`. */
const isSecretName = (name: string) => {
  const told = `${name.slice(-nameCharactersMax)}: bearer 12345678`
  return maskSecrets(told) !== told
}
const nameCharactersMax = 100

const cut = '[…]'
/** The longest secret that stands on the edge of what is cut and is still recognised. */
const secretCharactersMax = 500
