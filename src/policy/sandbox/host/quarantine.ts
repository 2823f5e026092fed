import type { Failure } from '../../../model/failure.ts'
import { limits } from '../../../model/limits.ts'
import type { PolicyRef } from './job.ts'

interface StrikeRecord {
  strikes: number
  last: Failure
  /** On the clock of `performance.now()`. */
  untilMs: number
  /** Tells that one more try is under way. */
  isTried: boolean
}

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
    // One more try decides, and until it has, it is the only one.
    record.untilMs = nowMs + limits.policyAnswerMsMax
    record.isTried = true
    return undefined
  }

  /** Why a policy that has been asked already need not be asked again. */
  standingFailure(policy: PolicyRef): Failure | undefined {
    const record = this.#records.get(keyOf(policy))
    if (record === undefined || record.strikes < limits.policyStrikesMax || record.isTried) return undefined
    return quarantined(record)
  }

  /** Notes how a policy that was asked has come out. */
  record(policy: PolicyRef, failure: Failure | undefined): void {
    if (this.#records.size === 0 && failure === undefined) return
    const key = keyOf(policy)
    switch (failure?.code) {
      case 'policyTimeout':
      case 'policyOutOfMemory':
      // It ends its sandbox each time, as those do.
      case 'badOutput': {
        const strikes = (this.#records.get(key)?.strikes ?? 0) + 1
        const untilMs = performance.now() + limits.policyQuarantineMs
        this.#records.set(key, { strikes, last: failure, untilMs, isTried: false })
        return
      }
      // It had no chance to answer: given up, without a sandbox, or without time of its own.
      case 'cancelled':
      case 'workerLost':
      case 'exhausted':
      case 'factsFailed':
        return
      case undefined:
      case 'policyThrew':
      case 'timeout':
      case 'signalled':
      case 'nonzeroExit':
      case 'stdinClosed':
      case 'outputTooLarge':
      case 'outputNotUtf8':
      case 'commandNotFound':
      case 'notExecutable':
      case 'interpreterMissing':
      case 'spawnFailed':
      case 'untrusted':
      case 'notTranslatable':
        this.#records.delete(key)
        return
    }
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
