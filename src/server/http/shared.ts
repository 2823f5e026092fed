import { type Admission, type AdmissionLimits, openAdmission } from './admission.ts'
import { type EventLog, type EventLogLimits, openEventLog } from './event-log.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { rememberProjects, type SessionProjects } from './session-projects.ts'

/** The state that all listeners of one gate share. */
export interface Shared {
  readonly admission: Admission
  readonly events: EventLog
  readonly metrics: Metrics
  readonly sessions: SessionProjects
}

/** @param sessionsFolder stores the projects of sessions for the next gate. Default: memory only */
export function createShared(limits: Partial<AdmissionLimits & EventLogLimits> = {}, sessionsFolder?: string): Shared {
  const admission = openAdmission(limits)
  return {
    admission,
    events: openEventLog(limits),
    metrics: createMetrics(() => admission.underWay),
    sessions: rememberProjects(sessionsFolder),
  }
}
