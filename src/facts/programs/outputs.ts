import type { ShellCommand, ShellOutput } from '../../model/shell.ts'
import type { CommandView, PreparedRow } from './row.ts'
import { programNamed } from './table.ts'
import { argsOf, readLine, subcommandIn } from './unwrap.ts'

/** Returns what the row of a command's program says of what the command prints and writes. */
export function outputsOf(command: ShellCommand): Pick<ShellCommand, 'output' | 'copies' | 'sealed'> | undefined {
  const program = programNamed(command.program)
  if (program === undefined) return undefined
  const { copies, sealed } = program.row
  const output = outputOf(command, program)
  if (output === undefined && copies === undefined && sealed === undefined) return undefined
  return {
    ...(output !== undefined && { output }),
    ...(copies && { copies }),
    ...(sealed && { sealed }),
  }
}

/** Returns what a command puts out, by its program's row or that of its subcommand. */
function outputOf(command: CommandView, program: PreparedRow): ShellOutput | undefined {
  if (!program.hasOutput) return undefined
  const { output } = program.row
  if (typeof output === 'string') return output
  const line = readLine(program, command)
  if (output !== undefined) return output(line, command)
  const sub = subcommandIn(program, line, argsOf(program, command))
  return sub && outputOf({ ...command, program: sub.name, args: sub.args }, sub.program)
}
