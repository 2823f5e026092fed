/**
 * Which path is in which folder, and which name is like which pattern, by their texts: no disk is asked. Paths are written
 * with `/`, either all of them absolute or all of them relative to one folder, and without `.` and `..`. Paths of this
 * machine, as its system writes them, are compared by `machine-paths.ts` beside this, those of a call by `facts/paths/place.ts`.
 */

/** True if a path is a folder or below it. The folder may end in `/`, and `/` has all absolute paths below it. */
export const isWithin = (path: string, folder: string): boolean =>
  path.startsWith(folder) &&
  (path.length === folder.length || folder.endsWith('/') || path.charCodeAt(folder.length) === slash)
const slash = 47

/** True if a path is below a folder, and not the folder itself. */
export const isInside = (path: string, folder: string): boolean =>
  path.length !== folder.length && isWithin(path, folder)

/** Returns the way from a folder to a path in it: `''` for the folder itself, `undefined` for a path outside. */
export function wayWithin(path: string, folder: string): string | undefined {
  if (!isWithin(path, folder)) return undefined
  return path.slice(folder.endsWith('/') ? folder.length : folder.length + 1)
}

/** Returns the root that a path is in. One of `/` holds nothing: a session there has no project of its own. */
export const rootAround = (path: string, roots: readonly string[]): string | undefined =>
  roots.find((root) => root !== '/' && isWithin(path, root))

/** True if a name matches a pattern, in which `*` is any text, also none. In linear time: the pattern may be untrusted. */
export function isLike(name: string, pattern: string): boolean {
  const [first = '', ...parts] = pattern.split('*')
  const last = parts.pop()
  if (last === undefined) return name === pattern
  const end = name.length - last.length
  if (first.length > end || !name.startsWith(first) || !name.endsWith(last)) return false
  let at = first.length
  for (const part of parts) {
    const found = name.indexOf(part, at)
    if (found === -1 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}
