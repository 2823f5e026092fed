import type { StatusAnswer } from '../../service/server/heartbeats.ts'
import { version } from '../../files/program-files.ts'
import { type Command, printed } from '../command.ts'
import { httpFlag, parseFlags } from '../args/flags.ts'
import { ownPlaces } from '../args/own-places.ts'
import { protectionLines, rulesHere } from '../text/rule-lines.ts'
import { rulesLine, warningLine } from './status.ts'
import type { EndedGate } from '../../service/server/end-gate.ts'

export const upCommand: Command = {
  help: `hookgate up: make sure that the resident gate is running

  hookgate up [--http [PORT]] [--quiet] [--for-session]

Starts it in the background if needed and waits until it answers; any number of simultaneous \`hookgate up\` start only
one. A gate of another version, or one that does not listen where it should, finishes its requests and is replaced. From
your environment the gate gets HOME, XDG_CONFIG_HOME, PATH, LANG, LC_*, TZ and TMPDIR, as they were at your last
\`hookgate up\`, and nothing from an agent's session. When an event comes from a command, hooks get the environment that
the agent gave that command, which is sent with each event; when it comes by HTTP, they get the gate's own.

  --http [PORT]         also listen at http://127.0.0.1:PORT (default: 3043), for clients that have the token
  --quiet               print nothing unless it fails: an agent reads what its start hook prints
  --for-session         the environment is an agent's, not yours: keep nothing from it

Also reports rules that apply everywhere but do not load and, first of all, if nothing is checked in the current folder
because no rules are in force. Exits with 1, and says why, if no gate is running in the end.

  hookgate up --http && hookgate status
`,
  async run(invocation) {
    const { argv, env } = invocation
    const { httpPort, rest } = httpFlag('up', argv)
    const { values } = parseFlags('up', rest, {
      quiet: { type: 'boolean' },
      'for-session': { type: 'boolean' },
    })
    const { ensureGateRunning } = await import('../../service/server/ensure-gate.ts')
    const places = ownPlaces(env)
    const { did, hello } = await ensureGateRunning({
      places,
      version: version(),
      httpPort,
      env,
      forSession: values['for-session'] === true,
    })
    if (values.quiet === true) return printed('')
    const state = { found: 'is running', started: 'was started', replaced: 'was replaced' }[did]
    const http = hello.http === null ? '' : `, at ${hello.http}`
    const { askStatus } = await import('../../service/server/heartbeats.ts')
    const lines = [
      ...protectionLines(await rulesHere(invocation)),
      `the gate ${state}: pid ${hello.pid}, version ${hello.version}${http}`,
      ...problemLines(await askStatus(places)),
    ]
    return printed(`${lines.join('\n')}\n`)
  },
}

/** Lists problems with the gate that a person would otherwise notice only at its first refusal. */
function problemLines(status: StatusAnswer): readonly string[] {
  if (!status.running) return []
  const { rules, warnings } = status
  return [...(typeof rules === 'number' ? [] : [rulesLine(rules)]), ...warnings.map(warningLine)]
}

export const downCommand: Command = {
  help: `hookgate down: stop the resident gate

  hookgate down

The gate accepts no new requests, finishes those in progress, and stops. Agents are still gated: command hooks then
decide on their own, which takes longer, or start the gate again; HTTP hooks refuse until the next prompt starts it.
\`hookgate disable\` removes the hooks.

  hookgate down && hookgate up
`,
  async run({ argv, env }) {
    parseFlags('down', argv, {})
    const { endGate } = await import('../../service/server/end-gate.ts')
    return printed(`${outcomeText(await endGate(ownPlaces(env)))}\n`)
  },
}

function outcomeText(ended: EndedGate): string {
  switch (ended.did) {
    case 'nothing':
      return 'no gate was running'
    case 'drained':
      return `the gate (pid ${ended.pid}) finished the requests in progress and stopped`
    case 'killed':
      return `the gate (pid ${ended.pid}) no longer answered, and was killed`
    case 'awaited':
      return 'the gate was already stopping, and has stopped'
    case 'tidied':
      return 'no gate was running; removed what a killed gate had left behind'
    case 'ousted':
      return 'no gate was running; another program was listening on its socket, which is removed'
  }
}
