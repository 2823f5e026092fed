import { limits } from '../../model/limits.ts'
import { quoted } from '../../model/text.ts'

/** A part of a source in a message, on one line. Only as much of it is looked at as may be shown: parts lie within parts. */
export function glimpse(text: string, { start, end }: { readonly start: number; readonly end: number }): string {
  const beginning = text.slice(start, Math.min(end, start + 10 * limits.quotedCharactersMax))
  return quoted(beginning.replaceAll(/\s+/g, ' '))
}
