import { quoted } from '../../model/text.ts'

/** The reason why a fact is unavailable: one line, safe to show. */
export interface Missing {
  readonly missing: string
}

/** Builds a `Missing`. INVARIANT: `what` is a path or name, shown quoted; no file content is ever included. */
export function missing(what: string, why: string): Missing {
  return { missing: `${quoted(what)} ${why}` }
}

export function isMissing(value: object): value is Missing {
  return 'missing' in value
}

/** Translates a system error into words that follow the name of the file. */
export function whyNot(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  return reasons.get(code) ?? `cannot be read: the system says ${quoted(code)}`
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'does not exist'],
  ['ENOTDIR', 'does not exist'],
  ['ENAMETOOLONG', 'is longer than a path can be'],
  ['EACCES', 'cannot be read: permission denied'],
  ['EPERM', 'cannot be read: permission denied'],
  // A regular file was seen a moment ago, and a link or a socket has taken its place.
  ['ELOOP', 'was replaced while it was being read'],
  ['ENXIO', 'was replaced while it was being read'],
])
