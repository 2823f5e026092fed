import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { CompiledModule } from '../../model/policy.ts'

/**
 * Reads a file that the build wrote; `undefined` if it is missing or malformed. It belongs to this program: the build
 * writes both anew each time.
 */
export function readBuilt<Content>(file: string, schema: z.ZodType<Content>): Content | undefined {
  try {
    return schema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data
  } catch {
    return undefined
  }
}

/**
 * The `imports` of a `CompiledModule`. One function checks them: there are hundreds, and the checks of a record took
 * half of the time in which all shipped policies are read.
 */
export const Imports = z.custom<CompiledModule['imports']>(
  (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isPlace),
)
const isPlace = (value: unknown) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
