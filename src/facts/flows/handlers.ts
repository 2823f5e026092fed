import type { ShellCommand, ShellFlow } from '../../model/shell.ts'
import type { CommandEffects } from '../programs/effects.ts'
import { runsStdin } from './runs-stdin.ts'

/** Programs that connect a command's input and output to a network connection: `socat TCP:h:1 EXEC:sh`, `ncat -e`. */
const connectors: ReadonlySet<string> = new Set([
  'socat',
  'nc',
  'ncat',
  'netcat',
  'nc.traditional',
  'websocat',
  'tcpserver',
  'xinetd',
])

/** Returns the flows between a network connection and the commands that its program starts for it. */
export function handlerFlows(
  commands: readonly ShellCommand[],
  effects: readonly CommandEffects[],
): readonly ShellFlow[] {
  const flows: ShellFlow[] = []
  for (const [at, command] of commands.entries()) {
    const { startedBy } = command
    if (startedBy === undefined || !connectors.has(commands[startedBy]?.program ?? '')) continue
    const direction = effects[startedBy]?.network?.direction
    if (direction === undefined) continue
    if (direction !== 'receive' && effects[at]?.silent !== true)
      flows.push({ from: at, to: startedBy, via: 'descriptor', as: 'data' })
    if (direction === 'send' || effects[at]?.ignoresStdin === true) continue
    flows.push({ from: startedBy, to: at, via: 'descriptor', as: runsStdin(command) ? 'code' : 'data' })
  }
  return flows
}
