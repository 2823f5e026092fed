import { isAbsolute } from 'node:path'
import { lastResortAt } from '../../agents/last-resort.ts'
import { limits } from '../../model/limits.ts'
import { callWords, type Client, type ClientCall } from './client.ts'
import { nodeVariables } from '../../model/node-environment.ts'
import { exitCodeMax } from '../frames.ts'
import { endings } from './endings.ts'
import { shellWord } from '../../model/text.ts'

/**
 * Delay after that until a Node client is killed from outside: its own `hookgate run` has half a second to refuse.
 */
const clientOverdueMs = 800

/** Minimum interval in seconds between gate starts by hooks; 0 for never, as in trial runs. */
export const gateStartEveryVariable = 'HOOKGATE_UP_EVERY_S'

/** Precedes, in a hook's file, the programs that it runs without a gate: as JSON, since a path may hold the end of a line. */
export const installationMark = '; without a gate: '

const noDecision = 'neither the resident gate nor `hookgate run` could be asked; see `hookgate doctor`'
/** The gate's own message. */
const tooLarge = `the event is over ${limits.eventBytesMax} bytes`

/**
 * Returns the file that an agent runs at one event. It runs the client; if that fails for any reason, it prints the
 * refusal that it contains. It needs only the shell: no program, no PATH, no variable. The one variable that it reads
 * can prevent the start of a gate, but not the decision of an event.
 *
 * INVARIANT: only the client's own exit codes, which nothing else uses, mark an answer. Any other code means no answer,
 * above all 0, with which a truncated client file ends.
 * INVARIANT: if no client has checked whether the agent's stop was refused before, the agent may stop. Otherwise a file
 * without its client would keep some agents at work for ever. All other events are still refused.
 * INVARIANT: only keywords, `[`, `exit` and `echo` are used, and with `-p` a shell takes no functions and no options from
 * the environment, so the environment cannot change how this file handles the client's exit code.
 */
export function hookScript(client: Client, call: ClientCall): string {
  const assignments = [`HOOKGATE_HOME=${shellWord(call.folder)}`, ...client.assignments]
  const command = [...deadlineOf(client, call), ...client.command]
  const words = [...command, ...callWords(call)].map(shellWord)
  if (call.startsGate !== false) {
    const at = command.length + upEveryAt
    words[at] = `"\${${gateStartEveryVariable}:-${words[at]}}"`
  }
  return `#!${client.shell.join(' ')}
# hookgate ${call.version}: ${call.event} of ${call.agent}, through the ${client.kind} client${installationMark}${JSON.stringify([call.node, call.bin])}
# Written by \`hookgate enable ${call.agent}\`; \`hookgate disable ${call.agent}\` removes it.
${[...filesOf(client, call).map((file) => `[ -e ${shellWord(file)} ] &&`), ...assignments, ...words].join(' ')}
code=$?
case $code in
${answers.join('\n')}
  ${endings.tooLarge})
${saying(call, tooLarge, false)}
    ;;
  ${endings.noAnswer})
${undecided(client, call, false)}
    ;;
${client.kind === 'native' ? notExecutable(client, call) : ''}esac
${undecided(client, call, true)}
`
}

/**
 * Returns the case of a native client that this system cannot execute: another platform's, in a home that a container
 * shares, or in a folder that forbids it. It has read nothing of the event, and Node decides in its place.
 */
function notExecutable(client: Client, call: ClientCall): string {
  const { agent, node, bin } = call
  const cleared = nodeVariables.map((name) => `${name}=`)
  const run = [node, bin, 'run', '--agent', agent, `--answered=${endings.answered}`].map(shellWord)
  const why = `${client.command[0] ?? ''} cannot be executed here, and neither can ${node}: run \`hookgate enable ${agent}\` on this system`
  return `  126 | 127)
[ -e ${shellWord(node)} ] && [ -e ${shellWord(bin)} ] && ${[...cleared, ...run].join(' ')}
case $? in
${answers.join('\n')}
esac
${undecided(client, call, true, why)}
    ;;
`
}

/** Returns shell commands that refuse where nothing has decided, and name the file that is gone, and the repair. */
function undecided(client: Client, call: ClientCall, stopHookActive: boolean, why = noDecision): string {
  const again = `\`hookgate enable ${call.agent}\``
  const link = 'the command `hookgate` may lead nowhere now'
  const gone = [
    ...[call.node, call.bin].map((file) => ifGone(file, `install hookgate again (${link}), then run ${again}`)),
    ...filesOf(client, call).map((file) => ifGone(file, `run ${again}`)),
  ]
  return [...gone, saying(call, why, stopHookActive)].join('\n')

  function ifGone(file: string, remedy: string): string {
    return `[ -e ${shellWord(file)} ] || {\n${saying(call, `${file} is gone: ${remedy}`, stopHookActive)}\n}`
  }
}

/** The client's own files. Where one is gone, a shell or Node would print its own error before the reason. */
const filesOf = ({ command }: Client, { node }: ClientCall): readonly string[] =>
  command.filter((file) => isAbsolute(file) && file !== node)

/** Returns the command that kills a hanging client: after the client's own time limit, before the agent's timeout. */
function deadlineOf({ deadline }: Client, { answerMs = limits.clientAnswerMs }: ClientCall): readonly string[] {
  return deadline === undefined ? [] : [...deadline, `${(answerMs + clientOverdueMs) / 1000}`]
}

/** Index in `callWords` of the minimum interval between gate starts. */
const upEveryAt = 6

const answers = Array.from({ length: exitCodeMax + 1 }, (_, code) => `  ${endings.answered + code}) exit ${code} ;;`)

/** Returns shell commands that print the last resort for this event and exit. */
function saying({ agent, event }: ClientCall, why: string, stopHookActive: boolean): string {
  const { stdout, stderr, exitCode } = lastResortAt(agent, event, why, stopHookActive)
  return `echo ${shellWord(stdout.trimEnd())}\necho ${shellWord(stderr.trimEnd())} >&2\nexit ${exitCode}`
}
