import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { z } from 'zod'
import { programFolder } from '../../files/program-files.ts'

export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** The `imports` of a `CompiledModule`. */
export const Imports = z.record(z.string(), z.int().nonnegative())

/** The part that all files written by the build share. */
export const MadeBy = z.strictObject({
  /** SHA-256 of the compiler's and the library's source files, by path relative to the program's folder. */
  madeBy: z.record(z.string(), Sha256),
})

/** Reads a file that the build wrote; `undefined` if it is missing, malformed, or made by another version. */
export function readBuilt<Whole extends z.infer<typeof MadeBy>>(
  file: string,
  schema: z.ZodType<Whole>,
): Whole | undefined {
  try {
    const { data } = schema.safeParse(JSON.parse(readFileSync(file, 'utf8')))
    return data !== undefined && isOwn(data.madeBy) ? data : undefined
  } catch {
    return undefined
  }
}

/** @throws if a file cannot be read */
function isOwn(madeBy: Readonly<Record<string, string>>): boolean {
  return Object.entries(madeBy).every(([file, sha256]) => hashOf(join(programFolder, file)) === sha256)
}

/** Returns the SHA-256 of a file of the program, in hex. */
export const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

/** Returns a path as the built files contain it: relative, with slashes. */
export const builtPath = (folder: string, file: string) => relative(folder, file).replaceAll(sep, '/')
