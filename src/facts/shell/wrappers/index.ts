import type { Unwrap } from '../unwrap.ts'

/** What each program that starts others makes of its command line, by the program's name. */
export const wrappers: ReadonlyMap<string, Unwrap> = new Map()
