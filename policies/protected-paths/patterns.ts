import { isLike } from 'hookgate/policy'

/** The names that a path goes through, in lower case: on many disks `.ENV` is `.env`. */
export function namesOf(path: string): readonly string[] {
  const names: string[] = []
  for (const name of path.toLowerCase().split(/[/\\]/)) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return names
}

/**
 * True if a path matches a pattern, or is below one that does, both by name: `.git` is any folder or file of that name, `a/b` any `b` in
 * an `a`, and `*` is any text of a name.
 */
export function isUnder(names: readonly string[], parts: readonly string[]): boolean {
  return parts.length > 0 && names.some((_, at) => parts.every((part, index) => isLike(names[at + index] ?? '', part)))
}
