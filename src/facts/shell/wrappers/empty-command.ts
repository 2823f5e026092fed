import type { ShellCommand } from '../../../model/shell.ts'

/** A command of nothing, to read other words with than those that stand there. */
export const emptyCommand: ShellCommand = {
  program: '',
  args: [],
  assignments: [],
  redirections: [],
  reach: [],
  paths: [],
  uncertain: [],
  place: { start: 0, end: 0 },
}
