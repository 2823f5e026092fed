import { errorText, HookgateError } from '../model/errors.ts'
import { printable, quoted } from '../model/text.ts'
import { bridgedAgents } from '../service/bridge/agents.ts'
import { agentNamed, namesAgent } from './start/agent-named.ts'
import { type Command, type CommandOutput, type Invocation, printed } from './command.ts'

interface CommandEntry {
  /** One line for the list of commands, which loads none of them. */
  readonly summary: string
  readonly load: () => Promise<Command>
}

/** Commands, each loaded on demand: an agent waits for `run`, which needs a tenth of the code. */
const commands: Readonly<Record<string, CommandEntry>> = {
  run: {
    summary: 'decide one event: the event on stdin, the answer on stdout and in the exit code',
    load: async () => (await import('./commands/run.ts')).runCommand,
  },
  serve: {
    summary: 'run the resident gate in the foreground',
    load: async () => (await import('./commands/serve.ts')).serveCommand,
  },
  up: {
    summary: 'start the resident gate in the background, unless it is running, and wait until it answers',
    load: async () => (await import('./commands/up.ts')).upCommand,
  },
  down: {
    summary: 'stop the resident gate once it has finished the requests in progress',
    load: async () => (await import('./commands/up.ts')).downCommand,
  },
  enable: {
    summary: 'have an agent ask hookgate before it acts',
    load: async () => (await import('./commands/enable.ts')).enableCommand,
  },
  disable: {
    summary: 'undo `hookgate enable`, to the byte',
    load: async () => (await import('./commands/enable.ts')).disableCommand,
  },
  status: {
    summary: 'whether the resident gate is running, or whether one agent, or every agent, would ask it',
    load: async () => (await import('./commands/status.ts')).statusCommand,
  },
  doctor: {
    summary: 'whether hookgate is installed safely, and what your agents see when something fails',
    load: async () => (await import('./commands/doctor.ts')).doctorCommand,
  },
  emit: {
    summary: 'pass one event on to a local listener, or keep it in a file',
    load: async () => (await import('./commands/emit/emit.ts')).emitCommand,
  },
  explain: {
    summary: 'decide one tool call or event and say why: what would run, what each rule says of it',
    load: async () => (await import('./commands/explain.ts')).explainCommand,
  },
  check: {
    summary: 'every mistake in rules, hooks and policies as file:line:column, and how to fix it',
    load: async () => (await import('./commands/check/check.ts')).checkCommand,
  },
  log: {
    summary: 'what was decided: newest last, by agent, project, rule, decision or text',
    load: async () => (await import('./commands/log.ts')).logCommand,
  },
  stats: {
    summary: 'how many decisions there were, by day, agent, project and rule, and how long they took',
    load: async () => (await import('./commands/stats.ts')).statsCommand,
  },
  replay: {
    summary: 'decide past tool calls by the rules of today, or by two sets of rules, and show the difference',
    load: async () => (await import('./commands/replay/replay.ts')).replayCommand,
  },
  why: {
    summary: 'why the last refusal, or any other decision: which rule, its file and line, and what lifts it',
    load: async () => (await import('./commands/why.ts')).whyCommand,
  },
  allow: {
    summary: 'let through what was refused: once, for a session, until a day, or always',
    load: async () => (await import('./commands/allow.ts')).allowCommand,
  },
  approvals: {
    summary: 'answer the calls that wait for a person: list, watch, approve, deny',
    load: async () => (await import('./commands/approvals/approvals.ts')).approvalsCommand,
  },
  trust: {
    summary: 'pin the rules of a workspace, so that its hooks run and its policies count in full',
    load: async () => (await import('./commands/trust.ts')).trustCommand,
  },
  suggest: {
    summary: 'suggest permissions and exceptions that would have spared the most questions',
    load: async () => (await import('./commands/suggest.ts')).suggestCommand,
  },
  import: {
    summary: "write an agent's own permission rules and hooks into hookgate's hooks.json",
    load: async () => (await import('./commands/import.ts')).importCommand,
  },
  new: {
    summary: 'a starting point for a policy, a hook, or the managed file of a machine',
    load: async () => (await import('./commands/new/new.ts')).newCommand,
  },
  test: {
    summary: "run policies' examples, and report uncovered code and surviving mutants",
    load: async () => (await import('./commands/test.ts')).testCommand,
  },
  bench: {
    summary: 'measure what policies cost on their own examples',
    load: async () => (await import('./commands/bench.ts')).benchCommand,
  },
  ui: {
    summary: 'look at decisions and rules in a browser, and change what is on',
    load: async () => (await import('./commands/ui.ts')).uiCommand,
  },
  packs: {
    summary: 'the presets and packs that come with hookgate, and what each of their rules stops',
    load: async () => (await import('./commands/packs.ts')).packsCommand,
  },
  bundle: {
    summary: 'signed rules for many machines: keys, bundles, roll-out, and what this machine has of them',
    load: async () => (await import('./commands/bundle/bundle.ts')).bundleCommand,
  },
  schema: {
    summary: 'the JSON Schema of hooks.json, with the params of its policies, or of a recorded decision',
    load: async () => (await import('./commands/schema.ts')).schemaCommand,
  },
  ...Object.fromEntries(
    [...bridgedAgents].map(([agent, { command, title }]): [string, CommandEntry] => [
      command,
      {
        summary: `\`${command} --enable\`, \`--disable\` and \`--status\`: the same for ${title}; otherwise like \`emit\``,
        load: () => loadOlderName(command, agent),
      },
    ]),
  ),
}

const loadOlderName = async (name: string, agent: string) =>
  (await import('./commands/older-names.ts')).olderName(name, agent)

function helpText(): string {
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(13)}${summary}`)
  return `hookgate: the gate in front of AI coding agents

It runs behind an agent's hook, runs every hook and evaluates every policy that applies, side by side, and gives one
answer. A hook is a program; a policy is a JavaScript or TypeScript file, evaluated in a sandbox, in microseconds.

  hookgate <command> [options]

${lines.join('\n')}

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
