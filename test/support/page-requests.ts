import { request } from 'node:http'
import { connect } from 'node:net'

/** What opens the page of a port: what a browser has after it has opened a link. */
export interface PageCaller {
  readonly port: number
  readonly cookie: string
  readonly token: string
}

export interface PageAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** Sends one request as it is given, on a new connection. Headers that are undefined are left out. */
export function send(
  port: number,
  {
    method = 'GET',
    path,
    headers,
    body,
  }: { method?: string; path: string; headers: Headers; body?: string | Uint8Array },
): Promise<PageAnswer> {
  const sent = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, typeof value === 'string' ? value : [...value]] as const],
  )
  return new Promise((resolve, reject) => {
    const asking = request(
      { host: '127.0.0.1', port, path, method, agent: false, headers: Object.fromEntries(sent), setHost: false },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => (text += part))
        response.on('error', reject)
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }))
      },
    )
    asking.on('error', reject)
    asking.end(body)
  })
}

/** Opens a link as a browser does. @returns `undefined` if it opens nothing */
export async function redeem(port: number, link: string): Promise<PageCaller | undefined> {
  const { headers, body } = await send(port, { path: new URL(link).pathname, headers: { host: `127.0.0.1:${port}` } })
  const [cookie = ''] = headers['set-cookie'] ?? []
  const token = /#token=([\w-]+)/.exec(body)?.[1]
  return token === undefined ? undefined : { port, cookie: cookie.split(';')[0] ?? '', token }
}

/** Returns the headers of a script of the page. */
export const pageScript = ({ port, cookie, token }: PageCaller): Headers => ({
  host: `127.0.0.1:${port}`,
  origin: `http://127.0.0.1:${port}`,
  'sec-fetch-site': 'same-origin',
  'content-type': 'application/json',
  cookie,
  'hookgate-page': token,
})

/** Asks as a script of the page does, but for the headers that are given. */
export const askPage = (caller: PageCaller, path: string, headers: Headers = {}, body = '{}') =>
  send(caller.port, { method: 'POST', path, headers: { ...pageScript(caller), ...headers }, body })

/** Sends bytes, and returns all that comes until the connection is closed. */
export function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.setEncoding('latin1').on('data', (text: string) => (received += text))
  socket.on('error', () => {})
  socket.write(bytes)
  return new Promise((resolve) => socket.once('close', () => resolve(received)))
}
