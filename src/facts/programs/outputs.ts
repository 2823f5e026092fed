import type { ShellCommand } from '../../model/shell.ts'
import { programNamed } from './table.ts'
import { readLine } from './unwrap.ts'

/** Returns what the row of a command's program says of what the command prints and writes. */
export function outputsOf(command: ShellCommand): Pick<ShellCommand, 'output' | 'copies'> | undefined {
  const program = programNamed(command.program)
  if (program === undefined) return undefined
  const { copies, output: says } = program.row
  const output = typeof says === 'function' ? says(readLine(program, command), command) : says
  if (output === undefined && copies === undefined) return undefined
  return { ...(output !== undefined && { output }), ...(copies && { copies }) }
}
