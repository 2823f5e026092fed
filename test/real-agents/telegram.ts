import { createServer, type IncomingMessage } from 'node:http'
import { fieldsOf } from './model/wire.ts'

/** A server that stands for Telegram's, for one bot: a chat without a network. */
export interface Telegram {
  /** `http://127.0.0.1:port`, the root of the Bot API. */
  readonly origin: string
  /** Has a person write to the bot, as soon as the bot asks for what is new. */
  write(from: number, text: string): void
  /** What the bot has sent: to whom, and what. */
  readonly sent: () => readonly (readonly [to: string, text: string])[]
  close(): void
}

/** How long the bot is kept waiting for something new, in milliseconds. */
const pollMs = 2000

export async function fakeTelegram(): Promise<Telegram> {
  const updates: { readonly update_id: number; readonly message: object }[] = []
  const sent: (readonly [string, string])[] = []
  const me = { id: 1, is_bot: true, first_name: 'Bot', username: 'test_bot' }

  async function answerTo(method: string, wire: Readonly<Record<string, unknown>>): Promise<unknown> {
    if (method === 'getMe') return { ...me, can_join_groups: true, can_read_all_group_messages: false }
    if (method === 'getWebhookInfo') return { url: '', has_custom_certificate: false, pending_update_count: 0 }
    const [chat, text] = [String(wire['chat_id']), String(wire['text'])]
    if (method === 'sendMessage') sent.push([chat, text])
    if (method === 'sendMessage' || method === 'editMessageText')
      return { message_id: 1000 + sent.length, date: 1, chat: { id: Number(chat), type: 'private' }, from: me, text }
    if (method !== 'getUpdates') return true
    const fresh = () => updates.filter(({ update_id }) => update_id >= Number(wire['offset'] ?? 0))
    if (fresh().length === 0) await new Promise((resolve) => setTimeout(resolve, pollMs))
    return fresh()
  }

  const server = createServer((request, response) => {
    void (async () => {
      const method = request.url?.split('/').at(-1) ?? ''
      const result = await answerTo(method, await bodyOf(request))
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ok: true, result }))
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it does not listen')

  return {
    origin: `http://127.0.0.1:${address.port}`,
    write(from, text) {
      const update_id = updates.length + 1
      const person = { id: from, first_name: `Person ${from}` }
      const message = { message_id: update_id, date: Math.floor(Date.now() / 1000), text }
      updates.push({
        update_id,
        message: { ...message, from: { ...person, is_bot: false }, chat: { ...person, type: 'private' } },
      })
    },
    sent: () => sent,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text.startsWith('{') ? fieldsOf(JSON.parse(text)) : Object.fromEntries(new URLSearchParams(text))
}
