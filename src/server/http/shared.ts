import { type Admission, type AdmissionLimits, openAdmission } from './admission.ts'
import { type EventLog, type EventLogLimits, openEventLog } from './event-log.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { rememberProjects, type SessionProjects } from './session-projects.ts'

/** What all listeners of one gate have in common. */
export interface Shared {
  readonly admission: Admission
  readonly events: EventLog
  readonly metrics: Metrics
  readonly sessions: SessionProjects
}

/** @param sessionsFolder where the projects of sessions are kept for the next gate. Default: they are not */
export function createShared(limits: Partial<AdmissionLimits & EventLogLimits> = {}, sessionsFolder?: string): Shared {
  const admission = openAdmission(limits)
  return {
    admission,
    events: openEventLog(limits),
    metrics: createMetrics(() => admission.underWay),
    sessions: rememberProjects(sessionsFolder),
  }
}
