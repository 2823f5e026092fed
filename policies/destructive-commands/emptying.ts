import type { ShellCommand, TouchedPath } from 'hookgate/policy'

/** True if nothing of what was in a file is left there for certain. */
export const isEmptied = ({ access, change }: TouchedPath): boolean =>
  access === 'write' && (change === 'emptied' || change === 'resized')

/** Code that opens a file anew or writes an empty text. */
const emptyingCode =
  /truncat|clear-content|,\s*(?:mode\s*=\s*)?(['"])w[bt+]*\1|,\s*(['"])\2\s*\)|write_(?:text|bytes)\(\s*b?(['"])\3|(['"])>\4|set-content[^|;]*(['"])\5/i

/** True if a command leaves a file empty that it writes; what inline code writes is not known, only that it begins anew. */
export const leavesEmpty = ({ code }: ShellCommand, path: TouchedPath): boolean =>
  code === undefined
    ? isEmptied(path)
    : path.access === 'write' && path.metadata !== true && emptyingCode.test(code.text ?? '')
