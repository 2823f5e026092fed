import { isJsonObject, type Json } from '../../model/json.ts'
import { shellWord } from '../../model/text.ts'

/**
 * Returns a member of a list of commands as a text for the shell. `{command, args}` runs without one, so its words are
 * quoted to stay intact.
 *
 * @returns undefined if it cannot be read
 */
export function commandLine(entry: Json | undefined): string | undefined {
  if (typeof entry === 'string') return entry
  if (!isJsonObject(entry) || typeof entry['command'] !== 'string') return undefined
  const words = [entry['args'] ?? []].flat()
  return words.every((word) => typeof word === 'string')
    ? [entry['command'], ...words.map(shellWord)].join(' ')
    : undefined
}
