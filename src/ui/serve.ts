import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fastify, type FastifyInstance, type FastifyReply } from 'fastify'
import { packageFolder } from '../files/program-files.ts'
import { errorText, HookgateError } from '../model/errors.ts'
import { limits } from '../model/limits.ts'
import { jsonText } from '../model/text.ts'
import { openLatestReader } from '../record/read.ts'
import {
  badPath,
  clientProblem,
  endWith,
  type HttpProblem,
  problemText,
  requestMalformed,
  sendProblem,
} from '../service/server/http/bad-requests.ts'
import { boundConnections } from '../service/server/http/connections.ts'
import { addressOf, listenAtPort } from '../service/server/listen.ts'
import { allRoutes } from './api.ts'
import { openSignIn, pageHeaders, type PageOrigin, type SignIn, signInPath, signInRoute, turnedAway } from './guard.ts'
import type { PageContext, PageRoute } from './route.ts'

interface PageOptions extends Omit<PageContext, 'record'> {
  /** 0 for any that is free. */
  readonly port: number
  /** Overrides of the values in `model/limits.ts`. */
  readonly limits?: Partial<PageLimits>
  /** The time, ms since any moment. */
  readonly nowMs?: () => number
}

/** The page, as long as it is served. */
export interface ServedPage {
  readonly port: number
  /** Returns a link that opens the page once, within `limits.pageLinkMs`. */
  link(): string
  close(): Promise<void>
}

/**
 * Serves the page on the loopback address.
 *
 * @throws HookgateError `unavailable` if the port is taken, or the page's files are not there
 */
export async function servePage({ port, limits: bounds, nowMs, ...options }: PageOptions): Promise<ServedPage> {
  const assets = readAssets()
  const record = openLatestReader(options.places.decisions)
  const signIn = openSignIn(nowMs)
  const closing = new AbortController()
  const app = openPageApp(bounds)
  const at: { origin?: PageOrigin } = {}
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(pageHeaders)
    const problem =
      at.origin === undefined ? notReady : turnedAway(request.raw, request.routeOptions.url, at.origin, signIn)
    if (problem === undefined) done()
    else if (request.method === 'POST') sendProblem(reply, problem)
    else sendText(reply, problem)
  })
  app.setErrorHandler((error, _request, reply) => sendProblem(reply, problemOf(error)))
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, notFound))
  for (const { path, type, bytes } of assets) app.get(path, (_request, reply) => reply.type(type).send(bytes))
  addSignIn(app, signIn, () => at.origin)
  for (const [name, route] of Object.entries(allRoutes({ ...options, record }))) {
    addRoute(app, name, route, closing.signal)
  }
  await listenAtPort(app, port, {
    who: 'the page',
    remedy: 'choose another port with `--port`, or leave it out for any that is free',
  })
  const address = app.server.address()
  const own = typeof address === 'object' && address !== null ? address.port : port
  at.origin = { host: `127.0.0.1:${own}`, origin: addressOf(own), cookieName: `hookgate-${own}` }
  return {
    port: own,
    link: () => `${addressOf(own)}${signInPath}${signIn.issue()}`,
    async close() {
      closing.abort()
      await app.close()
      record.close()
    },
  }
}

/** Adds the path that a link leads to. */
function addSignIn(app: FastifyInstance, signIn: SignIn, originOf: () => PageOrigin | undefined): void {
  app.get<{ Params: { readonly secret: string } }>(signInRoute, (request, reply) => {
    const keys = signIn.redeem(request.params.secret)
    const origin = originOf()
    if (keys === undefined || origin === undefined) return sendText(reply, linkIsOver)
    // Clears everything that another program left for this origin while it had this port: a script in the cache under
    // the name of ours, a service worker.
    reply.header('clear-site-data', '"cache", "storage"')
    reply.header('set-cookie', `${origin.cookieName}=${keys.cookie}; Path=/; HttpOnly; SameSite=Strict`)
    // A page and not a redirect: the link may be opened from another site, and then a browser would send no strict
    // cookie along a redirect. The token is in the fragment, which is never sent anywhere.
    return reply
      .type('text/html; charset=utf-8')
      .send(`<!doctype html><title>hookgate</title><meta http-equiv="refresh" content="0;url=/#token=${keys.token}">\n`)
  })
}

/** Adds a route: JSON in by POST; JSON out, or a line of JSON for each part. */
function addRoute(app: FastifyInstance, name: string, route: PageRoute, closing: AbortSignal): void {
  let streams = 0
  app.post(`/api/${name}`, async (request, reply) => {
    const opened = route.open(request.body)
    switch (opened.kind) {
      case 'malformed':
        return sendProblem(reply, requestMalformed(opened.why, 'reload the page'))
      case 'answer':
        return reply.type('application/json; charset=utf-8').send(jsonText(await opened.answer()))
      case 'stream': {
        if (streams >= limits.pageStreamsMax) return sendProblem(reply, tooManyStreams)
        streams += 1
        const gone = new AbortController()
        reply.raw.once('close', () => {
          streams -= 1
          gone.abort()
        })
        const parts = opened.stream(AbortSignal.any([gone.signal, closing]))
        return reply.type('application/x-ndjson; charset=utf-8').send(jsonLines(parts))
      }
    }
  })
}

/** Answers a person who looks at a browser, not a script. */
const sendText = (reply: FastifyReply, { status, message, remedy }: HttpProblem) =>
  reply.code(status).type('text/plain; charset=utf-8').send(`${message}\n\n${remedy}\n`)

function problemOf(error: unknown): HttpProblem {
  if (error instanceof HookgateError) {
    const status = error.code === 'internal' ? 500 : 422
    const message = errorText(new HookgateError(error.code, error.message, error.place && { place: error.place }))
    return { status, code: error.code, message, remedy: error.remedy ?? '' }
  }
  const status =
    typeof error === 'object' && error !== null && 'statusCode' in error && typeof error.statusCode === 'number'
      ? error.statusCode
      : 500
  if (status < 500) return { ...requestMalformed(errorText(error), 'reload the page'), status }
  return { status, code: 'internal', message: errorText(error), remedy: 'report this as a defect of hookgate' }
}

const notFound: HttpProblem = { status: 404, code: 'notFound', message: 'there is no such page', remedy: 'go to /' }

const notReady: HttpProblem = { status: 503, code: 'busy', message: 'the page is being opened', remedy: 'try again' }

const linkIsOver: HttpProblem = {
  status: 401,
  code: 'unauthorized',
  message: `this link was used already, or is older than ${limits.pageLinkMs / 1000} seconds`,
  remedy: 'press Enter where `hookgate ui` runs, and open the new link that it prints',
}

const tooManyStreams: HttpProblem = {
  status: 503,
  code: 'busy',
  message: `${limits.pageStreamsMax} tabs of this page are open`,
  remedy: 'close some of them, and reload this one',
}

/** Time after which a silent stream sends an empty line, so that a browser that has gone is noticed. */
const pageHeartbeatMs = 15_000

/**
 * Writes each part as a line of JSON, and an empty line where nothing comes for a while. If the parts fail, the last line
 * is `{"error": {"code", "message", "remedy"}}`.
 */
function jsonLines(parts: AsyncIterable<unknown>): Readable {
  return Readable.from(lines(parts))
}

async function* lines(parts: AsyncIterable<unknown>): AsyncIterable<string> {
  const iterator = parts[Symbol.asyncIterator]()
  try {
    // A browser learns from the first line that the stream is open.
    yield '\n'
    let next = iterator.next()
    while (true) {
      const beat = Promise.withResolvers<undefined>()
      const timer = setTimeout(() => beat.resolve(undefined), pageHeartbeatMs)
      // oxlint-disable-next-line no-await-in-loop -- one part after the other
      const result = await Promise.race([next, beat.promise]).finally(() => clearTimeout(timer))
      if (result === undefined) {
        yield '\n'
        continue
      }
      if (result.done === true) return
      yield `${jsonText(result.value)}\n`
      next = iterator.next()
    }
  } catch (error) {
    yield `${problemText(problemOf(error))}\n`
  } finally {
    await iterator.return?.()
  }
}

/** A file of the page. */
interface PageAsset {
  readonly path: string
  readonly type: string
  readonly bytes: Buffer
}

/** The page's files, as `npm run build` makes them. There are no others. */
const assetFiles = [
  { path: '/', name: 'index.html', type: 'text/html; charset=utf-8' },
  { path: '/page.js', name: 'page.js', type: 'text/javascript; charset=utf-8' },
  { path: '/page.css', name: 'page.css', type: 'text/css; charset=utf-8' },
  { path: '/icon.svg', name: 'icon.svg', type: 'image/svg+xml' },
] as const

/** The folder with the page's files. */
export const assetFolder = join(packageFolder, 'dist', 'ui', 'page')

/** Reads the page's files. @throws HookgateError `unavailable` if they were not built */
export function readAssets(): readonly PageAsset[] {
  return assetFiles.map(({ path, name, type }) => {
    const file = join(assetFolder, name)
    try {
      return { path, type, bytes: readFileSync(file) }
    } catch (cause) {
      throw new HookgateError('unavailable', `a file of the page cannot be read: ${errorText(cause)}`, {
        place: { file },
        remedy: 'install hookgate again, or run `npm run build` in a checkout',
        cause,
      })
    }
  })
}

/** Connections to the page: a browser has six at once to one address. Beyond, the one that is silent longest goes. */
const pageConnectionsMax = 200

/** Limits on the time and the number of clients. */
interface PageLimits {
  readonly headersMs: number
  readonly requestMs: number
  readonly lateCheckMs: number
  readonly connectionsMax: number
}

const ownLimits: PageLimits = {
  headersMs: limits.httpHeadersMs,
  requestMs: limits.httpHeadersMs + limits.httpBodyMs,
  lateCheckMs: limits.httpLateCheckMs,
  connectionsMax: pageConnectionsMax,
}

/** Creates the HTTP app of the page: bounded, and with the page's headers also where no route is reached. */
function openPageApp(given: Partial<PageLimits> = {}): FastifyInstance {
  const own = { ...ownLimits, ...given }
  const app = fastify({
    http: {
      maxHeaderSize: limits.httpHeaderBytesMax,
      headersTimeout: own.headersMs,
      requestTimeout: own.requestMs,
      connectionsCheckingInterval: own.lateCheckMs,
      insecureHTTPParser: false,
      // The guard reports a missing `Host` itself, with the page's headers.
      requireHostHeader: false,
    },
    requestTimeout: own.requestMs,
    keepAliveTimeout: limits.httpIdleMs,
    bodyLimit: limits.pageBodyBytesMax,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    clientErrorHandler(error, socket) {
      if (error.code === 'ECONNRESET') socket.destroy()
      else end(socket, clientProblem(error, own.headersMs).problem)
    },
    frameworkErrors: (_error, _request, reply) => void sendProblem(reply.headers(pageHeaders), badPath),
  })
  // Headers are limited by bytes. Node silently drops headers over the count, and one of them may be `Origin`.
  app.server.maxHeadersCount = 0
  boundConnections(app.server, own.connectionsMax, (socket) => end(socket, tooManyConnections))
  // Without a listener, Node closes the connection without a response.
  app.server.on('connect', (_request, socket: Socket) => end(socket, noTunnels))
  // A form of another page can post text without asking first; nothing here reads any.
  app.removeContentTypeParser('text/plain')
  return app
}

const end = (socket: Socket, problem: HttpProblem) => endWith(socket, { ...problem, headers: pageHeaders })

const tooManyConnections: HttpProblem = {
  status: 503,
  code: 'busy',
  message: `${pageConnectionsMax} connections are being answered`,
  remedy: 'close some tabs of this page',
}

const noTunnels: HttpProblem = {
  status: 405,
  code: 'methodNotAllowed',
  message: 'the page is not a proxy',
  remedy: 'remove it from the proxy settings',
}
