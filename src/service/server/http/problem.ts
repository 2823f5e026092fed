import type { FastifyReply } from 'fastify'
import type { z } from 'zod'
import type { ErrorCode } from '../../../model/errors.ts'
import { limits } from '../../../model/limits.ts'
import { jsonText, printable } from '../../../model/text.ts'

/**
 * The code of an error response. Codes are stable.
 *
 * - `unauthorized` (401) the token is missing or wrong
 * - `fromBrowser`, `foreignHost` (403) the request is from a browser, or its `Host` is not this gate's
 * - `notFound` (404), `methodNotAllowed` (405) there is no such route; `agentUnknown` (404) the path has no known agent
 * - `versionMismatch` (409) the client has another version, or speaks another version of the frames
 * - `otherRules` (409) the client's environment leads to other rules than the gate's
 * - `requestMalformed` (400), `requestTimeout` (408), `requestTooLarge` (413), `headersTooLarge` (431)
 * - `busy` (503) too many requests are in flight
 * - the codes of `ErrorCode`: `rulesMalformed` (422), `internal` (500), …
 */
type ProblemCode =
  | ErrorCode
  | 'unauthorized'
  | 'fromBrowser'
  | 'foreignHost'
  | 'notFound'
  | 'methodNotAllowed'
  | 'versionMismatch'
  | 'otherRules'
  | 'requestMalformed'
  | 'requestTimeout'
  | 'requestTooLarge'
  | 'headersTooLarge'
  | 'busy'

export interface HttpProblem {
  readonly status: number
  readonly code: ProblemCode
  /** One line. */
  readonly message: string
  /** What the caller can do about it. */
  readonly remedy: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Returns `{"error": {"code", "message", "remedy"}}`, the body of every response with a status of 400 and above. */
export function problemText({ code, message, remedy }: HttpProblem): string {
  return jsonText({ error: { code, message, remedy } })
}

export function sendProblem(reply: FastifyReply, problem: HttpProblem): FastifyReply {
  return reply
    .code(problem.status)
    .headers({ 'content-type': 'application/json; charset=utf-8', ...problem.headers })
    .send(problemText(problem))
}

export const busy = (what: string): HttpProblem => ({
  status: 503,
  code: 'busy',
  message: `the gate is busy: ${what}`,
  remedy: 'try again',
  headers: { 'retry-after': '1' },
})

export const requestMalformed = (message: string, remedy: string): HttpProblem => ({
  status: 400,
  code: 'requestMalformed',
  message,
  remedy,
})

/** Says what is wrong with a request's body. */
export const issuesOf = ({ issues }: z.ZodError): string =>
  printable(
    issues
      .slice(0, limits.wrongFieldsNamedMax)
      .map(({ path, message }) =>
        [path.map(String).join('.'), message.toLowerCase()].filter((part) => part !== '').join(': '),
      )
      .join('; '),
  ).slice(0, issuesCharactersMax)
/** Bounds the message: an unknown key that it quotes may be as long as the body. */
const issuesCharactersMax = 500
