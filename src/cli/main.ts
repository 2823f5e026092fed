import { errorText, HookgateError } from '../model/errors.ts'
import { printable, quoted } from '../model/text.ts'
import { bridgedAgents } from '../service/bridge/agents.ts'
import { agentNamed, namesAgent } from './start/agent-named.ts'
import { type Command, type CommandOutput, type Invocation, printed } from './command.ts'

/** Commands, each loaded on demand: an agent waits for `run`, which needs a tenth of the code. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  run: async () => (await import('./commands/run.ts')).runCommand,
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  up: async () => (await import('./commands/up.ts')).upCommand,
  down: async () => (await import('./commands/up.ts')).downCommand,
  enable: async () => (await import('./commands/enable.ts')).enableCommand,
  disable: async () => (await import('./commands/enable.ts')).disableCommand,
  status: async () => (await import('./commands/status.ts')).statusCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
  emit: async () => (await import('./commands/emit/emit.ts')).emitCommand,
  explain: async () => (await import('./commands/explain.ts')).explainCommand,
  check: async () => (await import('./commands/check/check.ts')).checkCommand,
  log: async () => (await import('./commands/log.ts')).logCommand,
  stats: async () => (await import('./commands/stats.ts')).statsCommand,
  replay: async () => (await import('./commands/replay/replay.ts')).replayCommand,
  why: async () => (await import('./commands/why.ts')).whyCommand,
  allow: async () => (await import('./commands/allow.ts')).allowCommand,
  approvals: async () => (await import('./commands/approvals/approvals.ts')).approvalsCommand,
  trust: async () => (await import('./commands/trust.ts')).trustCommand,
  suggest: async () => (await import('./commands/suggest.ts')).suggestCommand,
  import: async () => (await import('./commands/import.ts')).importCommand,
  new: async () => (await import('./commands/new/new.ts')).newCommand,
  test: async () => (await import('./commands/test.ts')).testCommand,
  bench: async () => (await import('./commands/bench.ts')).benchCommand,
  ui: async () => (await import('./commands/ui.ts')).uiCommand,
  packs: async () => (await import('./commands/packs.ts')).packsCommand,
  bundle: async () => (await import('./commands/bundle/bundle.ts')).bundleCommand,
  schema: async () => (await import('./commands/schema.ts')).schemaCommand,
  ...Object.fromEntries(
    [...bridgedAgents].map(([agent, { command }]) => [command, () => loadOlderName(command, agent)]),
  ),
}

const loadOlderName = async (name: string, agent: string) =>
  (await import('./commands/older-names.ts')).olderName(name, agent)

async function helpText(): Promise<string> {
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

/** Runs the command that the arguments name. @param invocationWith makes what the command gets, with its own arguments */
export async function main(
  [name, ...rest]: readonly string[],
  invocationWith: (argv: readonly string[]) => Invocation,
): Promise<CommandOutput> {
  if (name === undefined) return { stdout: '', stderr: await helpText(), exitCode: 1 }
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

const loaderOf = (name: string) => (Object.hasOwn(commands, name) ? commands[name] : undefined)
const helpOf = async (name: string) => (await loaderOf(name)?.())?.help ?? helpText()

/** Answers an unknown command. If an agent is the caller, a mistyped name must refuse, like a mistyped flag of `run`. */
async function refuseUnknown(name: string, rest: readonly string[]): Promise<CommandOutput> {
  const { didYouMean } = await import('../words/suggest.ts')
  const remedy = didYouMean(name, Object.keys(commands)) ?? 'see `hookgate --help`'
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
