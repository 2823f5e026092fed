import type { IncomingMessage } from 'node:http'
import { isAbsolute } from 'node:path'
import type { Caller } from '../../gate.ts'
import { limits } from '../../model/limits.ts'
import { environmentForNode } from '../../model/node-environment.ts'
import { type Problem, requestMalformed } from './problem.ts'

// A thin client stands where `hookgate run` would, and sends what that would find around it: its working folder, and
// behind it every variable as `NAME=VALUE`, each of them with a NUL at its end. They stand in the body, ahead of the
// event, since a variable may hold any byte, and headers may not.

const header = 'hookgate-caller-bytes'

/** How many bytes of the body stand ahead of the event; 0 where its sender tells nothing of itself. */
export function callerBytes({ headersDistinct }: IncomingMessage): number | Problem {
  const [digits, ...more] = headersDistinct[header] ?? []
  if (digits === undefined) return 0
  const bytes = /^\d{1,9}$/.test(digits) && more.length === 0 ? Number(digits) : Number.NaN
  if (bytes <= limits.callerBytesMax) return bytes
  return malformed(`\`${header}\` is not a number up to ${limits.callerBytesMax}`)
}

/** Where the event comes from; a problem where that is not what a client sends. */
export function callerIn(bytes: Buffer): Caller | Problem {
  const parts = new TextDecoder().decode(bytes).split('\0')
  const [cwd = '', ...variables] = parts
  if (parts.pop() !== '' || !isAbsolute(cwd)) return malformed('the event is not preceded by a folder and variables')
  const env = new Map<string, string>()
  for (const variable of variables.slice(0, -1)) {
    const at = variable.indexOf('=', 1)
    if (at < 0) return malformed('a variable before the event has no name')
    const name = variable.slice(0, at)
    // Of two of a name, the first is the one that programs see.
    if (!env.has(name)) env.set(name, variable.slice(at + 1))
  }
  // As `hookgate run` gets it of the client.
  return { cwd, env: environmentForNode(Object.fromEntries(env)) }
}

/** At the address of HTTP, whoever has the token may ask, and nobody may say what its hooks are started with. */
export const callerRefused: Problem = requestMalformed(
  "an event's origin can only be given at the socket",
  `remove \`${header}\``,
)

/** `hookgate run`, which the client asks then, answers by the rules of its own environment. */
export const otherRules: Problem = {
  status: 409,
  code: 'otherRules',
  message: 'the client has a different home or `XDG_CONFIG_HOME` from the gate, and therefore different rules',
  remedy: "set both to the gate's values, or set `HOOKGATE_HOME` to use a separate gate",
}

const malformed = (message: string) =>
  requestMalformed(message, 'send as many bytes as the header says, then the event')
