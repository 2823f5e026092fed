import type { ShellCommand, TouchedPath } from 'hookgate/policy'

/** True if it is certain that a file loses its content, or the end of it. */
export const isEmptied = ({ access, change }: TouchedPath): boolean =>
  access === 'write' && (change === 'emptied' || change === 'resized')

/** True if a command empties a file that it writes. Of inline code it is known only that it empties some file. */
export const leavesEmpty = ({ code }: ShellCommand, path: TouchedPath): boolean =>
  code === undefined
    ? isEmptied(path)
    : path.access === 'write' && path.metadata !== true && code.does.includes('empties')
