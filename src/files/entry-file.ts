import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Returns the entry file of a worker thread or child process: the `.ts` source if run from source, otherwise the build.
 *
 * @param from the `import.meta.url` of the module that starts it
 * @param name the path relative to `from`, without the extension
 */
export function entryFile(from: string, name: `./${string}` | `../${string}`): string {
  return fileURLToPath(new URL(`${name}${extname(from)}`, from))
}
