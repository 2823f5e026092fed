import { Socket } from 'node:net'
import type { MessagePort } from 'node:worker_threads'
import { serve } from './serve.ts'

/** Where a thread's questions come from: a descriptor that the process was given, or a port of the process's own. */
export type ServeTask = { readonly fd: number } | { readonly port: MessagePort }

/** The pool's one task. On a descriptor it never ends; on a port it ends when it is told to, and the thread serves on. */
export function serveGate(task: ServeTask): Promise<void> {
  return 'fd' in task ? serveSocket(task.fd) : servePort(task.port)
}

function serveSocket(fd: number): Promise<void> {
  const socket = new Socket({ fd, readable: true, writable: true })
  socket.setEncoding('utf8')
  const hear = serve((text) => socket.write(text))
  socket.on('data', hear)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  socket.on('error', reject)
  socket.on('close', () => resolve())
  return promise
}

function servePort(port: MessagePort): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port between threads has no origin
  const hear = serve((text) => port.postMessage(text))
  port.on('message', (text: string | null) => (text === null ? resolve() : hear(text)))
  return promise
}
