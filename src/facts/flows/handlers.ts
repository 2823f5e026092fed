import type { ShellCommand, ShellFlow } from '../../model/shell.ts'
import type { CommandEffects } from '../programs/effects.ts'
import { programNamed } from '../programs/table.ts'
import { runsStdin } from './runs-stdin.ts'

/** Returns the flows between a network connection and the commands that its program starts for it. */
export function handlerFlows(
  commands: readonly ShellCommand[],
  effects: readonly CommandEffects[],
): readonly ShellFlow[] {
  const flows: ShellFlow[] = []
  for (const [at, command] of commands.entries()) {
    const { startedBy } = command
    if (startedBy === undefined || programNamed(commands[startedBy]?.program ?? '')?.row.connects !== true) continue
    const direction = effects[startedBy]?.network?.direction
    if (direction === undefined) continue
    if (direction !== 'receive' && effects[at]?.silent !== true)
      flows.push({ from: at, to: startedBy, via: 'descriptor', as: 'data' })
    if (direction === 'send' || effects[at]?.ignoresStdin === true) continue
    flows.push({ from: startedBy, to: at, via: 'descriptor', as: runsStdin(command) ? 'code' : 'data' })
  }
  return flows
}
