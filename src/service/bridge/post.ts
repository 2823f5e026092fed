import { connect } from 'node:net'
import { errorText } from '../../model/errors.ts'

/** Wait for a listener per event. The agent waits for nothing it needs; a loaded listener answers in 0.1 s. */
const bridgePostMs = 1000

/** `notListening`: nothing listens, as usual when events are kept in files. `failed`: a listener did not accept the event. */
type Posted =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'notListening' }
  | { readonly kind: 'failed'; readonly why: string }

interface Post {
  readonly port: number
  readonly route: string
  readonly body: Uint8Array
  /** Returns the token to send to a listener of the user's own. Called only if something listens. */
  readonly token: () => Promise<string | undefined>
}

/**
 * Posts an event to a listener on this machine. Uses a plain socket: only the status of the response matters, and
 * `node:http` takes as long to load as everything else together.
 */
export function post({ port, route, body, token }: Post, timeoutMs: number = bridgePostMs): Promise<Posted> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    let answer = ''
    const end = (posted: Posted) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(posted)
    }
    // One timeout for the whole exchange: a listener that sends a byte now and then would never trigger an idle
    // timeout.
    const timer = setTimeout(() => end({ kind: 'failed', why: `timed out after ${timeoutMs} ms` }), timeoutMs)
    socket.setEncoding('latin1')
    socket.on('error', (cause) => {
      const code = 'code' in cause ? String(cause.code) : cause.message
      end(code === 'ECONNREFUSED' ? { kind: 'notListening' } : { kind: 'failed', why: `system error ${code}` })
    })
    socket.on('data', (text: string) => {
      answer += text
      const posted = judge(answer)
      if (posted !== undefined) end(posted)
    })
    socket.on('close', () => end({ kind: 'failed', why: 'it closed the connection without an answer' }))
    const send = async () => {
      socket.write(headOf({ port, route, body }, await token()))
      socket.write(body)
    }
    socket.on('connect', () => void send().catch((cause) => end({ kind: 'failed', why: errorText(cause) })))
  })
}

function headOf({ port, route, body }: Omit<Post, 'token'>, token: string | undefined): string {
  const headers = [
    `POST ${route} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    'connection: close',
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
  ]
  return `${headers.join('\r\n')}\r\n\r\n`
}

/** Interprets the first status line that is not an interim (1xx) one; `undefined` while it is incomplete. */
function judge(answer: string): Posted | undefined {
  const final = answer.replace(/^(?:HTTP\/1\.1 1\d\d[^]*?\r\n\r\n)+/, '')
  const status = /^HTTP\/1\.[01] (\d{3})[ \r]/.exec(final)?.[1]
  if (status?.startsWith('2')) return { kind: 'accepted' }
  if (status !== undefined && !status.startsWith('1')) return { kind: 'failed', why: `it answered ${status}` }
  const noHttp = !'HTTP/1.'.startsWith(final.slice(0, 7)) || answer.length > bridgeAnswerBytesMax
  return noHttp ? { kind: 'failed', why: 'its answer is not HTTP' } : undefined
}
/** The first line of a listener's answer, and room for headers. */
const bridgeAnswerBytesMax = 16 * 1024
