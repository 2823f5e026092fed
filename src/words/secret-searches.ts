import type { TouchedPath } from '../model/shell.ts'

/** Matches a search pattern that finds secrets: beginnings of keys, and names of variables that hold secrets. */
const keyLike =
  /\bA[KS]IA|BEGIN(?:(?!BEGIN)[^"'])*PRIVATE|PRIVATE KEY|\bgh[pousr]_|github_pat_|\bglpat-|\bxox[[a-z]|\b[sr]k_live|\bsk-|\bAIza|\bnpm_|\bhf_|passw(?:or)?d|secret|\btoken|api[_.-]?key|credential/i

/** True if a search pattern finds secrets. */
export const findsSecrets = (pattern: string): boolean => keyLike.test(pattern)

const wide = /^\/(?:home|root|users|etc|var|opt)?\/?$/i

/** True if a whole home, or a whole machine, is read recursively. */
export const isWideRead = ({ access, recursive, absolute = '', inHome }: TouchedPath) =>
  access === 'read' && recursive === true && (inHome === '' || wide.test(absolute))

/** True if a regular expression matches nearly every line: without its operators, at most one character is left. */
export const fitsAll = (pattern: string): boolean =>
  !pattern.includes('/') && withoutSets(pattern).replaceAll(/\\[a-z]|\{[\d,]*\}|[.*+?^$()|]/gi, '').length < 2

/** Returns a regular expression with a dot for each set of characters that is closed. */
const withoutSets = (pattern: string) =>
  pattern.replaceAll(/\[[^\]]*(?:\]|$)/g, (set) => (set.endsWith(']') ? '.' : set))
