import { isAbsolute, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { bridgedAgents } from '../../../service/bridge/agents.ts'
import { emit } from '../../../service/bridge/emit.ts'
import { homeFolder } from '../../../files/home-folder.ts'
import { errorText, HookgateError } from '../../../model/errors.ts'
import { httpPortUsual } from '../../../model/limits.ts'
import { choiceOf, printable } from '../../../model/text.ts'
import { type Command, type CommandOutput, type Invocation, invocationOf, usage } from '../../command.ts'
import { portOf } from '../../args/flags.ts'
import { readEvent } from '../../args/read-event.ts'

// INVARIANT: neither this module nor its imports load zod or a dialect. An agent waits while each event is forwarded,
// and most of that time is spent on loading modules.

export const emitCommand = emitFor('emit', undefined)

/** Creates the command of a name, for the events of one agent or of all. */
export function emitFor(name: string, agent: string | undefined): Command {
  return {
    help: helpOf(name),
    run: (invocation) => run(name, agent, invocation),
  }
}

/** Runs a command that only forwards an event, without loading the code of other commands. */
export function observe(name: string, argv: readonly string[], isFolderGone: boolean): Promise<CommandOutput> {
  const agent = [...bridgedAgents].find(([, { command }]) => command === name)?.[0]
  return emitFor(name, agent).run(invocationOf(argv, readEvent(), isFolderGone))
}

async function run(name: string, agent: string | undefined, invocation: Invocation): Promise<CommandOutput> {
  try {
    const { argv, stdin, env } = invocation
    const flags = flagsOf(name, argv)
    const home = homeFolder(env['HOME'])
    const whereabouts = { env, platform: process.platform, uid: process.getuid?.(), home }
    const { kept, notes } = await emit({
      wire: await stdin,
      agent: agentOf(name, flags.agent ?? agent),
      port: flags.port,
      token: async () => (await import('./gate-token.ts')).gateToken(flags.port, whereabouts),
      folder: flags.dir === undefined ? undefined : absoluteFolder(withHome(flags.dir, home), invocation),
      home,
    })
    return { stdout: '', stderr: notes.map(line).join(''), exitCode: kept ? 0 : 1 }
  } catch (error) {
    return { stdout: '', stderr: line(errorText(error)), exitCode: 1 }
  }
}

const line = (text: string) => `hookgate: ${printable(text).replaceAll('\n', ' ')}\n`

function flagsOf(name: string, argv: readonly string[]) {
  const options = { port: { type: 'string' }, dir: { type: 'string' }, agent: { type: 'string' } } as const
  try {
    const { port = `${httpPortUsual}`, dir, agent } = parseArgs({ args: [...argv], options, strict: true }).values
    if (dir === '') throw usage('--dir must be a folder', name)
    return { port: portOf(name, 'port', port), dir, agent }
  } catch (cause) {
    if (cause instanceof HookgateError) throw cause
    throw usage(errorText(cause).split('. ')[0] ?? '', name)
  }
}

function agentOf(name: string, agent: string | undefined) {
  if (agent === undefined) return undefined
  const bridged = bridgedAgents.get(agent)
  if (bridged !== undefined) return bridged
  throw usage(`--agent must be ${choiceOf([...bridgedAgents.keys()])}, not \`${agent}\``, name)
}

/** Resolves a folder. An absolute one works even if the agent's working directory was removed. */
function absoluteFolder(dir: string, invocation: Invocation): string {
  return isAbsolute(dir) ? dir : resolve(invocation.cwd, dir)
}

/** Expands `~`, which stays literal if an agent starts a hook without a shell. */
function withHome(folder: string, home: string): string {
  return folder === '~' || folder.startsWith('~/') ? join(home, folder.slice(1)) : folder
}

function helpOf(name: string): string {
  return `hookgate ${name}: pass one event on, without deciding about it

  hookgate ${name} [options] < event.json

The event is posted to http://127.0.0.1:${httpPortUsual}/cline-hook or /claude-hook. If nothing is listening, it is appended to
cline-hook-events.json or claude-hook-events.json, a JSON array that any number of processes can append to at once, and
errors are appended to the file of the same name that ends in -errors.json. When a file is full, the oldest events go.

  --port N       the local port to post to; default ${httpPortUsual}
  --dir PATH     where the files are; default ~/.cline/hook-events for Cline's events, ~/.claude/hook-events for Claude
                 Code's
  --agent NAME   whose event it is; default: recognized by ${name === 'emit' ? 'its shape; an event of no known agent is refused' : 'the name of the command'}

Prints nothing to stdout. Exits with 0 once the event is passed on or kept, else with 1, which stops no agent.

  echo '{"hookName":"PostToolUse","taskId":"1"}' | hookgate ${name} --dir ~/.cline/hook-events
`
}
