import { type Agent, type IncomingMessage, request as httpRequest, Agent as HttpAgent } from 'node:http'
import { request as httpsRequest, Agent as HttpsAgent } from 'node:https'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { z } from 'zod'
import { headerValues, secretValue } from '../../files/header-values.ts'
import { errorText } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'
import { maskSecrets } from '../../mask/mask.ts'
import { printable } from '../../model/text.ts'
import type { SendResult } from './send-rows.ts'
import { isLoopback, type ProxySetting, type ExportSettings } from '../../model/export-settings.ts'

/** The longest wait that a collector can ask for. */
const exportRetryAfterMsMax = 600_000

/** How long a request may take: the default of the OpenTelemetry SDKs. */
const exportRequestMs = 10_000

/** Sends requests to one place. */
export interface Poster {
  post(body: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<SendResult>
}

const gzipped = promisify(gzip)

/** @param env the variables that the settings name, and those of proxies */
export function posterTo(
  url: string,
  { headers = {}, compression = 'gzip', proxy }: NonNullable<ExportSettings['otlp']>,
  env: Readonly<Record<string, string>>,
): Poster {
  return {
    async post(body, signal) {
      const values = headerValues(headers, env)
      if (typeof values === 'string') return { kind: 'retry', why: values }
      // A collector may quote what it was sent.
      const shown = (text: string) =>
        printable(secretsIn(values).reduce((left, secret) => left.replaceAll(secret, '***'), maskSecrets(text)))
      try {
        const bytes = compression === 'gzip' ? await gzipped(body) : body
        const sent = {
          ...values,
          'content-type': 'application/json',
          ...(compression === 'gzip' && { 'content-encoding': 'gzip' }),
          'content-length': `${bytes.length}`,
        }
        const limit = AbortSignal.any([signal, AbortSignal.timeout(exportRequestMs)])
        const response = await postTo(url, sent, bytes, { signal: limit, agent: agentThrough(url, proxy, env) })
        const answer = (await beginningOf(response)).trim()
        const result = resultOf(response, answer)
        return result.kind === 'sent' ? result : { ...result, why: shown(`${url}: ${result.why}`) }
      } catch (error) {
        const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
        return { kind: 'retry', why: shown(`${url}: ${errorText(cause)}`) }
      }
    },
  }
}

/**
 * Posts a body with these headers and `host`, and no others: `fetch` would add its own, which a reader of the documentation
 * does not expect. A redirect, which would take the headers and the record to another place, is not followed.
 */
function postTo(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  { signal, agent }: { readonly signal: AbortSignal; readonly agent: Agent | undefined },
): Promise<IncomingMessage> {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    send(url, { method: 'POST', headers, signal, ...(agent && { agent }) }, resolve)
      .on('error', reject)
      .end(body)
  })
}

/** Returns the words of headers that may be secrets: `Bearer` is none, and what is shorter hides nothing. */
const secretsIn = (values: Readonly<Record<string, string>>) =>
  Object.values(values).flatMap((value) => value.split(/\s+/).filter((word) => word.length > 6))

function resultOf({ statusCode: status = 0, headers }: IncomingMessage, answer: string): SendResult {
  const why = `it answered ${status}${answer === '' ? '' : `: ${answer.slice(0, answerShownMax)}`}`
  if (status >= 200 && status < 300) return { kind: 'sent', refused: refusedIn(answer) }
  if (status >= 300 && status < 400) return { kind: 'retry', why: `it redirects (${status}), which is not followed` }
  // The body is what is wrong; any other answer may be another one later.
  if (status === 400 || status === 413 || status === 422) return { kind: 'refused', why }
  return { kind: 'retry', why, afterMs: retryAfterMs(headers['retry-after']) }
}

/** Characters of an answer in a message. */
const answerShownMax = 200

/** Reads `Retry-After`: seconds, or a date. */
function retryAfterMs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, limits.exportRetryMs), exportRetryAfterMsMax)
}

/** A collector may accept a part only: the rest must not be sent again. 64-bit numbers are text in JSON. */
const Answer = z.looseObject({
  partialSuccess: z
    .looseObject({ rejectedLogRecords: z.coerce.number().optional(), rejectedDataPoints: z.coerce.number().optional() })
    .optional(),
})

function refusedIn(answer: string): number {
  try {
    const { rejectedLogRecords = 0 } = Answer.safeParse(JSON.parse(answer)).data?.partialSuccess ?? {}
    return Number.isSafeInteger(rejectedLogRecords) ? Math.max(0, rejectedLogRecords) : 0
  } catch {
    return 0
  }
}

/** Reads the beginning of an answer, and drops the rest. */
async function beginningOf(response: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length >= exportAnswerCharactersMax) break
  }
  return text
}
/** Characters of a collector's answer that are read: an answer that counts refused records is short. */
const exportAnswerCharactersMax = 16 * 1024

/** The variables that say which proxy to use. */
export const proxyVariables = [
  'HTTPS_PROXY',
  'https_proxy',
  'HTTP_PROXY',
  'http_proxy',
  'NO_PROXY',
  'no_proxy',
] as const

/**
 * Returns an agent that goes through the proxy of the setting, else of the variables; `undefined` to go there directly.
 * Addresses of this machine are never reached through another one.
 *
 * @throws if the setting's place has no address
 */
function agentThrough(
  url: string,
  setting: ProxySetting | undefined,
  env: Readonly<Record<string, string>>,
): HttpAgent | undefined {
  const { hostname, protocol } = new URL(url)
  if (setting === false || isLoopback(hostname)) return undefined
  if (setting !== undefined && !knowsProxies) throw new Error('`proxy` needs Node 24.5 or newer')
  const proxyEnv = setting === undefined ? fromVariables(env) : everywhere(addressIn(setting, env))
  return protocol === 'https:' ? new HttpsAgent({ proxyEnv }) : new HttpAgent({ proxyEnv })
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
/** An older Node takes the option, and goes there directly. */
const knowsProxies = major > 24 || (major === 24 && minor >= 5)

const fromVariables = (env: Readonly<Record<string, string>>) =>
  Object.fromEntries(proxyVariables.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))

const everywhere = (address: string) => ({ HTTP_PROXY: address, HTTPS_PROXY: address })

function addressIn(setting: Exclude<ProxySetting, false>, env: Readonly<Record<string, string>>): string {
  const address = typeof setting === 'string' ? setting : secretValue(setting, env)
  if (URL.canParse(address)) return address
  throw new Error('`proxy`: what is there is no address such as "http://proxy:3128"')
}
