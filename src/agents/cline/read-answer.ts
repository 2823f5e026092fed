import { mismatch } from '../codec/mismatch.ts'
import type { Advice } from '../../model/evaluation.ts'
import type { HookEvent } from '../../model/event.ts'
import type { Failure } from '../../model/failure.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import { askingEngine } from './engine.ts'
import { HookOutput, camelCase, sdkFields } from './schemas.ts'

interface AnswerFields {
  readonly output: HookOutput
  /** Notices of fields that the engine which asks does not read. */
  readonly unread: readonly Advice[]
  /** A sentence for each field that has the wrong type and was dropped. */
  readonly fault: Failure | undefined
}

export const noAnswer: AnswerFields = { output: {}, unread: [], fault: undefined }

/**
 * Parses the fields of an answer that the engine which asks would read, without those of a wrong type, which it reports:
 * a typo in one field must not undo another, a cancel least of all.
 */
export function readAnswer(answer: JsonObject, event: HookEvent): AnswerFields {
  const isExtension = event.agent === 'cline' && askingEngine(event) !== 'sdk'
  const isUnread = ([key, value]: readonly [string, Json]) => isExtension && isOfSdk(camelCase(key), value)
  const entries = Object.entries(answer)
  const unread = entries.filter((entry) => isUnread(entry) && !blank.has(entry[1])).map(([key]) => noticeOf(key))
  const own = entries.filter((entry) => !isUnread(entry))
  const whole = HookOutput.safeParse(Object.fromEntries(own), { reportInput: true })
  if (whole.success) return { output: whole.data, unread, fault: undefined }
  const { issues } = whole.error
  const wrong = new Set(issues.map(({ path }) => path[0]))
  const right = own.filter(([key]) => !wrong.has(camelCase(key)))
  return {
    output: HookOutput.parse(Object.fromEntries(right)),
    unread,
    fault: { code: 'badOutput', message: `its answer's ${mismatch(issues)}` },
  }
}

/**
 * Returns true for a field that the extension does not know. A new input is a demand all the same, for which the call is
 * refused: the extension cannot carry it out.
 */
function isOfSdk(field: string, value: Json): boolean {
  if (field === 'overrideInput') return !isJsonObject(value)
  return sdkFields.some((known) => known === field)
}

const blank: ReadonlySet<Json> = new Set([null, false, ''])

function noticeOf(key: string): Advice {
  if (camelCase(key) === 'review') return { kind: 'notice', text: noReview }
  const instead = camelCase(key) === 'context' ? '; write `contextModification`' : ''
  return { kind: 'notice', text: `\`${key}\` has no effect here: only the SDK of Cline reads it${instead}` }
}

export const noReview = '`review` has no effect: Cline asks nobody; write `{"cancel": true}` to refuse'
