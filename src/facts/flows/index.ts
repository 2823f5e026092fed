import type { ShellCommand, ShellFlow, ShellSurroundings } from '../../model/shell.ts'
import { placeOf } from '../paths/index.ts'
import { type Did, describe } from '../programs/index.ts'
import { fileFlows } from './file-flows.ts'
import { handlerFlows } from './handlers.ts'
import { withLinks } from './links.ts'
import { withNamed } from './named.ts'

/** The commands with what they touch, and where bytes go between them. */
export interface Effects {
  readonly commands: readonly ShellCommand[]
  readonly flows: readonly ShellFlow[]
}

/** @param structural the flows that the shell's own words say: pipes, arguments, variables */
export function withEffects(
  commands: readonly ShellCommand[],
  structural: readonly ShellFlow[],
  around: ShellSurroundings,
): Effects {
  const { cwd: _, ...rest } = around
  const place = placeOf(rest)
  const described = commands.map((command): Did => describe(command, place))
  const dids = withLinks(withNamed(commands, described, structural))
  return {
    commands: commands.map((command, at) => withEffect(command, dids[at])),
    flows: fileFlows(commands, dids, [...structural, ...handlerFlows(commands, dids)]),
  }
}

function withEffect(command: ShellCommand, did: Did | undefined): ShellCommand {
  if (did === undefined || (did.paths.length === 0 && did.network === undefined)) return command
  const paths = command.paths.length === 0 ? did.paths : [...command.paths, ...did.paths]
  const network = command.network ?? did.network
  return { ...command, paths, ...(network !== undefined && { network }) }
}
