import { lastResortAt } from '../agents/last-resort.ts'
import { limits } from '../model/limits.ts'
import { callWords, type ClientCall } from './call.ts'
import type { Client } from './client.ts'
import { endings, exitCodeMax } from './reply.ts'
import { shellWord } from '../model/shell-word.ts'

/** How often, in seconds, a hook may have a gate brought up for the next event: 0 for never, as where it is only tried. */
export const upEveryVariable = 'HOOKGATE_UP_EVERY_S'

const nobodyAsked = 'neither the resident gate nor `hookgate run` could be asked; see `hookgate doctor`'
/** In the gate's own words. */
const tooLarge = `the event is over ${limits.eventBytesMax} bytes`

/**
 * The file that an agent runs at one event: it runs the client, and where that breaks, whatever the reason, it gives the
 * refusal that is written in it. It needs nothing but the shell: no program, no PATH, no variable. The one that it heeds can
 * keep a gate from being brought up, and no event from being decided.
 *
 * INVARIANT: an answer is what the client says is one, by an exit code that nothing else has. Whatever else it ends with
 * is no answer, 0 before all: so ends a client that is cut off.
 * INVARIANT: where no client has looked whether the agent was kept from ending its turn before, it is let go: some would be
 * kept at work for ever by a file whose client is gone. Whatever is not an end of a turn is refused all the same.
 * INVARIANT: only keywords, `exit` and `echo` are used, and with `-p` a shell takes no functions and no options from the
 * environment, so nothing there stands between the client's code and this file's.
 */
export function hookScript(client: Client, call: ClientCall): string {
  const assignments = [`HOOKGATE_HOME=${shellWord(call.folder)}`, ...client.assignments]
  const command = [...deadlineOf(client, call), ...client.command]
  const asked = [...command, ...callWords(call)].map(shellWord)
  if (call.startsGate !== false) {
    const at = command.length + upEveryAt
    asked[at] = `"\${${upEveryVariable}:-${asked[at]}}"`
  }
  return `#!${client.shell.join(' ')}
# hookgate ${call.version}: ${call.event} of ${call.agent}, asked by the ${client.kind} client.
# Written by \`hookgate enable ${call.agent}\`; \`hookgate disable ${call.agent}\` takes it away.
${[...assignments, ...asked].join(' ')}
code=$?
case $code in
${answers.join('\n')}
  ${endings.stoppedBefore})
${saying(call, nobodyAsked, true)}
    ;;
  ${endings.tooLarge})
${saying(call, tooLarge, false)}
    ;;
  ${endings.noAnswer})
${saying(call, nobodyAsked, false)}
    ;;
esac
${saying(call, nobodyAsked, true)}
`
}

/** Behind all that the client itself sets an end to, and before the agent's own end. */
function deadlineOf({ deadline }: Client, { answerMs = limits.clientAnswerMs }: ClientCall): readonly string[] {
  return deadline === undefined ? [] : [...deadline, `${(answerMs + limits.clientOverdueMs) / 1000}`]
}

/** Which of the words of a call says how often. */
const upEveryAt = 6

const answers = Array.from({ length: exitCodeMax + 1 }, (_, code) => `  ${endings.answered + code}) exit ${code} ;;`)

/** Says what the agent is told at this event when nothing else answers, and leaves. */
function saying({ agent, event }: ClientCall, why: string, stopHookActive: boolean): string {
  const { stdout, stderr, exitCode } = lastResortAt(agent, event, why, stopHookActive)
  return `echo ${shellWord(stdout.trimEnd())}\necho ${shellWord(stderr.trimEnd())} >&2\nexit ${exitCode}`
}
