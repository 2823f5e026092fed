import type { TouchedPath } from '../model/shell.ts'

/** A pattern that finds secrets: how keys begin, and the names under which they stand. */
const keyLike =
  /\bA[KS]IA|BEGIN[^"']*PRIVATE|PRIVATE KEY|\bgh[pousr]_|github_pat_|\bglpat-|\bxox[[a-z]|\b[sr]k_live|\bsk-|\bAIza|\bnpm_|\bhf_|passw(?:or)?d|secret|\btoken|api[_.-]?key|credential/i

/** True if a pattern finds secrets. */
export const findsSecrets = (pattern: string): boolean => keyLike.test(pattern)

const wide = /^\/(?:home|root|users|etc|var|opt)?\/?$/i

/** True if a path is read with all that is below it, and is a whole home, or a whole machine's. */
export const isWideRead = ({ access, recursive, absolute = '', inHome }: TouchedPath) =>
  access === 'read' && recursive === true && (inHome === '' || wide.test(absolute))

/** True if nearly every line fits a regular expression: without its signs, at most one character is left. */
export const fitsAll = (pattern: string): boolean =>
  !pattern.includes('/') && pattern.replaceAll(/\\[a-z]|\[[^\]]*\]|\{[\d,]*\}|[.*+?^$()|]/gi, '').length < 2
