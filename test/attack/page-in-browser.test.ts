import { createServer, type Server } from 'node:http'
import type { BrowserContext } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from '../support/resident.ts'
import { openedPage, openIn, servedPage } from '../support/page.ts'

type Answers = Readonly<Record<string, readonly [type: string, body: string]>>

/** Serves other files at a port of 127.0.0.1, as a project's own server does, and records what it is told. */
async function otherServer(files: Answers, port = 0) {
  const told: string[] = []
  const server: Server = createServer((request, response) => {
    const { url = '', headers } = request
    told.push(`${url} ${headers.cookie ?? ''}`)
    const [type, body] = files[url.split('?')[0] ?? ''] ?? ['text/plain', '']
    // What it serves stays in the browser's cache for a year.
    response.writeHead(200, { 'content-type': type, 'cache-control': 'max-age=31536000, immutable' }).end(body)
  })
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  const close = () =>
    new Promise((done) => {
      server.close(done)
      server.closeAllConnections()
    })
  onTestFinished(async () => void (await close()))
  const address = server.address()
  const own = typeof address === 'object' && address !== null ? address.port : 0
  return { origin: `http://127.0.0.1:${own}`, told, close }
}

const html = (body: string) => ['text/html', `<!doctype html><title>other</title>${body}`] as const

/** Opens a page of another server in a browser that has opened hookgate's, and returns it once its script has ended. */
async function openOther(context: BrowserContext, url: string) {
  const page = await context.newPage()
  await page.goto(url)
  await page.waitForFunction('window.results !== undefined')
  return { page, results: await page.evaluate<Record<string, string>>('window.results') }
}

/** Tries all that a script may try to read or to change something at `target`. */
const attempts = (target: string) => `<iframe name="inner" src="${target}/"></iframe>
<form id="form" method="post" enctype="text/plain" target="inner" action="${target}/api/decisions">
  <input name='{"limit":1,"text":"' value='"}'></form>
<script>
(async () => {
  const results = {}
  const attempt = async (name, what) => {
    try { results[name] = String(await what()) } catch { results[name] = 'refused' }
  }
  const post = (more) => fetch('${target}/api/decisions', { method: 'POST', body: '{"limit":1}', credentials: 'include', ...more })
  const json = { 'content-type': 'application/json', 'hookgate-page': 'x' }
  await attempt('read', async () => (await fetch('${target}/', { credentials: 'include' })).text())
  await attempt('opaque', async () => (await fetch('${target}/page.js', { mode: 'no-cors', credentials: 'include' })).type)
  await attempt('post', async () => (await post({})).text())
  await attempt('post JSON', async () => (await post({ headers: json })).text())
  await attempt('post blindly', async () => (await post({ mode: 'no-cors' })).type)
  await attempt('beacon', () => navigator.sendBeacon('${target}/api/decisions', '{"limit":1}'))
  await attempt('script', () => new Promise((done) => {
    const script = document.createElement('script')
    Object.assign(script, { src: '${target}/page.js', onload: () => done('loaded'), onerror: () => done('refused') })
    document.body.append(script)
  }))
  const pause = () => new Promise((done) => setTimeout(done, 300))
  await attempt('frame', async () => {
    document.getElementById('form').submit()
    await pause()
    return frames.inner.document.body.textContent
  })
  await attempt('window', async () => {
    const other = window.open('${target}/')
    await pause()
    return other.document.body.textContent
  })
  window.results = results
})()
</script>`

describe('a page of another server', () => {
  it.each(['127.0.0.1', 'localhost'])('reads and changes nothing, from %s', async (name) => {
    const { context, origin, decide, page, problems } = await openedPage()
    await decide('echo a-secret-word')
    const other = await otherServer({ '/': html(attempts(origin)) })
    const requests: string[] = []
    context.on('response', (response) => {
      const request = response.request()
      if (!response.url().startsWith(origin)) return
      // The page itself looks for what waits, beside the other one. Who navigates may have no frame yet.
      if (!request.isNavigationRequest() && request.frame().page() === page) return
      const from = request.headers()['referer'] ?? ''
      if (!from.startsWith(origin)) requests.push(`${response.status()} ${new URL(response.url()).pathname}`)
    })
    const { results, page: theirs } = await openOther(context, other.origin.replace('127.0.0.1', name))
    expect(results).toMatchObject({
      read: 'refused',
      opaque: 'refused',
      post: 'refused',
      'post JSON': 'refused',
      'post blindly': 'refused',
      script: 'refused',
      frame: 'refused',
    })
    expect(results['window']).not.toContain('secret-word')
    expect(JSON.stringify(results)).not.toContain('secret-word')
    expect(requests.filter((line) => line.startsWith('2'))).toEqual([])
    expect(requests).not.toEqual([])
    // The one that was opened by the link works on.
    await theirs.close()
    await page.reload()
    await page.getByText('a-secret-word').first().waitFor()
    expect(problems).toEqual([])
  })

  it('gets the cookie at most, which opens no data', async () => {
    const { context, origin } = await openedPage()
    const other = await otherServer({ '/': html('<script>window.results = { cookie: document.cookie }</script>') })
    const { results } = await openOther(context, other.origin)
    // Cookies are not kept apart by port; a script cannot read this one, but its server gets it.
    expect(results).toEqual({ cookie: '' })
    const cookie = /hookgate-\d+=[\w-]+/.exec(other.told.join('\n'))?.[0] ?? ''
    expect(cookie).not.toBe('')
    const answer = await fetch(`${origin}/api/decisions`, {
      method: 'POST',
      headers: { cookie, origin, 'content-type': 'application/json' },
      body: '{"limit":1}',
    })
    expect(answer.status).toBe(401)
  })
})

describe('a port that another server had before', () => {
  const theirs = `document.title = 'theirs'`

  it('shows the real page, whatever is in the cache under its names', async () => {
    const port = await freePort()
    const before = await otherServer(
      {
        '/': html('<script src="/page.js"></script>'),
        '/page.js': ['text/javascript', `${theirs}; window.results = { localStorage: localStorage.x = 'planted' }`],
        '/page.css': ['text/css', 'body { display: none }'],
      },
      port,
    )
    const { context, page } = await openIn(before.origin)
    expect(await page.title()).toBe('theirs')
    await page.close()
    await before.close()
    const { served } = await servedPage({}, { port })
    const real = await context.newPage()
    await real.goto(served.link())
    await real.getByRole('heading', { name: 'Now' }).waitFor()
    await expect.poll(() => real.title()).toBe('Now · hookgate')
    expect(await real.evaluate('localStorage.x')).toBeUndefined()
  })

  it('gives a worker that stayed in the browser neither the page nor its keys', async () => {
    const port = await freePort()
    const worker = `self.addEventListener('install', () => self.skipWaiting())
      self.addEventListener('activate', (event) => event.waitUntil(clients.claim()))
      self.addEventListener('fetch', (event) => {
        if (new URL(event.request.url).pathname.startsWith('/open/')) return
        event.respondWith(new Response('<title>theirs</title>', { headers: { 'content-type': 'text/html' } }))
      })`
    const before = await otherServer(
      {
        '/': html(`<script>navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready)
          .then(() => (window.results = {}))</script>`),
        '/worker.js': ['text/javascript', worker],
      },
      port,
    )
    const { context, page } = await openIn(before.origin)
    await page.waitForFunction('window.results !== undefined')
    await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true)
    await page.close()
    await before.close()
    const { served } = await servedPage({}, { port })
    const real = await context.newPage()
    await real.goto(served.link())
    await real.getByRole('heading', { name: 'Now' }).waitFor()
    await expect.poll(() => real.title()).toBe('Now · hookgate')
  })
})
