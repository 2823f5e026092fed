import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The file that a thread or process of this room begins with: the source when run from source, else what was built. */
export function entryFile(name: 'worker' | 'sandbox-main'): string {
  return fileURLToPath(new URL(`./${name}${extname(import.meta.url)}`, import.meta.url))
}
