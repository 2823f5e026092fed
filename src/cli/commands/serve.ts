import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { version } from '../../files/program-files.ts'
import { errorText, HookgateError } from '../../model/errors.ts'
import { wrongUrl } from '../../model/export-settings.ts'
import { limits } from '../../model/limits.ts'
import type { StartReport } from '../../service/server/ensure-gate.ts'
import { withoutSession } from '../../service/server/gate-environment.ts'
import type { RemoteOptions } from '../../service/server/remote/listen-remote.ts'
import { gatingFlags, httpFlag, numberOf } from '../args/flags.ts'
import { ownPlaces } from '../args/own-places.ts'
import { type Command, printed, usage } from '../command.ts'
import { writeWhole } from '../start/write-whole.ts'
import { gatingHelp } from './run.ts'

/** The flags of a listener that other machines reach. */
const listenFlags = {
  listen: { type: 'string' },
  'tls-cert': { type: 'string' },
  'tls-key': { type: 'string' },
  'client-ca': { type: 'string' },
  'oidc-issuer': { type: 'string' },
  'oidc-audience': { type: 'string' },
  'oidc-jwks': { type: 'string' },
  'oidc-claim': { type: 'string', multiple: true },
} as const

const listenHelp = `  --listen HOST:PORT        also listen there, for other machines: only with TLS, for callers that prove who they are
  --tls-cert FILE           the certificate of this server, PEM
  --tls-key FILE            its key, PEM, without a passphrase
  --client-ca FILE          the authority whose certificates prove callers (mutual TLS)
  --oidc-issuer URL         the identity provider whose bearer tokens prove callers
  --oidc-audience TEXT      the audience that a token must be for
  --oidc-jwks URL           where the provider's keys are; default: its discovery document says
  --oidc-claim NAME=VALUE   a claim that a token must have; repeatable`

/** Default of `--idle`, after which an unused gate ends: a coffee break, not a night. */
const gateIdleMs = 1_800_000

export const serveCommand: Command = {
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

type ListenValues = { readonly [Name in keyof typeof listenFlags]?: string | string[] | undefined }

/**
 * Returns where and how to listen for other machines; `undefined` if not.
 *
 * INVARIANT: there is no such listener without TLS, nor one that anybody may ask.
 *
 * @throws HookgateError `usage`
 */
function remoteOptions(values: ListenValues): RemoteOptions | undefined {
  const { listen, ...others } = values
  if (typeof listen !== 'string') {
    const stray = Object.keys(listenFlags).find((name) => Object.hasOwn(others, name))
    if (stray === undefined) return undefined
    throw usage(`--${stray} is for a listener that other machines reach: add --listen HOST:PORT`, 'serve')
  }
  const cert = valueIn(values, 'tls-cert')
  const key = valueIn(values, 'tls-key')
  if (cert === undefined || key === undefined) {
    throw new HookgateError('usage', 'hookgate does not listen for other machines without TLS', {
      remedy: 'add --tls-cert FILE and --tls-key FILE, or use --http PORT, which only this machine reaches',
    })
  }
  const clientCa = valueIn(values, 'client-ca')
  const oidc = oidcIn(values)
  if (clientCa === undefined && oidc === undefined) {
    throw new HookgateError('usage', 'hookgate does not listen for machines that need not prove who they are', {
      remedy: 'add --client-ca FILE for client certificates, or --oidc-issuer URL and --oidc-audience TEXT for tokens',
    })
  }
  return { ...addressIn(listen), tls: { cert, key, clientCa }, oidc }
}

function valueIn(values: ListenValues, name: keyof typeof listenFlags): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

function addressIn(text: string): Pick<RemoteOptions, 'host' | 'port'> {
  const [, bracketed, plain, digits = ''] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? []
  const host = bracketed ?? plain
  const port = Number(digits)
  const isAddress = host === 'localhost' || isIP(host ?? '') > 0
  if (host !== undefined && isAddress && port <= 65_535) return { host, port }
  throw usage(`--listen must be an address and a port, such as 0.0.0.0:8443 or [::]:8443, not \`${text}\``, 'serve')
}

function oidcIn(values: ListenValues): RemoteOptions['oidc'] {
  const issuer = valueIn(values, 'oidc-issuer')
  const audience = valueIn(values, 'oidc-audience')
  const jwks = valueIn(values, 'oidc-jwks')
  const claims = [values['oidc-claim'] ?? []].flat()
  if (issuer === undefined && audience === undefined && jwks === undefined && claims.length === 0) return undefined
  if (issuer === undefined || audience === undefined) {
    throw new HookgateError('usage', 'tokens cannot be verified without an issuer and an audience', {
      remedy: 'add --oidc-issuer URL and --oidc-audience TEXT: a token for another service must not count here',
    })
  }
  for (const url of [issuer, jwks ?? issuer]) {
    const wrong = wrongUrl(url, false, 'https://login.example.com')
    if (wrong !== undefined) throw usage(`${url}: ${wrong.message}`, 'serve')
  }
  return { issuer, audience, jwks, claims: Object.fromEntries(claims.map(claimIn)) }
}

function claimIn(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  if (at > 0 && at < text.length - 1) return [text.slice(0, at), text.slice(at + 1)]
  throw usage(`--oidc-claim must be NAME=VALUE, not \`${text}\``, 'serve')
}
