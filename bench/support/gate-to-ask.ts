import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface GateToAsk {
  readonly folder: string
  readonly socket: string
  /** Sends an event like Claude Code's HTTP client, with a keep-alive connection if the gate allows one. */
  ask(event: Buffer): Promise<{ readonly ms: number; readonly body: string }>
  end(): Promise<void>
}

/** Starts a real gate in its own folder. */
export async function gateToAsk(bin: string, folder: string, words: readonly string[]): Promise<GateToAsk> {
  const port = await freePort()
  const gate = spawn(process.execPath, [bin, 'serve', '--http', `${port}`, ...words], {
    env: { ...process.env, HOOKGATE_HOME: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(gate.stdout, 'data')
  const token = readFileSync(join(folder, 'token'), 'utf8').trim()
  const { ask, close } = client(port, '/claude-code', { authorization: `Bearer ${token}` })
  return {
    folder,
    socket: join(folder, 'gate.sock'),
    ask,
    async end() {
      close()
      gate.kill()
      await once(gate, 'exit')
    },
  }
}

/** Starts a Node HTTP server that reads an event and decides nothing. */
export async function bareServer(): Promise<Pick<GateToAsk, 'ask' | 'end'>> {
  const server = spawn(process.execPath, [fileURLToPath(new URL('./bare-server-process.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port]: unknown[] = await once(server.stdout, 'data')
  const { ask, close } = client(Number(String(port)), '/', {})
  return {
    ask,
    async end() {
      close()
      server.kill()
      await once(server, 'exit')
    },
  }
}

function client(port: number, path: string, more: Readonly<Record<string, string>>) {
  const agent = new Agent({ keepAlive: true })
  const headers = { 'content-type': 'application/json', ...more }
  const ask: GateToAsk['ask'] = (event) =>
    new Promise((resolve, reject) => {
      const startedAt = performance.now()
      const sent = request({ host: '127.0.0.1', port, path, method: 'POST', agent, headers })
      sent.on('error', reject).on('response', (response) => {
        let body = ''
        response.setEncoding('utf8').on('data', (text: string) => (body += text))
        response.on('end', () => {
          if (response.statusCode === 200) resolve({ ms: performance.now() - startedAt, body })
          else reject(new Error(`${response.statusCode} ${body}`))
        })
      })
      sent.end(event)
    })
  return { ask, close: () => agent.destroy() }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server's address is one
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
