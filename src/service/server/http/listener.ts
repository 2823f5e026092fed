import type { IncomingMessage } from 'node:http'
import { isAbsolute } from 'node:path'
import { openKeyValueStore } from '../../../files/key-value-store.ts'
import type { Caller, Gate } from '../../../gate/gate.ts'
import type { HookEvent } from '../../../model/event.ts'
import type { JsonObject } from '../../../model/json.ts'
import { limits } from '../../../model/limits.ts'
import type { Log } from '../log-file.ts'
import type { Connections } from './connections.ts'
import { type EventLog, type EventLogLimits, openEventLog } from './event-log.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { errorText } from '../../../model/errors.ts'
import { sha256Of } from '../../../files/digest.ts'

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

/** Limits the concurrent requests and the memory for their bodies, over all listeners. */
interface Admission {
  /** Opens a pass for one request, which must `end` it. */
  open(): Pass
  /** The number of requests that are being answered. */
  readonly underWay: number
  readonly bytesHeld: number
  readonly requestsMax: number
}

/** The resources that one request takes up. */
export interface Pass {
  /** Reserves memory for another chunk of the body. @returns whether there is room */
  hold(bytes: number): boolean
  /** Counts the request as being answered, once its body is complete. @returns whether there is room */
  begin(): boolean
  /** Releases everything; may be called more than once. */
  end(): void
}

interface AdmissionLimits {
  readonly requestsMax: number
  readonly bytesHeldMax: number
}

function openAdmission({
  requestsMax = limits.httpRequestsMax,
  bytesHeldMax = httpBytesHeldMax,
}: Partial<AdmissionLimits> = {}): Admission {
  let underWay = 0
  let bytesHeld = 0
  return {
    get underWay() {
      return underWay
    },
    get bytesHeld() {
      return bytesHeld
    },
    requestsMax,
    open() {
      let mine = 0
      let isCounted = false
      return {
        hold(bytes) {
          if (bytesHeld + bytes > bytesHeldMax) return false
          bytesHeld += bytes
          mine += bytes
          return true
        },
        // Counted only from here on: a client that is slow to send its body must not block the events of others.
        begin() {
          if (underWay >= requestsMax) return false
          underWay += 1
          isCounted = true
          return true
        },
        end() {
          bytesHeld -= mine
          if (isCounted) underWay -= 1
          mine = 0
          isCounted = false
        },
      }
    },
  }
}
/** The bodies of all requests in progress: sixteen events of the maximum size. */
const httpBytesHeldMax = 256 * 1024 * 1024

/** The projects of sessions whose events do not name one: Claude Code's HTTP hooks never do. */
interface SessionProjects {
  /** Returns the event with the project in which its session began or was first seen, even after a `cd`. */
  settle(event: HookEvent): HookEvent
}

/**
 * Remembers the project of each session.
 *
 * INVARIANT: a session's rules do not follow its working folder, or an agent could escape them with `cd`. Beyond
 * `sessionsMax`, the least recently seen session is forgotten, and its project is taken from its next event.
 *
 * @param folder stores the projects for the next gate, since an agent could end this one. Default: memory only
 */
export function rememberProjects(folder?: string, sessionsMax: number = sessionsRememberedMax): SessionProjects {
  const stored = folder === undefined ? undefined : openKeyValueStore(folder, sessionsMax)
  const projects = new Map<string, string>()
  return {
    settle(event) {
      const { agent, session, workspaceRoots } = event
      // Sessions without an id would share one project.
      if (session.id === '') return event
      const key = `${agent} ${sessionKey(session.id)}`
      const known = isBegin(event) ? undefined : (projects.get(key) ?? projectIn(stored?.get(key)))
      const project = known ?? workspaceRoots[0] ?? session.cwd
      if (known === undefined) stored?.set(key, project)
      // Moves the session to the end of the map: the first entry is the least recently seen.
      projects.delete(key)
      projects.set(key, project)
      const [oldest] = projects.keys()
      if (projects.size > sessionsMax && oldest !== undefined) projects.delete(oldest)
      return project === workspaceRoots[0]
        ? event
        : Object.freeze({ ...event, workspaceRoots: Object.freeze([project]) })
    },
  }
}
/** Remembered projects of sessions whose events name none, as with HTTP hooks. The least recently used is evicted. */
export const sessionsRememberedMax = 1000

/** Returns a stored project, unless its file was damaged. */
const projectIn = (text: string | undefined) => (text !== undefined && isAbsolute(text) ? text : undefined)

/** Excludes `clear` and `compact`, which come mid-session, when the working folder may have changed. */
const isBegin = ({ name, trigger }: HookEvent) =>
  name === 'SessionStart' && (trigger === 'startup' || trigger === 'resume')

/** Hashes long ids: the sender chooses their length. */
const sessionKey = (id: string) => (id.length <= limits.cacheKeyCharactersMax ? id : sha256Of(id))

/** A gate's readiness: it decides by loaded rules, and by its bundle where one is configured. */
type Readiness = { readonly ready: true } | { readonly ready: false; readonly why: string }

export interface ReadinessLook {
  look(): Promise<Readiness>
  /** From now on the gate is not ready, since it ends. */
  leave(): void
}

/** Looks whether a gate's rules are loaded and, where a bundle is configured, a verified release of it is in force. */
export function openReadiness(gate: Pick<Gate, 'rulesFor'>): ReadinessLook {
  let isLeaving = false
  return {
    async look() {
      if (isLeaving) return { ready: false, why: 'the gate is stopping' }
      try {
        const { bundle, alarms } = await gate.rulesFor({ workspaceRoots: [] })
        if (bundle !== undefined && bundle.state.release === undefined) {
          const { channel, problem } = bundle.state
          const why = problem === undefined ? '' : `: ${problem}`
          return { ready: false, why: `no verified release of the channel ${channel} is in force${why}` }
        }
        return alarms.length > 0 ? { ready: false, why: alarms.join('; ') } : { ready: true }
      } catch (error) {
        return { ready: false, why: errorText(error) }
      }
    },
    leave() {
      isLeaving = true
    },
  }
}
