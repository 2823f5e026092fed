import { readFileSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { z } from 'zod'

export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/**
 * The `imports` of a `CompiledModule`. One function checks them: there are hundreds, and the checks of a record took
 * half of the time in which all built policies are read.
 */
export const Imports = z.custom<Readonly<Record<string, number>>>(
  (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isPlace),
)
const isPlace = (value: unknown) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

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
