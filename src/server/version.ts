import { createRequire } from 'node:module'
import { z } from 'zod'

/** Returns the version of this package; the client and the gate at a socket must have the same. */
export function version(): string {
  const manifest: unknown = createRequire(import.meta.url)('../../package.json')
  return z.looseObject({ version: z.string() }).parse(manifest).version
}
