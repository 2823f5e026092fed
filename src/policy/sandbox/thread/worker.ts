import { readSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { serve } from './serve.ts'
import { frameReader } from '../wire/frame-bytes.ts'

/** The inherited file descriptor that a thread's questions come from. */
export interface ServeTask {
  readonly fd: number
}

/** Serves the gate, as the pool's one task. The promise settles only when the socket is gone. */
export function serveGate({ fd }: ServeTask): Promise<void> {
  // A blocking read does not work on Windows' named pipes.
  return process.platform === 'win32' ? serveStream(fd) : Promise.resolve(serveBlocking(fd))
}

/**
 * Serves with blocking reads, because the thread has nothing else to do: going through the event loop took half of a
 * round trip's time.
 */
function serveBlocking(fd: number): void {
  const room = Buffer.allocUnsafe(readBytesMax)
  const read = frameReader()
  const { receive } = serve((text) => writeAll(fd, Buffer.from(text)))
  for (let bytes = readSync(fd, room); bytes > 0; bytes = readSync(fd, room)) {
    receive(read(room.subarray(0, bytes)))
  }
}
const readBytesMax = 256 * 1024

/** Writes all bytes. One write suffices unless a signal interrupts it. */
function writeAll(fd: number, bytes: Buffer): void {
  for (let from = 0; from < bytes.length; from += writeSync(fd, bytes, from));
}

function serveStream(fd: number): Promise<void> {
  const socket = new Socket({ fd, readable: true, writable: true })
  const read = frameReader()
  const { receive } = serve((text) => socket.write(text))
  socket.on('data', (chunk) => receive(read(chunk)))
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  socket.on('error', reject)
  socket.on('close', () => resolve())
  return promise
}
