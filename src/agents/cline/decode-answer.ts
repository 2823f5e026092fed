import { resolve } from 'node:path'
import { answerFields, askingEngine, camelCase, ClassicInput, HookOutput, isAnswer, sdkFields } from './schemas.ts'
import { applicable, lostDecision, lostInWordsOf, refusedRewrite, said } from '../codec/outcome.ts'
import {
  brokenObject,
  isOtherJson,
  type PrintedObjects,
  printedObjects,
  type ScanFlaw,
} from '../codec/printed-objects.ts'
import { type Advice, type Applicable, indeterminate, notApplicable, type Outcome } from '../../model/evaluation.ts'
import type { HookEvent } from '../../model/event.ts'
import type { Failure } from '../../model/failure.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import { limits } from '../../model/limits.ts'
import type { HookExit } from '../../model/rule.ts'
import { printable, quoted, sayable } from '../../model/text.ts'
import { rewriteFor } from '../codec/rewrite.ts'
import { mismatch } from '../codec/mismatch.ts'

/**
 * Decodes a hook's answer by the published protocol: the last JSON object on its stdout with a field of an answer.
 *
 * Some refusals that Cline loses are kept: beside an exit code other than 0 (Cline discards the output), beside a field
 * of a wrong type (the extension silently drops the answer), before a later line with braces.
 */
export function decodeAnswer(event: HookEvent, sent: JsonObject, exit: HookExit): Outcome {
  if (exit.kind === 'failed') return indeterminate(exit.failure)
  const { objects, flaw } = printedIn(exit.stdout)
  const answer = objects.findLast(isAnswer)
  const { output, unread, fault } = answer === undefined ? noAnswer : readAnswer(answer, event)
  const broken = exit.failure ?? (flaw === undefined ? cutOff(exit.stdout, answer) : badOutput(flawTexts[flaw]))
  const failure = broken ?? fault

  const cancelled = isCancelled(output)
  if (broken !== undefined && !cancelled) return indeterminate(broken)
  if (answer === undefined) {
    const missed = nearMiss(objects)
    if (missed !== undefined) return indeterminate(badOutput(missed))
    const lost = discarded.has(event.name)
      ? undefined
      : lostInWordsOf(exit.stdout, { agent: 'cline', event: event.name })
    return lost === undefined ? notApplicable : indeterminate(lost)
  }
  if (discarded.has(event.name)) return discardedAnswer(output, cancelled, failure)
  const input = cancelled ? undefined : overriddenInput(event, sent, output.overrideInput)
  if (input?.kind === 'untranslatable') return refusedRewrite(input.why)
  const decision = decided(output, cancelled)
  const before = cancelled || failure !== undefined ? undefined : cutOff(exit.stdout, undefined)
  const noise = before === undefined ? [] : [{ kind: 'notice', text: sayable(before.message) } as const]
  const lost = decision.effect === undefined ? lostDecision('cline', event.name, decisive(answer)) : undefined
  return applicable({
    ...decision,
    obligations: input === undefined ? [] : [{ kind: 'replaceInput', input: input.input }],
    advice: [...advised(output, cancelled), ...(cancelled ? [] : unread), ...noise],
    failure: failure ?? lost,
  })
}

/** Ignores an output that is an array or a text as a whole, as Cline does, whatever is in it (measured). */
function printedIn(stdout: string): PrintedObjects {
  return isOtherJson(stdout) ? { objects: [], flaw: undefined } : printedObjects(stdout)
}

/** Events whose answers Cline discards, a cancel and a context alike. */
const discarded: ReadonlySet<HookEvent['name']> = new Set(['Stop', 'StopFailure', 'SessionEnd', 'Notification'])

/**
 * Reduces an answer that Cline would discard to notices.
 *
 * For another agent it must not do more than for Cline: a context at Claude Code's `Stop` would keep the agent working.
 */
function discardedAnswer(output: HookOutput, cancelled: boolean, failure: Failure | undefined): Outcome {
  const texts = [reasonOf(output), ...(cancelled ? ['`cancel` has no effect at this event'] : [])]
  const advice = texts.flatMap((text) => (text === undefined ? [] : [{ kind: 'notice', text: sayable(text) } as const]))
  return applicable({ advice, failure })
}

const flawTexts: Readonly<Record<ScanFlaw, string>> = {
  unfinished: 'its stdout ends inside a JSON object; print the whole answer on one line',
  tooDeep: `its stdout contains JSON nested deeper than ${limits.jsonDepthMax} levels`,
  tooCostly: 'its stdout takes too long to search for JSON; print the answer and nothing else',
}

/** Finds an object behind the answer, or anywhere without one, that was meant as an answer and is no JSON. */
function cutOff(stdout: string, answer: JsonObject | undefined): Failure | undefined {
  const line = isOtherJson(stdout) ? undefined : brokenObject(stdout, answer !== undefined)
  const remedy = 'print it with `jq -n --arg`, which escapes quotes and line ends'
  return line === undefined ? undefined : badOutput(`its stdout looks like JSON but is not: ${quoted(line)}; ${remedy}`)
}

const badOutput = (message: string): Failure => ({ code: 'badOutput', message })

/** If the old and the new name disagree, the one that refuses counts. */
const isCancelled = ({ cancel, shouldContinue }: HookOutput) => cancel === true || shouldContinue === false

function decided(output: HookOutput, cancelled: boolean): Parameters<typeof applicable>[0] {
  return cancelled ? { effect: 'deny', reason: said(reasonOf(output)) ?? 'cancelled without a reason' } : {}
}

const reasonOf = (output: HookOutput) => filled(output.errorMessage) ?? contextOf(output)
/** Prefers the SDK's own name to the published one, as the SDK does. */
const contextOf = (output: HookOutput) => filled(output.context) ?? filled(output.contextModification)
const filled = (text: string | undefined) => (text === undefined || text.trim() === '' ? undefined : text)

function advised(output: HookOutput, cancelled: boolean): Applicable['advice'] {
  const [context, message] = [contextOf(output), filled(output.errorMessage)]
  const isReason = cancelled && message === undefined
  const notices = [
    ...(message === undefined || cancelled ? [] : [message]),
    ...(output.shouldContinue === undefined ? [] : [oldName]),
    ...(output.review === true && !cancelled ? [noReview] : []),
  ]
  return [
    ...(context === undefined || isReason ? [] : [{ kind: 'addContext', text: printable(context) } as const]),
    ...notices.map((text) => ({ kind: 'notice', text: sayable(text) }) as const),
  ]
}

/** Cline's SDK reads `review` and drops it (measured): nobody is asked, and the rest of the answer counts. */
const decisive = (answer: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(answer).filter(([key]) => key !== 'review'))

const oldName =
  '`shouldContinue` is the old name of `cancel`, which means the opposite; write `{"cancel": true}` to refuse, `{"cancel": false}` to allow'

type Overridden =
  | { readonly kind: 'input'; readonly input: JsonObject }
  | { readonly kind: 'untranslatable'; readonly why: string }

/** Translates a hook's `overrideInput` into the calling agent's keys; returns `undefined` if there is none. */
function overriddenInput(event: HookEvent, sent: JsonObject, override: JsonObject | undefined): Overridden | undefined {
  if (override === undefined) return undefined
  if (event.tool === undefined) {
    return untranslatable(`\`overrideInput\` at ${event.name}, which has no tool input to replace`)
  }
  if (event.agent === 'cline') return { kind: 'input', input: override }
  const call = ClassicInput.safeParse(sent).data
  const { toolName = '', parameters = {} } = call?.preToolUse ?? call?.postToolUse ?? {}
  const input = rewriteFor(event.agent, event.tool, {
    agent: 'cline',
    toolName,
    sent: absolutePath(event, parameters),
    updated: absolutePath(event, override),
  })
  if (input !== undefined) return { kind: 'input', input }
  return untranslatable(
    `its \`overrideInput\` changes more of \`${toolName}\` than fits into the input of \`${event.tool.name}\` of ${event.agent}`,
  )
}

const untranslatable = (why: string): Overridden => ({ kind: 'untranslatable', why })

/** Resolves a path: Cline hooks use paths relative to the workspace root, other agents' tools absolute ones. */
function absolutePath(event: HookEvent, input: JsonObject): JsonObject {
  const path: Json | undefined = input['path']
  if (typeof path !== 'string') return input
  return { ...input, path: resolve(event.workspaceRoots[0] ?? event.session.cwd, path) }
}

const claudeWords: ReadonlySet<string> = new Set(['decision', 'hookSpecificOutput', 'permissionDecision', 'continue'])

/**
 * Describes an output that was meant as an answer but that Cline silently ignores, so that its author is wrongly
 * reassured.
 *
 * @param objects every JSON object on stdout, none of which is an answer
 */
function nearMiss(objects: readonly JsonObject[]): string | undefined {
  for (const key of Object.keys(objects.at(-1) ?? {})) {
    const meant = [...answerFields].find((field) => field.toLowerCase() === camelCase(key).toLowerCase())
    if (meant !== undefined) return `its answer says ${quoted(key)}; write \`${meant}\``
    if (claudeWords.has(key)) {
      return `its answer says ${quoted(key)}, which is Claude Code's term; write \`{"cancel": true, "errorMessage": "…"}\``
    }
  }
  return undefined
}

interface AnswerFields {
  readonly output: HookOutput
  /** Notices of fields that the engine which asks does not read. */
  readonly unread: readonly Advice[]
  /** A sentence for each field that has the wrong type and was dropped. */
  readonly fault: Failure | undefined
}

const noAnswer: AnswerFields = { output: {}, unread: [], fault: undefined }

/**
 * Parses the fields of an answer that the engine which asks would read, without those of a wrong type, which it reports:
 * a typo in one field must not undo another, a cancel least of all.
 */
function readAnswer(answer: JsonObject, event: HookEvent): AnswerFields {
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

const noReview = '`review` has no effect: Cline asks nobody; write `{"cancel": true}` to refuse'
