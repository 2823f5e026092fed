import type { Failure, FailureCode } from '../../../model/failure.ts'
import { limits } from '../../../model/limits.ts'
import type { PolicyRef } from './job.ts'

interface StrikeRecord {
  strikes: number
  last: Failure
  /** Until when it is not asked, on the clock of `performance.now()`. */
  untilMs: number
  /** Tells that one more try is under way. */
  isTried: boolean
}

/** Failures that cost others time or their sandbox. A bad output does: it ends its sandbox each time. */
const strikeCodes: ReadonlySet<FailureCode> = new Set(['policyTimeout', 'policyOutOfMemory', 'badOutput'])
/** Failures for which the policy had no chance to answer: given up, without a sandbox, or without time of its own. */
const neutralCodes: ReadonlySet<FailureCode> = new Set(['cancelled', 'workerLost', 'exhausted', 'factsFailed'])

/** Keeps policies that fail for time or memory several times in a row from being asked for a while. */
export class Quarantine {
  readonly #records = new Map<string, StrikeRecord>()

  /** Lets a policy be asked, or says why not. One whose time is up is let in once, and that try decides. */
  admit(policy: PolicyRef): Failure | undefined {
    if (this.#records.size === 0) return undefined
    const record = this.#records.get(keyOf(policy))
    if (record === undefined || record.strikes < limits.policyStrikesMax) return undefined
    const nowMs = performance.now()
    if (nowMs < record.untilMs) return quarantined(record)
    // Until this try has decided, it is the only one.
    record.untilMs = nowMs + limits.policyAnswerMsMax
    record.isTried = true
    return undefined
  }

  /** Says why a policy that has been asked already need not be asked again. */
  standingFailure(policy: PolicyRef): Failure | undefined {
    const record = this.#records.get(keyOf(policy))
    if (record === undefined || record.strikes < limits.policyStrikesMax || record.isTried) return undefined
    return quarantined(record)
  }

  /** Notes how a policy that was asked has come out. */
  record(policy: PolicyRef, failure: Failure | undefined): void {
    if (this.#records.size === 0 && failure === undefined) return
    const key = keyOf(policy)
    if (failure === undefined) this.#records.delete(key)
    else if (strikeCodes.has(failure.code)) {
      const strikes = (this.#records.get(key)?.strikes ?? 0) + 1
      const untilMs = performance.now() + limits.policyQuarantineMs
      this.#records.set(key, { strikes, last: failure, untilMs, isTried: false })
    } else if (!neutralCodes.has(failure.code)) this.#records.delete(key)
  }

  forget(domain: number): void {
    for (const key of this.#records.keys()) if (key.startsWith(`${domain}:`)) this.#records.delete(key)
  }
}

const keyOf = ({ domain, policy }: PolicyRef) => `${domain}:${policy}`

function quarantined({ last: { code, message } }: StrikeRecord): Failure {
  const how = `quarantined for ${limits.policyQuarantineMs / 1000} s after ${limits.policyStrikesMax} failures in a row`
  return { code, message: `${how}: ${message}; fix it: a changed file is reloaded at once` }
}
