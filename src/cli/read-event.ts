import { limits } from '../model/limits.ts'

/**
 * One event from stdin, as far as it has come when the time is up: some agents never close what they have written to.
 * Nothing where a person sits at the other end.
 */
export function readEvent(stdin = process.stdin, waitMs: number = limits.bridgeStdinMs): Promise<Uint8Array> {
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
