// The far end of `threadFloor`: a string in, a number out.
import { parentPort } from 'node:worker_threads'

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.on('message', () => parentPort?.postMessage(0))
