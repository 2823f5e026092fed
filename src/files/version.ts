import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject } from '../model/json.ts'
import { packageFolder } from './program-files.ts'

/** Returns the version of this package; the client and the gate at a socket must have the same. */
export function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'))
  return isJsonObject(manifest) && typeof manifest['version'] === 'string' ? manifest['version'] : ''
}
