import { errorText, HookgateError } from '../model/errors.ts'
import { printable, quoted } from '../model/text.ts'
import { agentNamed, namesAgent } from './start/agent-named.ts'
import { type Command, type CommandOutput, type Invocation, printed } from './command.ts'
import { commandGroups, commands, otherWords } from './command-list.ts'

function helpText(): string {
  const groups = Object.entries(commandGroups).map(([title, group]) => {
    const lines = Object.entries(group).map(([name, { summary }]) => `  ${name.padEnd(13)}${summary}\n`)
    return `${title}\n${lines.join('')}`
  })
  return `hookgate: the gate in front of AI coding agents

It runs behind an agent's hook, runs every hook and evaluates every policy that applies, side by side, and gives one
answer. A hook is a program; a policy is a JavaScript or TypeScript file, evaluated in a sandbox, in microseconds.

  hookgate init                 protects the agents on this machine
  hookgate <command> --help     the options of a command, with examples
  hookgate --version

${groups.join('\n')}`
}

/** Runs the command that the arguments name. @param invocationWith makes what the command gets, with its own arguments */
export async function main(
  [name, ...rest]: readonly string[],
  invocationWith: (argv: readonly string[]) => Invocation,
): Promise<CommandOutput> {
  if (name === undefined) return { stdout: '', stderr: helpText(), exitCode: 1 }
  if (name === '--help' || name === '-h' || name === 'help') return printed(await helpOf(rest[0] ?? ''))
  if (name === '--version' || name === '-v')
    return printed(`${(await import('../files/program-files.ts')).version()}\n`)
  const load = loaderOf(name)
  if (load === undefined) return refuseUnknown(name, rest)
  const command = await load()
  if (rest.includes('--help') || rest.includes('-h')) return printed(command.help)
  return runCommand(command, invocationWith(rest))
}

/** Runs a command and turns exceptions into its output. */
async function runCommand(command: Command, invocation: Invocation): Promise<CommandOutput> {
  try {
    return await command.run(invocation)
  } catch (error) {
    return failureOutput(error)
  }
}

/** Tells whether a word is a command, or asks for the list of them. */
export const isCommand = (name: string): boolean =>
  name === '--help' || name === 'help' || Object.hasOwn(commands, name)

const loaderOf = (name: string) => (Object.hasOwn(commands, name) ? commands[name]?.load : undefined)
const helpOf = async (name: string) => (await loaderOf(name)?.())?.help ?? helpText()

/** Answers an unknown command. If an agent is the caller, a mistyped name must refuse, like a mistyped flag of `run`. */
async function refuseUnknown(name: string, rest: readonly string[]): Promise<CommandOutput> {
  const { didYouMean } = await import('../words/suggest.ts')
  const meant = Object.hasOwn(otherWords, name) ? otherWords[name] : undefined
  const remedy = meant ?? didYouMean(name, Object.keys(commands)) ?? 'see `hookgate --help`'
  const error = new HookgateError('usage', `there is no command ${quoted(name)}`, { remedy })
  if (!namesAgent([name, ...rest])) return failureOutput(error)
  const { lastResort } = await import('../agents/last-resort.ts')
  const { readEvent } = await import('./args/read-event.ts')
  return lastResort(agentNamed([name, ...rest]), new TextDecoder().decode(await readEvent()), errorText(error))
}

/** Formats an error. Exit code 1 for errors of the user, 70 (EX_SOFTWARE of sysexits.h) for defects of hookgate. */
function failureOutput(error: unknown): CommandOutput {
  const ours = error instanceof HookgateError && error.code !== 'internal'
  const stderr = `hookgate: ${printable(errorText(error))}\n`
  return { stdout: '', stderr, exitCode: ours ? 1 : 70, ...(error instanceof HookgateError && { error }) }
}
