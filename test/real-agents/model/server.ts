import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { anthropic } from './anthropic.ts'
import { gemini } from './gemini.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import { type Script, turnFor } from './script.ts'
import { fieldsOf, type ModelWire, type ServerEvent } from './wire.ts'

const wires: readonly ModelWire[] = [anthropic, gemini, openaiChat, openaiResponses]

/** A model that says what it was told to say, to whichever program asks in whichever way. */
export interface ScriptedModel {
  /** `http://127.0.0.1:port`, without a path. */
  readonly origin: string
  /** Replaces the script, and forgets what was asked before. */
  play(script: Script): void
  /** What the model was asked, as it came, oldest first. */
  readonly asked: () => readonly string[]
  /** Every request, method and path, heard or not. */
  readonly paths: () => readonly string[]
  close(): Promise<void>
}

/** Listens on the loopback address alone. */
export async function scriptedModel(): Promise<ScriptedModel> {
  let script: Script = { main: [] }
  let asked: string[] = []
  let paths: string[] = []
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => {
      response.statusCode = 500
      response.end(String(error))
    })
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    paths.push(`${request.method} ${pathname}`)
    const text = await textOf(request)
    const wire = wires.find(({ hears }) => hears(pathname))
    if (wire === undefined || request.method !== 'POST') {
      response.writeHead(pathname.endsWith('countTokens') ? 200 : 404, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ totalTokens: 1, error: { message: 'not scripted' } }))
      return
    }
    asked.push(text)
    const body = fieldsOf(JSON.parse(text))
    const standing = wire.standing(body)
    const turn = turnFor(script, text, standing)
    await turn.before?.()
    if (wire.isStreamed(pathname, body)) stream(response, wire.events(turn, standing.turnsTaken))
    else {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(wire.whole(turn, standing.turnsTaken)))
    }
  }

  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens))
  const address = server.address()
  return {
    origin: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    play(next) {
      script = next
      asked = []
      paths = []
    },
    asked: () => asked,
    paths: () => paths,
    close() {
      server.closeAllConnections()
      return new Promise((closed) => server.close(() => closed()))
    },
  }
}

function stream(response: ServerResponse, events: readonly ServerEvent[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  for (const { event, data } of events) {
    const line = typeof data === 'string' ? data : JSON.stringify(data)
    response.write(`${event === undefined ? '' : `event: ${event}\n`}data: ${line}\n\n`)
  }
  response.end()
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
