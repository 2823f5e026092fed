import { request } from 'node:http'
import { codeOf, errorText } from '../../../src/model/errors.ts'
import type { Heard } from './seen.ts'

export interface Address {
  readonly origin: string
  readonly token: string
  /** How long an answer is waited for. */
  readonly waitMs: number
}

/** Posts an event as an agent's HTTP hook does. */
export function post({ origin, token, waitMs }: Address, path: string, event: string): Promise<Heard> {
  return new Promise((resolve) => {
    const asking = request(`${origin}${path}`, {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(event),
      },
    })
    const late = setTimeout(() => asking.destroy(new Error(`none came within ${waitMs / 1000} s`)), waitMs)
    const heard = (what: Heard) => {
      clearTimeout(late)
      resolve(what)
    }
    const failed = (error: unknown) =>
      heard({ by: 'nobody', why: codeOf(error) === 'ECONNREFUSED' ? 'nothing is listening' : errorText(error) })
    asking.on('error', failed)
    asking.on('response', (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => (body += text))
      response.on('error', failed)
      response.on('end', () => heard({ by: 'http', status: response.statusCode ?? 0, body }))
    })
    asking.end(event)
  })
}
