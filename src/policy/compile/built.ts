import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { z } from 'zod'
import { programFolder } from '../../files/policy-files.ts'

export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** The `imports` of a `CompiledModule`. */
export const Imports = z.record(z.string(), z.int().nonnegative())

/** What every file that the build writes begins with. */
export const Made = z.strictObject({
  /** What has compiled it, and what the library is made of, below the program's own folder: files, and their content. */
  madeBy: z.record(z.string(), Sha256),
})

/** What the build has written; `undefined` where there is none, or none that is understood, or another program's. */
export function readBuilt<Whole extends z.infer<typeof Made>>(
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

/** @throws where one of them cannot be read */
function isOwn(madeBy: Readonly<Record<string, string>>): boolean {
  return Object.entries(madeBy).every(([file, sha256]) => hashOf(join(programFolder, file)) === sha256)
}

/** The SHA-256 of a file of the program. */
export const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

/** A path as it is written: relative, with slashes. */
export const builtPath = (folder: string, file: string) => relative(folder, file).replaceAll(sep, '/')
