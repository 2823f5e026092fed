import { createRequire } from 'node:module'
import { z } from 'zod'

/** The version of this package, which two ends of a socket must have in common. */
export function version(): string {
  const manifest: unknown = createRequire(import.meta.url)('../../package.json')
  return z.looseObject({ version: z.string() }).parse(manifest).version
}
