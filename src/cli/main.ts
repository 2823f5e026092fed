import { errorText, HookgateError } from '../model/errors.ts'
import { printable, quoted } from '../model/text.ts'
import { bridgedAgents } from '../service/bridge/agents.ts'
import { agentNamed, namesAgent } from './agent-named.ts'
import { type Command, type Invocation, type CommandOutput, printed, type RunMain } from './command.ts'

const olderName = async (name: string, agent: string) => (await import('./older-names.ts')).olderName(name, agent)

/** Commands, each loaded on demand: an agent waits for `run`, which needs a tenth of the code. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  run: async () => (await import('./run.ts')).runCommand,
  serve: async () => (await import('./serve.ts')).serveCommand,
  up: async () => (await import('./up.ts')).upCommand,
  down: async () => (await import('./down.ts')).downCommand,
  enable: async () => (await import('./enable.ts')).enableCommand,
  disable: async () => (await import('./disable.ts')).disableCommand,
  status: async () => (await import('./status.ts')).statusCommand,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
  emit: async () => (await import('./emit.ts')).emitCommand,
  explain: async () => (await import('./explain.ts')).explainCommand,
  check: async () => (await import('./check.ts')).checkCommand,
  log: async () => (await import('./log.ts')).logCommand,
  stats: async () => (await import('./stats.ts')).statsCommand,
  replay: async () => (await import('./replay.ts')).replayCommand,
  why: async () => (await import('./why.ts')).whyCommand,
  allow: async () => (await import('./allow.ts')).allowCommand,
  trust: async () => (await import('./trust.ts')).trustCommand,
  suggest: async () => (await import('./suggest.ts')).suggestCommand,
  import: async () => (await import('./import.ts')).importCommand,
  new: async () => (await import('./new.ts')).newCommand,
  test: async () => (await import('./test.ts')).testCommand,
  bench: async () => (await import('./bench.ts')).benchCommand,
  ui: async () => (await import('./ui.ts')).uiCommand,
  packs: async () => (await import('./packs.ts')).packsCommand,
  schema: async () => (await import('./schema.ts')).schemaCommand,
  ...Object.fromEntries([...bridgedAgents].map(([agent, { command }]) => [command, () => olderName(command, agent)])),
}

async function help(): Promise<string> {
  const lines = Object.entries(commands).map(async ([name, load]) => `  ${name.padEnd(13)}${(await load()).summary}`)
  return `hookgate: the gate in front of AI coding agents

It runs behind an agent's hook, runs every hook and evaluates every policy that applies, side by side, and gives one
answer. A hook is a program; a policy is a JavaScript or TypeScript file, evaluated in a sandbox, in microseconds.

  hookgate <command> [options]

${(await Promise.all(lines)).join('\n')}

  hookgate <command> --help     the options of a command, with examples
  hookgate --version

Put it in front of an agent with \`hookgate enable AGENT\`; \`hookgate enable --help\` lists the agents it knows.
`
}

/** Runs the command that the arguments name. @param invocationWith returns its inputs, with its own arguments */
export async function main(
  [name, ...rest]: readonly string[],
  invocationWith: (argv: readonly string[]) => Invocation,
): Promise<CommandOutput> {
  if (name === undefined) return { stdout: '', stderr: await help(), exitCode: 1 }
  if (name === '--help' || name === '-h' || name === 'help') return printed(await helpOf(rest[0] ?? ''))
  if (name === '--version' || name === '-v') return printed(`${(await import('../files/version.ts')).version()}\n`)
  const load = loaderOf(name)
  if (load === undefined) return unknown(name, rest)
  const command = await load()
  if (rest.includes('--help') || rest.includes('-h')) return printed(command.help)
  const runMain: RunMain = (words, { ask, ...inputs }) =>
    main(words, (argv) => ({ argv, env: invocationWith(argv).env, ...inputs, ...(ask !== undefined && { ask }) }))
  // Assigned, since the working directory is read late: it may have been removed.
  return printedBy(command, Object.assign(invocationWith(rest), { runMain }))
}

/** Runs a command and turns exceptions into its output. */
async function printedBy(command: Command, invocation: Invocation): Promise<CommandOutput> {
  try {
    return await command.run(invocation)
  } catch (error) {
    return failed(error)
  }
}

const loaderOf = (name: string) => (Object.hasOwn(commands, name) ? commands[name] : undefined)
const helpOf = async (name: string) => (await loaderOf(name)?.())?.help ?? help()

/**
 * Handles an unknown command. If an agent is the caller, a mistyped name must refuse, like a mistyped flag of `run`.
 */
async function unknown(name: string, rest: readonly string[]): Promise<CommandOutput> {
  const { didYouMean } = await import('../model/suggest.ts')
  const remedy = didYouMean(name, Object.keys(commands)) ?? 'see `hookgate --help`'
  const error = new HookgateError('usage', `there is no command ${quoted(name)}`, { remedy })
  if (!namesAgent([name, ...rest])) return failed(error)
  const { lastResort } = await import('../agents/last-resort.ts')
  const { readEvent } = await import('./read-event.ts')
  return lastResort(agentNamed([name, ...rest]), new TextDecoder().decode(await readEvent()), errorText(error))
}

/** Formats an error. Exit code 1 for errors of the user, 70 (EX_SOFTWARE of sysexits.h) for defects of hookgate. */
function failed(error: unknown): CommandOutput {
  const ours = error instanceof HookgateError && error.code !== 'internal'
  const stderr = `hookgate: ${printable(errorText(error))}\n`
  return { stdout: '', stderr, exitCode: ours ? 1 : 70, ...(error instanceof HookgateError && { error }) }
}
