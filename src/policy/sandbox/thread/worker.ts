import { readSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { serve } from './serve.ts'
import { frameReader } from '../wire/frame-bytes.ts'
import { endServing, letGo, type PortMessage } from '../wire/frames.ts'

/** The source of a thread's questions: an inherited file descriptor, or a port within the process. */
export type ServeTask = { readonly fd: number } | PortTask

interface PortTask {
  readonly port: MessagePort
  /** One number, which grows with each message and is notified: the thread sleeps until then. */
  readonly sent: Int32Array
}

/**
 * Serves the gate, as the pool's one task. On a descriptor the promise settles only when the socket is gone; on a port
 * it settles with `letGo`, and the thread continues to serve.
 */
export function serveGate(task: ServeTask): Promise<void> {
  return 'fd' in task ? serveSocket(task.fd) : servePort(task)
}

function serveSocket(fd: number): Promise<void> {
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

/** Serves through the event loop until `letGo`, and then sleeps between messages: the event loop wakes more slowly. */
function servePort({ port, sent }: PortTask): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port between threads has no origin
  const { receive, end } = serve((text) => port.postMessage(text))
  const leaveInOrder = () => {
    end()
    void leave(port)
  }
  const serveAsleep = () => {
    for (;;) {
      const before = Atomics.load(sent, 0)
      for (let next = received(port); next !== undefined; next = received(port)) {
        if (next === endServing) return leaveInOrder()
        if (next !== letGo) receive(next)
      }
      Atomics.wait(sent, 0, before)
    }
  }
  const onMessage = (message: PortMessage) => {
    if (typeof message === 'object') return receive(message)
    port.off('message', onMessage)
    // Only after the pool has been told that the task has ended.
    setImmediate(message === letGo ? serveAsleep : leaveInOrder)
    resolve()
  }
  port.on('message', onMessage)
  return promise
}

function received(port: MessagePort): PortMessage | undefined {
  // oxlint-disable-next-line no-unsafe-assignment -- the gate sent it
  const next: { readonly message: PortMessage } | undefined = receiveMessageOnPort(port)
  return next?.message
}

/**
 * Collects the thread's garbage, then closes the port. If a thread ends while V8 is marking, its garbage is collected
 * after isolated-vm has left the thread, and an isolated-vm handle in it aborts the process. The inspector is the only
 * way to request a collection.
 */
async function leave(port: MessagePort): Promise<void> {
  try {
    const { Session } = await import('node:inspector/promises')
    const session = new Session()
    session.connect()
    // The collection runs when the stack is empty, and not at all if the session has ended by then.
    await session.post('HeapProfiler.collectGarbage')
    session.disconnect()
  } finally {
    port.close()
  }
}
