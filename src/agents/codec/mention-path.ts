import { fileURLToPath } from 'node:url'

/** Spaces of other widths, which Pi takes for plain ones. */
const spaces = /[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g

/** Returns the path that a tool of Pi, or of OpenClaw, makes of a text: without the `@` of a mention, or from a `file:` address. */
export function mentionedPath(text: string): string {
  const path = text.replaceAll(spaces, ' ').replace(/^@/, '')
  try {
    return path.startsWith('file://') ? fileURLToPath(path) : path
  } catch {
    return path
  }
}
