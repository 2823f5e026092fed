import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { z } from 'zod'

const Push = z.looseObject({
  topic: z.string(),
  title: z.string(),
  message: z.string(),
  actions: z.array(
    z.looseObject({
      label: z.string(),
      url: z.string(),
      body: z.string(),
      headers: z.record(z.string(), z.string()),
    }),
  ),
})
export type Push = z.infer<typeof Push>

/** Faults of a server, each of which can be switched while it runs. */
interface Faults {
  /** The status of every answer, instead of what it would be. */
  status?: number | undefined
  /** How long a push takes, ms. */
  slowMs?: number
  /** How often each message is delivered. */
  times?: number
  /** True: messages are kept back. */
  holds?: boolean
  /** A line that a stream repeats without end. */
  flood?: string | undefined
}

/** Starts a server that speaks ntfy's protocol: publishing as JSON and as text, and streams of messages as JSON lines. */
export async function startNtfy({ token }: { readonly token?: string } = {}) {
  const faults: Faults = {}
  const pushes: Push[] = []
  const messages: { topic: string; timeS: number; line: string }[] = []
  const streams = new Map<ServerResponse, string>()
  let ids = 0
  let floodsEnded = 0
  const deliver = (topic: string, message: string) => {
    const timeS = Math.floor(Date.now() / 1000)
    const line = `${JSON.stringify({ id: `m${(ids += 1)}`, time: timeS, event: 'message', topic, message })}\n`
    messages.push({ topic, timeS, line })
    if (faults.holds === true) return
    for (const [stream, of] of streams) if (of === topic) stream.write(line.repeat(faults.times ?? 1))
  }
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://ntfy')
    const [, topic = '', json] = pathname.split('/')
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      void (async () => {
        if (token !== undefined && request.headers.authorization !== `Bearer ${token}`) faults.status = 403
        if (faults.slowMs !== undefined) await sleep(faults.slowMs)
        if (faults.status !== undefined) {
          response.writeHead(faults.status).end()
          return
        }
        const text = Buffer.concat(chunks).toString()
        if (request.method === 'GET' && json === 'json') {
          const since = Number(searchParams.get('since') ?? Infinity)
          response.writeHead(200, { 'content-type': 'application/x-ndjson' })
          response.write(`${JSON.stringify({ id: 'o', time: 0, event: 'open', topic })}\n`)
          for (const one of messages) if (one.topic === topic && one.timeS >= since) response.write(one.line)
          streams.set(response, topic)
          response.once('close', () => streams.delete(response))
          const { flood } = faults
          if (flood === undefined) return
          const pour = () => void (response.destroyed || response.write(flood.repeat(1000), () => setImmediate(pour)))
          response.once('close', () => (floodsEnded += 1))
          pour()
          return
        }
        if (topic === '') {
          const push = Push.parse(JSON.parse(text))
          pushes.push(push)
          deliver(push.topic, push.message)
        } else deliver(topic, text)
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
      })()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    faults,
    pushes,
    /** Cuts all streams, as a server that is restarted does. */
    cut: () => streams.forEach((_, stream) => stream.destroy()),
    streams: () => streams.size,
    floodsEnded: () => floodsEnded,
    press,
  }
}

/** Does what a phone does when the person presses a button of a push. */
function press(push: Push | undefined, label: 'Approve' | 'Deny'): Promise<Response> {
  const action = push?.actions.find((one) => one.label === label)
  if (action === undefined) throw new Error(`there is no ${label}`)
  return fetch(action.url, { method: 'POST', body: action.body, headers: action.headers })
}
