import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { errorText, HookgateError } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'
import type { StartReport } from '../../service/server/detached.ts'
import { withoutSession } from '../../service/server/gate-environment.ts'
import { version } from '../../files/version.ts'
import { type Command, printed } from '../command.ts'
import { gatingFlags, numberOf } from '../args/flags.ts'
import { listenFlags, listenHelp, remoteOptions } from '../args/listen-flags.ts'
import { httpFlag } from '../args/port.ts'
import { ownPlaces } from '../args/own-places.ts'
import { gatingHelp } from './run.ts'
import { writeWhole } from '../start/write-whole.ts'

/** Default of `--idle`, after which an unused gate ends: a coffee break, not a night. */
const gateIdleMs = 1_800_000

export const serveCommand: Command = {
  summary: 'run the resident gate in the foreground',
  help: `hookgate serve: run the resident gate in the foreground

  hookgate serve [--http [PORT]] [--idle S] [options]
  hookgate serve --listen HOST:PORT --tls-cert FILE --tls-key FILE (--client-ca FILE | --oidc-issuer URL …) [options]

One process for all agents of a user, which keeps the rules loaded and the sandbox warm. It listens on a socket in a
folder that only you can open. \`hookgate up\` starts it in the background; use this in a terminal, or to run it as a
system service.

  --http [PORT]             also listen at http://127.0.0.1:PORT (default: 3043), for clients that have the token
  --idle S                  stop after S seconds without requests (default: ${gateIdleMs / 1000}); never with --http
${listenHelp}
${gatingHelp}

Rules that do not load are reported at once and in the log; every event is refused until they load.

On \`hookgate down\`, SIGTERM or Ctrl-C it accepts no new requests, finishes those in progress, and stops. With
--listen, /readyz answers 503 for ${limits.serveLeaveMs / 1000} s first, and open decisions have ${limits.serveDrainMs / 1000} s then. docs/serve.md has the rest.
Its folder is $HOOKGATE_HOME, or $XDG_STATE_HOME/hookgate, or ~/.local/state/hookgate.

  hookgate serve --http --rules ./hooks.json
`,
  async run({ argv, env, cwd }) {
    const { httpPort, rest } = httpFlag('serve', argv)
    const { values, gate } = gatingFlags('serve', rest, { idle: { type: 'string' }, ...listenFlags })
    const remote = remoteOptions(values)
    for (const path of gate.rules ?? []) checkThere(path, cwd)
    const idleS = numberOf('serve', 'idle', values.idle, limits.hookTimeoutMsMax / 1000)
    // Loaded late, with the HTTP server: `hookgate run`, for which agents wait, does not need it.
    const { serve } = await import('../../service/server/serve.ts')
    const places = ownPlaces(env)
    try {
      await serve({
        places,
        version: version(),
        // Variables of one session must not apply to all sessions.
        gate: { ...gate, env: withoutSession(env) },
        httpPort,
        remote,
        idleMs: idleS === undefined ? gateIdleMs : idleS * 1000,
        // In the background, this goes only to the log.
        ...(process.send === undefined && { onRefusing: (why) => writeWhole(2, `hookgate: warning: ${why}\n`) }),
        onOpen({ state: { socket, http }, remoteUrl }) {
          if (process.send === undefined)
            writeWhole(
              1,
              `listening on ${[socket, http, remoteUrl].filter((one) => typeof one === 'string').join(' and ')}\n`,
            )
          else process.send({ kind: 'open' } satisfies StartReport, undefined, undefined, () => {})
        },
      })
    } catch (error) {
      await tellStarter(error)
      throw error
    }
    return printed('')
  },
}

/**
 * @throws HookgateError `rulesMalformed` if a path does not exist. A broken file may be fixed later; a mistyped name
 * not.
 */
function checkThere(path: string, cwd: string): void {
  const file = resolve(cwd, path)
  if (existsSync(file)) return
  throw new HookgateError('rulesMalformed', 'the rules file does not exist', {
    place: { file },
    remedy: 'name an existing file or folder with `--rules`',
  })
}

/** Reports a failed start over IPC: the log, to which stderr goes, may be what cannot be written. */
async function tellStarter(failure: unknown): Promise<void> {
  if (process.send === undefined) return
  const sent = Promise.withResolvers<void>()
  process.send({ kind: 'failed', message: errorText(failure) } satisfies StartReport, undefined, undefined, () =>
    sent.resolve(),
  )
  await sent.promise
}
