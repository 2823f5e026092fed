import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A file of what is installed: Node strips no types of it, which the sources cannot say of themselves. */
export function built(file: string, dist = new URL('../../dist/', import.meta.url)): string {
  const path = fileURLToPath(new URL(file, dist))
  if (!existsSync(path)) throw new Error('nothing is built: `npm run build` first')
  return path
}
