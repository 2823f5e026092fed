import { version } from '../files/program-files.ts'
import { isCanary } from '../model/heartbeat.ts'
import type { Decision } from '../model/effect.ts'
import type { EntryPoint, HookEvent } from '../model/event.ts'
import { usualRecord } from '../model/record-settings.ts'
import type { RuleSet, Rule } from '../model/rule.ts'
import type { Verdict } from '../model/verdict.ts'
import { type DecisionRecord, recordOf, recordOfError } from './record.ts'
import { openRecorder, type RecorderStatus } from './recorder.ts'
import { sha256Of } from '../files/digest.ts'

/** An event that was answered, and how. */
interface AnsweredEvent {
  readonly event: HookEvent | undefined
  /** `undefined` if hookgate could not decide. */
  readonly verdict: Verdict | undefined
  readonly error: unknown
  readonly told: Decision | undefined
  /** The agent as the caller named it. */
  readonly agent: string | undefined
  readonly via: EntryPoint
  readonly who?: string | undefined
  readonly onBehalfOf?: string | undefined
  readonly durationMs: number
  /** The shell command, masked; `undefined` if it is too long for that, or there is none. */
  readonly command?: string | undefined
  /** The rules in force; `undefined` if they do not load. */
  readonly rules: RuleSet | undefined
  /** False if the caller has gone in the meantime: then it counts for no decision, unless a person was asked. */
  readonly callerWaits: boolean
}

/** Makes the records of a gate's decisions, and passes them on. */
interface Recording {
  /**
   * Records an answer that is about to leave: counts it now, and does the rest once the answer is on its way.
   *
   * @returns the record, made with the first call
   */
  answered(one: AnsweredEvent): () => DecisionRecord
  /** `undefined` if nothing is written. */
  status(): RecorderStatus | undefined
  /** Writes the last records. Later ones are lost. */
  close(): Promise<void>
}

export function openRecording(
  file: string | false | undefined,
  onRecord: ((record: DecisionRecord) => void) | undefined,
): Recording {
  const recorder = file === undefined || file === false ? undefined : openRecorder(file)
  // Read at once: the installation may be gone when the first record is made.
  const ownVersion = version()
  /** The settings of the last rules that loaded: they count while a file is malformed. */
  let settings = usualRecord
  return {
    answered(one) {
      const atMs = Date.now()
      let made: DecisionRecord | undefined
      const record = () => (made ??= recordOfAnswer(one, ownVersion, atMs))
      const { event, rules, verdict } = one
      // An agent that ends while its call waits for a person must not keep the call out of the record.
      const isLost = !one.callerWaits && verdict?.approval?.outcome !== 'gone'
      if (isLost || (event !== undefined && isCanary(event))) return record
      settings = rules?.record ?? settings
      if (recorder !== undefined && settings.level !== 'off') {
        const now = settings
        recorder.count()
        setImmediate(() => recorder.add(record, verdict?.evaluations ?? [], now))
      }
      if (verdict !== undefined) onRecord?.(record())
      return record
    },
    status: () => recorder?.status(),
    async close() {
      if (recorder === undefined) return
      // The records of answers that have just left.
      await new Promise((resolve) => setImmediate(resolve))
      await recorder.close()
    },
  }
}

function recordOfAnswer(one: AnsweredEvent, ownVersion: string, atMs: number): DecisionRecord {
  const { event, verdict, rules, agent, error } = one
  const details = {
    via: one.via,
    who: one.who,
    onBehalfOf: one.onBehalfOf,
    version: ownVersion,
    durationMs: Number(one.durationMs.toFixed(3)),
    told: one.told,
  }
  return event === undefined || verdict === undefined
    ? recordOfError({ event, agent: event?.agent ?? agent }, error, details, atMs)
    : recordOf(
        event,
        verdict,
        { ...details, maskedCommand: one.command, rulesDigest: rules && rulesDigest(rules) },
        atMs,
      )
}

/**
 * Returns a digest of the rules in force: equal for the same entries and the same code of policies. The scripts that
 * hooks start are not read for it.
 */
export const rulesDigest = (rules: RuleSet): string => rules.prepared(digestOf)

function digestOf({ rules, exceptions }: RuleSet): string {
  const text = JSON.stringify([rules.map(withoutPlaces), exceptions], (_key, value: unknown) =>
    value instanceof RegExp ? value.source : value,
  )
  return sha256Of(text).slice(0, 16)
}

/** Leaves out where a policy happens to be in the sandbox, and which gate is running. */
function withoutPlaces({ handler, ...rule }: Rule): unknown {
  switch (handler.kind) {
    case 'command':
      return { ...rule, handler }
    case 'remote':
      return { ...rule, handler: { asks: handler.asks, url: handler.server.url } }
    case 'policy': {
      const { policy, digest, params } = handler
      return { ...rule, handler: { policy, digest, params } }
    }
    case 'builtin': {
      const { builtin } = handler
      return { ...rule, handler: builtin.kind === 'self-protection' ? builtin.kind : builtin }
    }
  }
}
