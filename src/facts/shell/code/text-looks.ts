import type { ShellCode } from '../../../model/shell.ts'

/** Opens a file anew, or writes an empty text. */
const empties =
  /truncat|clear-content|,\s*(?:mode\s*=\s*)?(['"])w[bt+]*\1|,\s*(['"])\2\s*\)|write_(?:text|bytes)\(\s*b?(['"])\3|(['"])>\4|set-content[^|;]*(['"])\5/i

/** A shell's deletion, which may or may not come to a shell. */
const deletes = /\brm\s{1,9}-\w{0,9}[rf]\w{0,9}\s{1,9}(?:--\s{1,9})?(?:\/|~|\$HOME|\*)/

/** Returns what can only be told by how a text of code looks, and not of which file or process it is meant. */
export const looksOf = (text: string): ShellCode['does'] => [
  ...(empties.test(text) ? (['empties'] as const) : []),
  ...(deletes.test(text) ? (['deletes'] as const) : []),
]
