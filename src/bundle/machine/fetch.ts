import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Fetcher } from 'tuf-js'
import { DownloadHTTPError, DownloadLengthMismatchError } from 'tuf-js/dist/error.js'

/** Options of each request. */
interface FetchOptions {
  /** A folder for files that are not verified yet. */
  readonly folder: string
  readonly headers: Readonly<Record<string, string>>
  /** Aborts every request: the time for all of them is over, or the gate ends. */
  readonly signal: AbortSignal
  /** Time for one request, ms. */
  readonly requestMs?: number | undefined
  /** Called with each file that was received, for what the client does not keep itself. */
  readonly onBytes?: (url: string, bytes: Buffer) => void
}

/**
 * Makes the fetcher of the TUF client. It reads no more than is signed for, or than its limit, and waits for no server that
 * sends byte by byte. A redirect, which would take the headers to another place, is not followed.
 */
export function openFetcher({ folder, headers, signal, requestMs, onBytes }: FetchOptions): Fetcher {
  async function downloadBytes(url: string, maxLength: number): Promise<Buffer> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(requestMs ?? bundleRequestMs)])
    const response = await get(url, headers, limit)
    try {
      const { statusCode = 0 } = response
      if (statusCode !== 200) throw new DownloadHTTPError(`it answered ${statusCode}`, statusCode)
      const bytes = await bodyOf(response, maxLength)
      onBytes?.(url, bytes)
      return bytes
    } finally {
      response.destroy()
    }
  }

  return {
    downloadBytes,
    async downloadFile(url, maxLength, handler) {
      const bytes = await downloadBytes(url, maxLength)
      const file = join(folder, `.${randomUUID()}`)
      try {
        writeFileSync(file, bytes, { mode: 0o600, flag: 'wx' })
        return await handler(file)
      } finally {
        rmSync(file, { force: true })
      }
    },
  }
}
/** One request for a file. A server that sends byte by byte has no longer than one that sends at once. */
const bundleRequestMs = 30_000

async function bodyOf(response: AsyncIterable<Buffer>, maxLength: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response) {
    length += chunk.length
    if (length > maxLength) throw new DownloadLengthMismatchError(`it sends more than ${maxLength} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function get(url: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<IncomingMessage> {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    send(url, { headers, signal }, resolve).on('error', reject).end()
  })
}
