import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Spaces of other widths, which Pi takes for plain ones. */
const spaces = /[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g

/** Returns the path that Pi makes of a text: without the `@` of a mention, from a `file:` address, from the home. */
export function piPath(text: string, home?: string): string {
  const path = text.replaceAll(spaces, ' ').replace(/^@/, '')
  if (home !== undefined && /^~(?:\/|$)/.test(path)) return join(home, path.slice(1))
  try {
    return path.startsWith('file://') ? fileURLToPath(path) : path
  } catch {
    return path
  }
}
