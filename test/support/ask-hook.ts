import { request } from 'node:http'
import { askGate, type GateReply } from '../../src/service/server/ask-gate.ts'
import type { GatePaths } from '../../src/files/state/places.ts'
import { claudeShell } from './wire.ts'

/** Sends a gate one shell command as Claude Code's thin client does. */
export function askHook(
  places: Pick<GatePaths, 'socket' | 'key'>,
  command = 'ls',
  timeoutMs = 60_000,
  asVersion?: string,
): Promise<GateReply> {
  const body = JSON.stringify(claudeShell(command, '/'))
  return askGate(places, {
    to: 'hook',
    agent: 'claude-code',
    body,
    timeoutMs,
    ...(asVersion !== undefined && { asVersion }),
  })
}

/** Sends one request of HTTP to a gate's socket, as a program of the user may. */
export function overHttp(
  { socket }: Pick<GatePaths, 'socket'>,
  path: string,
  { body, headers = {} }: { readonly body?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST'
    const sent = request({ socketPath: socket, path, method, headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('error', reject).on('end', () => resolve({ status: response.statusCode ?? 0, body: text }))
    })
    sent.on('error', reject).end(body)
  })
}
