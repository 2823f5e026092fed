import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** All that a build is made of. */
const sources = ['src', 'policies', 'build', 'package.json', 'package-lock.json', 'tsconfig.json']

/** Holds the digest of the sources that `dist` was built from. It is not published. */
const stamp = join(root, 'dist', 'built-from')

/** Returns true if `dist` was built, as a whole, from the sources as they are now. */
export const isBuilt = (): boolean => existsSync(stamp) && readFileSync(stamp, 'utf8') === digest()

/** Marks `dist` as built from the sources. @param from their digest when the build began */
export const markBuilt = (from: string): void => writeFileSync(stamp, from)

export function digest(): string {
  const hash = createHash('sha256')
  for (const file of sources.flatMap(filesIn))
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  return hash.digest('hex')
}

/** Lists the files below a folder, or the file itself, in an order that is always the same. */
function filesIn(name: string): readonly string[] {
  const path = join(root, name)
  if (!existsSync(path)) return []
  if (!/^[a-z]+$/.test(name)) return [name]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((file) => file.slice(root.length))
}
