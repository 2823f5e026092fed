import { quoted } from '../../model/text.ts'

/** Why a fact cannot be had: one line, fit to be shown. */
export interface Missing {
  readonly missing: string
}

/** INVARIANT: what `what` tells of a path or name is told quoted, and of a file's content nothing is told. */
export function missing(what: string, why: string): Missing {
  return { missing: `${quoted(what)} ${why}` }
}

export function isMissing(value: object): value is Missing {
  return 'missing' in value
}

/** What the system's error means for what was being looked at. */
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
  // A link or a socket was put where a file was, a moment ago.
  ['ELOOP', 'was replaced while it was being read'],
  ['ENXIO', 'was replaced while it was being read'],
])
