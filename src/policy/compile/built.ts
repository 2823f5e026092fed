import { readFileSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { z } from 'zod'

export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** The `imports` of a `CompiledModule`. */
export const Imports = z.record(z.string(), z.int().nonnegative())

/**
 * Reads a file that the build wrote; `undefined` if it is missing or malformed. It belongs to this program: the build
 * writes both anew each time.
 */
export function readBuilt<Whole>(file: string, schema: z.ZodType<Whole>): Whole | undefined {
  try {
    return schema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data
  } catch {
    return undefined
  }
}

/** Returns a path as the built files contain it: relative, with slashes. */
export const builtPath = (folder: string, file: string) => relative(folder, file).replaceAll(sep, '/')
