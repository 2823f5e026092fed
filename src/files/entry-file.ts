import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The file that a thread or process begins with: the source when run from source, else what was built.
 *
 * @param from the `import.meta.url` of whoever starts it
 * @param name relative to that, without its ending
 */
export function entryFile(from: string, name: `./${string}` | `../${string}`): string {
  return fileURLToPath(new URL(`${name}${extname(from)}`, from))
}
