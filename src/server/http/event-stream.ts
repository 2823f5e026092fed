import type { ServerResponse } from 'node:http'
import type { EventLog } from './event-log.ts'

/**
 * Streams kept events after `afterId`, and new ones as they come, as server-sent events until the client disconnects or
 * `signal` aborts. `id:` is the event's id, `data:` the JSON of a `KeptEvent`.
 *
 * INVARIANT: nothing is buffered for a client beyond what the system accepts. A client has a position in the log; it is
 * dropped if the log no longer holds that position, or if it reads nothing from one heartbeat to the next.
 *
 * @returns whether there was room for another listener; if not, nothing was sent
 */
export function streamEvents(
  response: ServerResponse,
  events: EventLog,
  {
    afterId,
    heartbeatMs,
    signal,
  }: { readonly afterId: number; readonly heartbeatMs: number; readonly signal: AbortSignal },
): boolean {
  // Events dropped before the client came show as a gap in the ids. An id beyond `lastId` is from another gate's log.
  let sentId = afterId > events.lastId ? events.lastId : Math.max(afterId, events.firstId - 1)
  let waiting = false
  let stuckBeats = 0

  function sendNew(): void {
    if (sentId < events.firstId - 1) {
      drop()
      return
    }
    if (waiting) return
    for (const { id, json } of events.after(sentId)) {
      sentId = id
      waiting = !response.write(`id: ${id}\ndata: ${json}\n\n`)
      if (waiting) return
    }
  }

  function beat(): void {
    stuckBeats = waiting ? stuckBeats + 1 : 0
    if (stuckBeats > 1) drop()
    else if (!waiting) waiting = !response.write(': nothing new\n\n')
  }

  const unlisten = events.listen(sendNew)
  if (unlisten === undefined) return false
  const heart = setInterval(beat, heartbeatMs)
  const onDrain = () => {
    waiting = false
    sendNew()
  }
  /** INVARIANT: nothing is written after this: no one would handle the error. */
  function stop(): void {
    unlisten?.()
    clearInterval(heart)
    response.off('drain', onDrain)
    signal.removeEventListener('abort', end)
  }
  function drop(): void {
    stop()
    response.destroy()
  }
  function end(): void {
    stop()
    if (waiting) response.destroy()
    else response.end()
  }
  response.on('drain', onDrain)
  response.once('close', stop)
  signal.addEventListener('abort', end)
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    connection: 'close',
  })
  response.flushHeaders()
  sendNew()
  return true
}
