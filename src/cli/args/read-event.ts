import { limits } from '../../model/limits.ts'

/** Time to read an event from stdin: agents write it at once, and some never close the pipe. */
const bridgeStdinMs = 5000

/**
 * Reads one event from stdin, as far as it arrives within the time limit: some agents never close the pipe. Returns
 * nothing if stdin is a terminal.
 */
export function readEvent(stdin = process.stdin, waitMs: number = bridgeStdinMs): Promise<Uint8Array> {
  if (stdin.isTTY) return Promise.resolve(new Uint8Array())
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = []
    let bytes = 0
    const end = () => {
      clearTimeout(timer)
      stdin.destroy()
      resolve(Buffer.concat(chunks))
    }
    const timer = setTimeout(end, waitMs)
    stdin.on('data', (chunk: Uint8Array) => {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > limits.eventBytesMax) end()
    })
    stdin.on('end', end)
    stdin.on('error', end)
  })
}
