import { limits } from '../../model/limits.ts'
import { quoted } from '../../model/text.ts'

/** Quotes a part of a source on one line. Reads only as much as may be shown, because parts can be large and nested. */
export function glimpse(text: string, { start, end }: { readonly start: number; readonly end: number }): string {
  const beginning = text.slice(start, Math.min(end, start + 10 * limits.quotedCharactersMax))
  return quoted(beginning.replaceAll(/\s+/g, ' '))
}
