import type { AskedStatus } from '../server/ask-status.ts'
import { version } from '../server/version.ts'
import { type Command, printed } from './command.ts'
import { parseFlags } from './flags.ts'
import { httpFlag } from './http-flag.ts'
import { ownPlaces } from './own-places.ts'
import { rulesLine, warningLine } from './status.ts'

export const up: Command = {
  summary: 'start the resident gate in the background, unless it is there, and wait until it answers',
  help: `hookgate up: see that the resident gate is there

  hookgate up [--http [PORT]] [--quiet] [--for-session]

Starts it in the background if needed and waits until it answers; any number of \`hookgate up\` at once start one. A
gate of another version, or one that does not listen where it is wanted to, is replaced, and answers what it was asked
before it ends. Of your environment it has HOME, XDG_CONFIG_HOME, PATH, LANG, LC_*, TZ and TMPDIR, as they were at
your last \`hookgate up\`, and nothing of an agent's session. Hooks of a command get what the agent gives that command,
which goes with each event; those of HTTP events get what the gate has.

  --http [PORT]         have it listen at http://127.0.0.1:PORT as well (default: 3043), for whoever has the token
  --quiet               print nothing unless it fails: what an agent's own start hook prints, the agent reads
  --for-session         what is here is an agent's environment, not yours: keep nothing of it

Says too which of the rules that hold everywhere do not load. Exits with 1 where there is no gate in the end, and says
why.

  hookgate up --http && hookgate status
`,
  async run({ argv, env }) {
    const { httpPort, rest } = httpFlag('up', argv)
    const { values } = parseFlags('up', rest, {
      quiet: { type: 'boolean' },
      'for-session': { type: 'boolean' },
    })
    const { bringUp } = await import('../server/bring-up.ts')
    const places = ownPlaces(env)
    const { did, hello } = await bringUp({
      places,
      version: version(),
      httpPort,
      env,
      forSession: values['for-session'] === true,
    })
    if (values.quiet === true) return printed('')
    const said = { found: 'is running', started: 'is started', replaced: 'is replaced' }[did]
    const http = hello.http === null ? '' : `, at ${hello.http}`
    const { askStatus } = await import('../server/ask-status.ts')
    const lines = [
      `the gate ${said}: pid ${hello.pid}, version ${hello.version}${http}`,
      ...wrongIn(await askStatus(places)),
    ]
    return printed(`${lines.join('\n')}\n`)
  },
}

/** What a person who has just asked for a gate would otherwise learn from its first refusal. */
function wrongIn(status: AskedStatus): readonly string[] {
  if (!status.running) return []
  const { rules, warnings } = status
  return [...(typeof rules === 'number' ? [] : [rulesLine(rules)]), ...warnings.map(warningLine)]
}
