import type { ShellCommand, TouchedPath } from 'hookgate/policy'

/** True if nothing of what was in a file is left there for certain. */
export const isEmptied = ({ access, change }: TouchedPath): boolean =>
  access === 'write' && (change === 'emptied' || change === 'resized')

/** True if a command leaves a file empty that it writes; what inline code writes is not known, only that it begins anew. */
export const leavesEmpty = ({ code }: ShellCommand, path: TouchedPath): boolean =>
  code === undefined
    ? isEmptied(path)
    : path.access === 'write' && path.metadata !== true && code.does.includes('empties')
