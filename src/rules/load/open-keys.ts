import { isJsonObject } from '../../model/json.ts'
import { quoted } from '../../model/text.ts'
import type { Path } from '../../model/problem.ts'
import { problem, type Reading } from './reading.ts'
import { nearestTo } from '../../model/suggest.ts'
import { heardEvents, knownKeys, levelKeys, ownKeys } from './wire.ts'

type Level = keyof typeof levelKeys

/**
 * Reports odd keys of an object that may have unknown keys: those that are misspelt or misplaced known keys.
 *
 * INVARIANT: if the key meant is one that only hookgate has, the file does not load, since its author relies on it.
 */
export function tellOddKeys(reading: Reading, level: Level, value: unknown, path: Path): void {
  if (!isJsonObject(value)) return
  const known: readonly string[] = levelKeys[level]
  const odd = Object.keys(value).flatMap((key) => {
    if (known.includes(key)) return []
    const meant = nearestTo(key, known)
    const misplaced = meant === undefined && isElsewhere(level, key) ? key : undefined
    const name = meant ?? misplaced
    if (name === undefined) return []
    const remedy = misplaced === undefined ? `did you mean \`${name}\`?` : knownKeys.get(misplaced)
    return [{ key, severity: ownKeys.has(name) ? 'error' : 'warning', remedy } as const]
  })
  for (const { key, severity, remedy } of odd) {
    problem(reading, severity, [...path, key], 'key', `unknown key ${quoted(key)}`, remedy)
  }
}

/** Returns whether a key is known at another level. Beside `hooks`, an agent has settings of many names. */
function isElsewhere(level: Level, key: string): boolean {
  if (level === 'file') return ownKeys.has(key) || heardEvents.includes(key)
  return knownKeys.has(key) && !notes.has(key)
}

/** Keys with text for people, which may appear anywhere. */
const notes: ReadonlySet<string> = new Set(['description', '$schema', 'statusMessage'])
