import type { Found } from '../found.ts'
import type { CodeSurroundings } from '../recognised.ts'

export { recogniseAwk } from './awk.ts'
export { recogniseCmd } from './cmd.ts'
export { recognisePowershell } from './powershell.ts'
export { recogniseSql } from './sql.ts'

/** A language of commands and few expressions, which has a reader of its own. */
export type CommandLanguage = (source: string, found: Found, around: CodeSurroundings) => void
