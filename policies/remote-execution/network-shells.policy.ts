import { type ShellCommand, definePolicy, deny } from 'hookgate/policy'
import { shellsOut } from './code.ts'
import { networkShellExamples } from './examples/network-shells.ts'
import { isSocket } from './flowing.ts'
import { isInterpreter, isShell } from './runners.ts'
import { listeners, startsShell } from './listeners.ts'

/** True if a command's input or output is a connection. */
const isOnSocket = ({ redirections }: ShellCommand) => redirections.some(({ target }) => isSocket(target?.value))

/** Programs that connect, and are given what another is to be connected with. */
const connectors =
  /^(?:nc|ncat|netcat|nc\.traditional|nc\.openbsd|socat|socat1|telnet|openssl|cryptcat|pwncat|pwncat-cs|gs-netcat|websocat|rlwrap)$/

const refusal =
  'this gives a shell to the other end of a connection: run the commands that you need yourself, or use ssh'

export default definePolicy({
  id: 'network-shells',
  description: 'Refuses shells that can be controlled remotely',
  severity: 'critical',
  terminalOnly: true,
  on: 'PreToolUse',
  tool: 'shell',
  carried: ['machine', 'recipe', 'ci', 'container', 'prompt'],
  interest: { words: [...listeners, 'tcp udp telnet openssl websocat rlwrap'], code: true },
  params: {
    allowNetworkShells: { type: 'boolean', default: false, description: 'whether such shells are part of the work' },
  },
  decide({ shell, params }) {
    if (params.allowNetworkShells) return undefined
    for (const [at, command] of shell.commands.entries()) {
      const runsAnything = isShell(command) || isInterpreter(command) || isUnknown(command)
      // A shell with a script of its own only has its output there.
      if (runsAnything && isOnSocket(command) && command.code?.text === undefined) return deny(refusal, { at })
      if (startsShell(command)) return deny(refusal, { at })
      if (isShell(command) && startedByConnector(shell.commands, command)) return deny(refusal, { at })
      if (command.code !== undefined && shellsOut(command.code)) return deny(refusal, { at })
    }
    return undefined
  },
  examples: networkShellExamples,
})

const isUnknown = ({ program, written }: ShellCommand) => program === '' && written !== undefined

/** True if a connection starts a command, directly or through other programs. */
function startedByConnector(commands: readonly ShellCommand[], { startedBy, code }: ShellCommand): boolean {
  // A fixed script such as `-c 'uptime'` gives a remote user no control.
  if (code?.text !== undefined) return false
  const by = startedBy === undefined ? undefined : commands[startedBy]
  if (by === undefined) return false
  return connectors.test(by.program) || startedByConnector(commands, by)
}
