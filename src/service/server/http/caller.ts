import type { IncomingMessage } from 'node:http'
import { isAbsolute } from 'node:path'
import type { Caller } from '../../../gate/gate.ts'
import { limits } from '../../../model/limits.ts'
import { environmentForNode } from '../../../model/node-environment.ts'
import { type HttpProblem, requestMalformed } from './problem.ts'

// A thin client replaces `hookgate run`, and sends what that would read from its process: the working folder, then
// every variable as `NAME=VALUE`, each terminated by a NUL. They precede the event in the body, because a variable may
// contain bytes that headers may not.

const header = 'hookgate-caller-bytes'

/** Returns the number of body bytes that precede the event; 0 if the client sends no folder and environment. */
export function callerBytes({ headersDistinct }: IncomingMessage): number | HttpProblem {
  const [digits, ...more] = headersDistinct[header] ?? []
  if (digits === undefined) return 0
  const bytes = /^\d{1,9}$/.test(digits) && more.length === 0 ? Number(digits) : Number.NaN
  if (bytes <= limits.callerBytesMax) return bytes
  return malformed(`\`${header}\` is not a number up to ${limits.callerBytesMax}`)
}

/** Parses the folder and environment that precede an event; returns a problem if they are malformed. */
export function callerIn(bytes: Buffer): Caller | HttpProblem {
  const parts = new TextDecoder().decode(bytes).split('\0')
  const [cwd = '', ...variables] = parts
  if (parts.pop() !== '' || !isAbsolute(cwd)) return malformed('the event is not preceded by a folder and variables')
  const env = new Map<string, string>()
  for (const variable of variables.slice(0, -1)) {
    const at = variable.indexOf('=', 1)
    if (at < 0) return malformed('a variable before the event has no name')
    const name = variable.slice(0, at)
    // If a name occurs twice, programs see the first value.
    if (!env.has(name)) env.set(name, variable.slice(at + 1))
  }
  // The client passes the environment to `hookgate run` in the same way.
  return { cwd, env: environmentForNode(Object.fromEntries(env)) }
}

/** The refusal over HTTP: the token allows a client to ask, but not to choose the environment in which hooks start. */
export const callerRefused: HttpProblem = requestMalformed(
  "an event's origin can only be given at the socket",
  `remove \`${header}\``,
)

/**
 * The response to a client with other rules, which then runs `hookgate run` to decide by its own environment's rules.
 */
export const otherRules: HttpProblem = {
  status: 409,
  code: 'otherRules',
  message: 'the client has a different home or `XDG_CONFIG_HOME` from the gate, and therefore different rules',
  remedy: "set both to the gate's values, or set `HOOKGATE_HOME` to use a separate gate",
}

const malformed = (message: string) =>
  requestMalformed(message, 'send as many bytes as the header says, then the event')
