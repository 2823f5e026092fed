import { readSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { StringDecoder } from 'node:string_decoder'
import type { MessagePort } from 'node:worker_threads'
import { serve } from './serve.ts'
import { type endServing, letGo } from '../wire/frames.ts'

/** Where a thread's questions come from: a descriptor that the process was given, or a port of the process's own. */
export type ServeTask = { readonly fd: number } | { readonly port: MessagePort }

/** The pool's one task. On a descriptor it never ends; on a port it ends when it is told to, and the thread serves on until it is told otherwise. */
export function serveGate(task: ServeTask): Promise<void> {
  return 'fd' in task ? serveSocket(task.fd) : servePort(task.port)
}

function serveSocket(fd: number): Promise<void> {
  // A named pipe of Windows cannot be waited for like this.
  return process.platform === 'win32' ? serveStream(fd) : Promise.resolve(serveBlocking(fd))
}

/**
 * The thread has nothing to do but to answer, so it waits in the read itself: half of a round trip's time was the way
 * through an event loop that nobody else is in.
 */
function serveBlocking(fd: number): void {
  const room = Buffer.allocUnsafe(readBytesMax)
  const decoder = new StringDecoder('utf8')
  const { hear } = serve((text) => writeAll(fd, Buffer.from(text)))
  for (let bytes = readSync(fd, room); bytes > 0; bytes = readSync(fd, room)) {
    hear(decoder.write(room.subarray(0, bytes)))
  }
}
const readBytesMax = 256 * 1024

/** One write takes all of it, unless a signal comes in between. */
function writeAll(fd: number, bytes: Buffer): void {
  for (let from = 0; from < bytes.length; from += writeSync(fd, bytes, from));
}

function serveStream(fd: number): Promise<void> {
  const socket = new Socket({ fd, readable: true, writable: true })
  socket.setEncoding('utf8')
  const { hear } = serve((text) => socket.write(text))
  socket.on('data', hear)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  socket.on('error', reject)
  socket.on('close', () => resolve())
  return promise
}

function servePort(port: MessagePort): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port between threads has no origin
  const { hear, end } = serve((text) => port.postMessage(text))
  port.on('message', (said: string | typeof letGo | typeof endServing) => {
    if (typeof said === 'string') {
      hear(said)
      return
    }
    resolve()
    if (said === letGo) return
    end()
    void leave(port)
  })
  return promise
}

/**
 * A thread that ends while V8 is marking has its garbage collected after isolated-vm is gone from it, and a handle of
 * isolated-vm's among it aborts the process. So it is collected before. Nobody debugs here: this is the one way to ask.
 */
async function leave(port: MessagePort): Promise<void> {
  try {
    const { Session } = await import('node:inspector/promises')
    const session = new Session()
    session.connect()
    // It is done when the stack is empty, and not at all where the session has ended by then.
    await session.post('HeapProfiler.collectGarbage')
    session.disconnect()
  } finally {
    port.close()
  }
}
