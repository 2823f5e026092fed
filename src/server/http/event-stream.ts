import type { ServerResponse } from 'node:http'
import type { EventLog } from './event-log.ts'

/**
 * Sends what is kept, from the event after `afterId` on and as it comes, as server-sent events (`id:`, `data:`; data is
 * the JSON of a `KeptEvent`) until the listener goes or `signal` ends it.
 *
 * INVARIANT: nothing is buffered for a listener but what the system takes: it stands at a place in the log, and one that
 * has not read on when the log has forgotten that place, or takes nothing in from one heartbeat to the next, is dropped.
 *
 * @returns whether there was room for a listener; where not, nothing was sent
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
  // What was forgotten before it came is told by the gap in the ids; an id of another gate's is none of ours.
  let sentId = afterId > events.lastId ? events.lastId : Math.max(afterId, events.firstId - 1)
  let waiting = false
  let stuckBeats = 0

  function pump(): void {
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

  const unlisten = events.listen(pump)
  if (unlisten === undefined) return false
  const heart = setInterval(beat, heartbeatMs)
  const onDrain = () => {
    waiting = false
    pump()
  }
  /** INVARIANT: nothing is written after this: it would be an error that nobody hears. */
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
  pump()
  return true
}
