import type { IncomingMessage } from 'node:http'
import type { Caller, Gate } from '../../../gate/gate.ts'
import type { JsonObject } from '../../../model/json.ts'
import { limits } from '../../../model/limits.ts'
import type { Log } from '../log.ts'
import type { ReadinessLook } from '../readiness.ts'
import { type Admission, type AdmissionLimits, openAdmission } from './admission.ts'
import type { Connections } from './connections.ts'
import { type EventLog, type EventLogLimits, openEventLog } from './event-log.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { rememberProjects, type SessionProjects } from './session-projects.ts'

/** Interval of keep-alive comments to idle listeners, and of checks for listeners that do not read. */
const eventHeartbeatMs = 15_000

/** The dependencies of one listener's routes. */
export interface Listener {
  readonly gate: Gate
  readonly shared: Shared
  readonly limits: HttpLimits
  readonly log: Log
  readonly version: string
  readonly info: () => JsonObject
  /** Aborted when the listener closes. */
  readonly closing: AbortSignal
  /** Returns whether a caller with that environment has the gate's rules; `undefined` if callers may not send one. */
  readonly sameRules: ((env: Caller['env']) => boolean) | undefined
  /** Returns who has proved to have sent a request; `undefined` if all callers are on this machine. */
  readonly whoAsks: ((request: IncomingMessage) => string | undefined) | undefined
  readonly readiness: ReadinessLook
}

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
  heartbeatMs: eventHeartbeatMs,
}

/** The state that all listeners of one gate share. */
export interface Shared {
  readonly admission: Admission
  readonly events: EventLog
  readonly metrics: Metrics
  readonly sessions: SessionProjects
  /** The connections of each listener, in the order in which the listeners were created. */
  readonly listeners: Connections[]
}

/** @param sessionsFolder stores the projects of sessions for the next gate. Default: memory only */
export function createShared(bounds: Partial<AdmissionLimits & EventLogLimits> = {}, sessionsFolder?: string): Shared {
  const admission = openAdmission(bounds)
  return {
    admission,
    events: openEventLog(bounds),
    metrics: createMetrics(() => admission.underWay),
    sessions: rememberProjects(sessionsFolder),
    listeners: [],
  }
}
