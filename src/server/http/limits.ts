import { limits } from '../../model/limits.ts'

/** The limits of one listener. `model/limits.ts` explains the values; `admission.ts` has those over all listeners. */
export interface HttpLimits {
  readonly headersMs: number
  readonly bodyMs: number
  readonly lateCheckMs: number
  readonly idleMs: number
  readonly connectionsMax: number
  readonly bodyBytesMax: number
  readonly discardedBytesMax: number
  readonly heartbeatMs: number
}

export const httpLimits: HttpLimits = {
  headersMs: limits.httpHeadersMs,
  bodyMs: limits.httpBodyMs,
  lateCheckMs: limits.httpLateCheckMs,
  idleMs: limits.httpIdleMs,
  connectionsMax: limits.httpConnectionsMax,
  bodyBytesMax: limits.eventBytesMax,
  discardedBytesMax: limits.httpDiscardedBytesMax,
  heartbeatMs: limits.eventHeartbeatMs,
}
