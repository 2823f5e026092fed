import { limits } from '../../model/limits.ts'

/** The limits of one listener, or of all of them together (`admission.ts`); the reasons stand in `model/limits.ts`. */
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
