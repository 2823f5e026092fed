import { type Failure, hadNoChance, isCostly } from '../../../model/failure.ts'
import { limits } from '../../../model/limits.ts'
import type { PolicyRef } from './job.ts'

interface StrikeRecord {
  strikes: number
  last: Failure
  /** End of the quarantine, on the clock of `performance.now()`. */
  untilMs: number
  /** True while a trial evaluation after the quarantine is under way. */
  isOnTrial: boolean
}

/** Suspends policies for a while after several failures in a row for time or memory. */
export class Quarantine {
  readonly #records = new Map<string, StrikeRecord>()

  /** Returns why a policy must not be evaluated, if so. After its quarantine, one trial evaluation decides. */
  admit(policy: PolicyRef): Failure | undefined {
    if (this.#records.size === 0) return undefined
    const record = this.#records.get(policyKey(policy))
    if (record === undefined || record.strikes < policyStrikesMax) return undefined
    const nowMs = performance.now()
    if (nowMs < record.untilMs) return quarantined(record)
    // Blocks further evaluations until this one has decided.
    record.untilMs = nowMs + limits.policyAnswerMsMax
    record.isOnTrial = true
    return undefined
  }

  /** Returns why a policy that was pending in a lost sandbox need not be retried, if so. */
  quarantineFailure(policy: PolicyRef): Failure | undefined {
    const record = this.#records.get(policyKey(policy))
    if (record === undefined || record.strikes < policyStrikesMax || record.isOnTrial) return undefined
    return quarantined(record)
  }

  /** Records the outcome of a policy's evaluation. */
  record(policy: PolicyRef, failure: Failure | undefined): void {
    if (this.#records.size === 0 && failure === undefined) return
    const key = policyKey(policy)
    if (failure === undefined) this.#records.delete(key)
    else if (isCostly(failure.code)) {
      const strikes = (this.#records.get(key)?.strikes ?? 0) + 1
      const untilMs = performance.now() + policyQuarantineMs
      this.#records.set(key, { strikes, last: failure, untilMs, isOnTrial: false })
    } else if (!hadNoChance(failure.code)) this.#records.delete(key)
  }

  forget(domain: number): void {
    for (const key of this.#records.keys()) if (key.startsWith(`${domain}:`)) this.#records.delete(key)
  }
}
/** Consecutive failures for time or memory after which a policy is quarantined. */
export const policyStrikesMax = 3
/** Duration of the quarantine: long enough to spare other policies, short enough that a guard soon works again. */
export const policyQuarantineMs = 60_000

const policyKey = ({ domain, policy }: PolicyRef) => `${domain}:${policy}`

function quarantined({ last: { code, message } }: StrikeRecord): Failure {
  const how = `quarantined for ${policyQuarantineMs / 1000} s after ${policyStrikesMax} failures in a row`
  return { code, message: `${how}: ${message}; fix it: a changed file is reloaded at once` }
}
