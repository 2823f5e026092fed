import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Returns a compiled file from `dist`, for which Node does not have to strip types as it does for sources. */
export function built(file: string, dist = new URL('../../dist/', import.meta.url)): string {
  const path = fileURLToPath(new URL(file, dist))
  if (!existsSync(path)) throw new Error('nothing is built: `npm run build` first')
  return path
}
