import { request } from 'node:http'
import { codeOf, errorText } from '../../../src/model/errors.ts'
import type { AgentResponse } from './seen.ts'

export interface Address {
  readonly origin: string
  readonly token: string
  /** How long to wait for an answer. */
  readonly waitMs: number
}

/** Posts an event as an agent's HTTP hook does. */
export function post({ origin, token, waitMs }: Address, path: string, event: string): Promise<AgentResponse> {
  return new Promise((resolve) => {
    const sent = request(`${origin}${path}`, {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(event),
      },
    })
    const late = setTimeout(() => sent.destroy(new Error(`none came within ${waitMs / 1000} s`)), waitMs)
    const settle = (what: AgentResponse) => {
      clearTimeout(late)
      resolve(what)
    }
    const failed = (error: unknown) =>
      settle({ by: 'none', why: codeOf(error) === 'ECONNREFUSED' ? 'nothing is listening' : errorText(error) })
    sent.on('error', failed)
    sent.on('response', (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => (body += text))
      response.on('error', failed)
      response.on('end', () => settle({ by: 'http', status: response.statusCode ?? 0, body }))
    })
    sent.end(event)
  })
}
