import { stripVTControlCharacters } from 'node:util'
import { answersAt, parseSpecific, refusesByExit, type Specific, WireAnswer } from './answers.ts'
import { applicable, lostDecision, lostInText, refusedRewrite, said } from '../codec/outcome.ts'
import { readStdout, type Stdout } from '../codec/printed-objects.ts'
import { type Advice, indeterminate, notApplicable, type Obligation, type Outcome } from '../../model/evaluation.ts'
import type { HookEvent } from '../../model/event.ts'
import type { Failure } from '../../model/failure.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import type { CommandHandler, ExitedHook, HookExit } from '../../model/rule.ts'
import { printable, sayable } from '../../model/text.ts'
import { isSkillCommand, skillCommand } from './index.ts'
import { type Effect, stronger } from '../../model/effect.ts'
import { mismatch, wrongWord } from '../codec/mismatch.ts'
import { rewriteFor } from '../codec/rewrite.ts'

type AnswerRead = Extract<AnswerReading, { kind: 'answer' }>
type Unusable = Omit<Extract<AnswerReading, { kind: 'failed' }>, 'kind'>

/** Decodes the answer of a Claude Code hook. `sent` is the event as it was given to the hook. */
export function decodeAnswer(event: HookEvent, sent: JsonObject, exit: HookExit, handler: CommandHandler): Outcome {
  if (exit.kind === 'failed') return indeterminate(exit.failure)
  const { printed, async } = readStdout(exit.stdout)
  const outcome = answerOutcome(event, sent, exit, handler, printed)
  return async ? adviceAlone(outcome) : outcome
}

function answerOutcome(
  event: HookEvent,
  sent: JsonObject,
  exit: ExitedHook,
  handler: CommandHandler,
  printed: Stdout['printed'],
): Outcome {
  switch (printed.kind) {
    case 'nothing':
      return fromExit(event, exit, notApplicable)
    case 'text':
      return fromExit(event, exit, fromText(event, sent, handler, printed.text))
    case 'broken':
      return fromFailure(event, exit, {
        failure: { code: 'badOutput', message: printed.why },
        block: undefined,
        ofOtherEvent: false,
      })
    case 'object': {
      const reading = readAnswer(event, sent, printed.object)
      switch (reading.kind) {
        case 'answer':
          return fromAnswer(event, exit, reading, printed.object)
        case 'untranslatable':
          return refusedRewrite('`updatedInput` changes something the calling agent has no field for')
        case 'failed':
          return fromFailure(event, exit, reading)
      }
    }
  }
}

/** Decodes the exit code, which decides if stdout has no object; text counts only if the hook succeeded. */
function fromExit(event: HookEvent, exit: ExitedHook, onSuccess: Outcome): Outcome {
  if (refusesByExit(event.name, exit.exitCode)) {
    return applicable({ effect: 'deny', reason: reasonByExit(exit), failure: failureBeside(exit) })
  }
  if (exit.exitCode === 2) {
    const text = sayable(exit.stderr) || `exit code 2 has no effect at ${event.name}`
    return applicable({ advice: [notice(text)] })
  }
  return exit.failure === undefined ? onSuccess : indeterminate(exit.failure)
}

function fromText(event: HookEvent, sent: JsonObject, handler: CommandHandler, text: string): Outcome {
  if (event.name === 'WorktreeCreate') {
    const lines = stripVTControlCharacters(text).split('\n')
    const path = lines.findLast((line) => line.trim() !== '')?.trim()
    return path === undefined ? notApplicable : applicable({ advice: [agentField('worktreePath', printable(path))] })
  }
  const lost = lostInText(text, {
    agent: 'claude-code',
    event: event.name,
    canRefuse: answersAt[event.name].refusal !== 'none',
    decides: (object) => decides(readAnswer(event, sent, object)),
  })
  if (lost !== undefined) return indeterminate(lost)
  const isContext = answersAt[event.name].textIsContext === true || handler.plainTextEvents.includes(event.name)
  return isContext ? applicable({ advice: [context(text)] }) : notApplicable
}

/** Returns whether an object would have decided something, had it stood alone. */
function decides(reading: AnswerReading): boolean {
  switch (reading.kind) {
    case 'answer':
      return reading.effect !== undefined || reading.obligations.length > 0
    case 'untranslatable':
      return true
    case 'failed':
      return reading.block !== undefined
  }
}

/** Returns the outcome of unusable stdout; an unambiguous refusal still counts. */
function fromFailure(event: HookEvent, exit: ExitedHook, { failure, block, ofOtherEvent }: Unusable): Outcome {
  // Measured on Claude Code: there, an answer for another event takes the refusal by exit code with it.
  const isVoid = ofOtherEvent && event.name === 'UserPromptSubmit'
  if (!isVoid && refusesByExit(event.name, exit.exitCode)) {
    return applicable({ effect: 'deny', reason: block?.reason ?? reasonByExit(exit), failure })
  }
  if (block !== undefined) return applicable({ effect: 'deny', reason: block.reason, failure })
  if (exit.failure === undefined) return indeterminate(failure)
  return indeterminate({ code: failure.code, message: `${failure.message}; ${exit.failure.message}` })
}

/** Returns the outcome of a well-formed object, which counts whatever the exit code; code 2 refuses in addition. */
function fromAnswer(event: HookEvent, exit: ExitedHook, answer: AnswerRead, printed: JsonObject): Outcome {
  const { effect, reason, idleBlock, obligations, advice } = answer
  const failure = failureBeside(exit)
  if (refusesByExit(event.name, exit.exitCode)) {
    return applicable({
      effect: 'deny',
      reason: (effect === 'deny' ? reason : idleBlock?.reason) ?? reasonByExit(exit),
      obligations: obligations.filter(({ kind }) => kind !== 'replaceInput'),
      advice,
      failure,
    })
  }
  const notices = idleBlock === undefined ? [] : [notice(`\`decision: block\` has no effect at ${event.name}`)]
  const stderr = sayable(exit.stderr)
  if (exit.exitCode === 2 && effect === undefined && stderr !== '') notices.push(notice(stderr))
  const decided = effect ?? idleBlock
  const lost = decided === undefined ? lostIn(event, answer, printed) : undefined
  return applicable({ effect, reason, obligations, advice: [...advice, ...notices], failure: failure ?? lost })
}

/** Fields handled elsewhere: `continue: false` ends the turn, or a notice says that it has no effect. */
const handledFields = ['continue', 'should_continue', 'shouldContinue']

/** Finds a lost decision; if the event cannot be refused, none is lost. */
function lostIn(event: HookEvent, { obligations }: Pick<AnswerRead, 'obligations'>, printed: JsonObject) {
  if (answersAt[event.name].refusal === 'none') return undefined
  if (cancelsAsCline(printed)) return lostDecision('claude-code', event.name, printed, ['continue'])
  if (obligations.some(({ kind }) => kind === 'stop')) return undefined
  return lostDecision('claude-code', event.name, printed, handledFields)
}

/**
 * Recognises the former refusal of Cline's hooks.
 *
 * Claude Code's own `continue` comes with a `stopReason`, and lets the call run before the turn ends.
 */
function cancelsAsCline(printed: JsonObject): boolean {
  const refuses = printed['shouldContinue'] === false || printed['should_continue'] === false
  return refuses && ['errorMessage', 'error_message'].some((key) => Object.hasOwn(printed, key))
}

/** Returns the failure beside an answer. Exit code 2 is itself an answer, so only other exits are failures. */
function failureBeside(exit: ExitedHook): Failure | undefined {
  return exit.exitCode === 2 ? undefined : exit.failure
}

function reasonByExit(exit: ExitedHook): string {
  const stderr = sayable(exit.stderr)
  if (stderr !== '') return stderr
  if (exit.exitCode === null) return exit.failure?.message ?? 'killed by a signal'
  return `blocked with exit code ${exit.exitCode} and no reason`
}

/** Drops decisions and obligations, since the hook asked not to be waited for. */
function adviceAlone(outcome: Outcome): Outcome {
  if (outcome.kind !== 'applicable') return outcome
  return applicable({ advice: outcome.advice, failure: outcome.failure })
}

/** The meaning of an object on stdout, before the exit code is considered. */
type AnswerReading =
  | {
      readonly kind: 'answer'
      readonly effect: Effect | undefined
      readonly reason: string | undefined
      /** `decision: block` at an event that ignores it; it still supplies the reason of a refusal by exit code. */
      readonly idleBlock: { readonly reason: string | undefined } | undefined
      readonly obligations: readonly Obligation[]
      readonly advice: readonly Advice[]
    }
  /** The answer replaces the input by one that the calling agent has no fields for. */
  | { readonly kind: 'untranslatable' }
  | {
      readonly kind: 'failed'
      readonly failure: Failure
      /** Claude Code honours `decision: block` even beside a `hookSpecificOutput` for another event. */
      readonly block: { readonly reason: string | undefined } | undefined
      /** Set if it names another event. */
      readonly ofOtherEvent: boolean
    }

function readAnswer(event: HookEvent, sent: JsonObject, printed: JsonObject): AnswerReading {
  const { object, notices } = withTodaysNames(printed)
  const parsed = WireAnswer.safeParse(object, { reportInput: true })
  if (!parsed.success) return bad(mismatch(parsed.error.issues))
  const answer = parsed.data

  const named = answer.hookSpecificOutput ?? { hookEventName: event.name }
  const isOwnName = isSkillCommand(event) && named['hookEventName'] === skillCommand
  const output = isOwnName ? { ...named, hookEventName: event.name } : named
  if (output['hookEventName'] !== event.name) {
    const why = wrongWord(['hookSpecificOutput', 'hookEventName'], event.name, output['hookEventName'])
    const isNamed = output['hookEventName'] !== undefined
    return {
      ...bad(why, isNamed && answer.decision === 'block' ? { reason: said(answer.reason) } : undefined),
      ofOtherEvent: isNamed,
    }
  }
  const inner = parseSpecific(event.name, output)
  if (!inner.success) return bad(mismatch(inner.error.issues, ['hookSpecificOutput']))

  const { effect, reason } = decisionOf(event, answer, inner.data)
  const obligations = obligationsOf(event, sent, answer, inner.data, effect)
  if (obligations === undefined) return { kind: 'untranslatable' }
  return {
    kind: 'answer',
    effect,
    reason,
    idleBlock: answer.decision === 'block' && effect !== 'deny' ? { reason: said(answer.reason) } : undefined,
    obligations,
    advice: [...adviceOf(event, answer, inner.data), ...notices.map(notice)],
  }
}

const bad = (message: string, block?: { reason: string | undefined }): Extract<AnswerReading, { kind: 'failed' }> => ({
  kind: 'failed',
  failure: { code: 'badOutput', message },
  block,
  ofOtherEvent: false,
})

interface Decided {
  readonly effect: Effect | undefined
  readonly reason: string | undefined
}
const undecided: Decided = { effect: undefined, reason: undefined }

function decisionOf(event: HookEvent, answer: WireAnswer, specific: Specific): Decided {
  switch (answersAt[event.name].refusal) {
    case 'permissionDecision':
      return permission(event, answer, specific)
    case 'behavior':
      return specific.decision === undefined
        ? undecided
        : { effect: specific.decision.behavior, reason: said(specific.decision.message) }
    case 'action':
      if (specific.action === undefined) return undecided
      return { effect: specific.action === 'accept' ? 'allow' : 'deny', reason: said(answer.reason) }
    case 'block':
      return answer.decision === 'block' ? { effect: 'deny', reason: said(answer.reason) } : undecided
    case 'exitCode':
    case 'none':
      return undecided
  }
}

/** Combines both ways to express a permission: the stronger one counts (measured for both mixtures). */
function permission(event: HookEvent, answer: WireAnswer, specific: Specific): Decided {
  const modern: Decided = { effect: specific.permissionDecision, reason: said(specific.permissionDecisionReason) }
  const legacy = legacyEffect(event, answer)
  if (legacy === undefined) return modern
  const old: Decided = { effect: legacy, reason: said(answer.reason) }
  if (modern.effect === undefined) return old
  if (modern.effect === old.effect) return { effect: old.effect, reason: modern.reason ?? old.reason }
  return stronger(modern.effect, legacy) === legacy ? old : modern
}

function legacyEffect({ name }: HookEvent, { decision }: WireAnswer): Effect | undefined {
  if (decision === 'block') return 'deny'
  return decision === 'approve' && name === 'PreToolUse' ? 'allow' : undefined
}

/**
 * Returns the obligations of an answer.
 *
 * @returns undefined if a rewrite cannot be translated for the calling agent
 */
function obligationsOf(
  event: HookEvent,
  sent: JsonObject,
  answer: WireAnswer,
  specific: Specific,
  effect: Effect | undefined,
): readonly Obligation[] | undefined {
  const obligations: Obligation[] = []
  const updated = specific.updatedInput ?? specific.decision?.updatedInput
  // The input of a refused call is not replaced.
  if (updated !== undefined && effect !== 'deny') {
    const input = inputFor(event, sent, updated)
    if (input === undefined) return undefined
    obligations.push({ kind: 'replaceInput', input })
  }
  const output = newOutput(event, specific)
  if (output !== undefined) obligations.push({ kind: 'replaceOutput', output })
  if (answer.continue === false && answersAt[event.name].ignoresContinue !== true) {
    obligations.push({ kind: 'stop', reason: sayable(answer.stopReason ?? '') })
  }
  return obligations
}

function inputFor(event: HookEvent, sent: JsonObject, updated: JsonObject): JsonObject | undefined {
  const { tool_name: toolName, tool_input: toolInput } = sent
  if (event.tool === undefined || typeof toolName !== 'string') return undefined
  const sentInput = isJsonObject(toolInput) ? toolInput : {}
  return rewriteFor(event.agent, event.tool, { agent: 'claude-code', toolName, sent: sentInput, updated })
}

/** Returns the new output. `updatedMCPToolOutput` is older, and affects only MCP tools. */
function newOutput({ tool }: HookEvent, specific: Specific): Json | undefined {
  if (specific.updatedToolOutput !== undefined) return specific.updatedToolOutput
  return tool?.kind === 'mcp' ? specific.updatedMCPToolOutput : undefined
}

const notice = (text: string): Advice => ({ kind: 'notice', text: sayable(text) })
const context = (text: string): Advice => ({ kind: 'addContext', text: printable(text) })

function agentField(field: string, value: Json): Advice {
  return { kind: 'agentField', agent: 'claude-code', field, value }
}

/** Returns the advice in an answer, apart from its decision and obligations. */
function adviceOf(event: HookEvent, answer: WireAnswer, specific: Specific): readonly Advice[] {
  const advice: Advice[] = []
  if (specific.additionalContext?.trim()) advice.push(context(specific.additionalContext))
  if (answer.systemMessage?.trim()) advice.push(notice(answer.systemMessage))
  if (answer.continue === false && answersAt[event.name].ignoresContinue === true) {
    advice.push(notice(`\`continue: false\` has no effect at ${event.name}`))
  }
  for (const [field, value] of fieldsForClaudeCode(answer, specific)) {
    if (value !== undefined) advice.push(agentField(field, value))
  }
  return advice
}

/** Returns the fields that only Claude Code can use. */
function fieldsForClaudeCode(answer: WireAnswer, specific: Specific): readonly (readonly [string, Json | undefined])[] {
  const { decision } = specific
  return [
    ['suppressOutput', answer.suppressOutput],
    // Passed on with its control bytes, which are its purpose. It stays JSON, and Claude Code accepts only titles,
    // notifications and the bell.
    ['terminalSequence', answer.terminalSequence],
    ['retry', specific.retry],
    ['classifierContext', clean(specific.classifierContext)],
    ['sessionTitle', clean(specific.sessionTitle)],
    ['suppressOriginalPrompt', specific.suppressOriginalPrompt],
    ['initialUserMessage', clean(specific.initialUserMessage)],
    ['watchPaths', specific.watchPaths],
    ['reloadSkills', specific.reloadSkills],
    ['displayContent', clean(specific.displayContent)],
    // A decline is this event's refusal, which is passed on as `deny`.
    ['action', specific.action === 'decline' ? undefined : specific.action],
    ['content', specific.action === 'accept' ? specific.content : undefined],
    ['worktreePath', clean(specific.worktreePath)],
    ['updatedPermissions', decision?.behavior === 'allow' ? decision.updatedPermissions : undefined],
    ['interrupt', decision?.behavior === 'deny' ? decision.interrupt : undefined],
  ]
}

const clean = (text: string | undefined) => (text === undefined ? undefined : printable(text))

/** Fields beside `hookSpecificOutput`, with their former names and those of libraries that write snake case. */
const topLevel: Readonly<Record<string, readonly string[]>> = {
  continue: ['should_continue', 'shouldContinue'],
  stopReason: ['stop_reason'],
  systemMessage: ['system_message'],
  suppressOutput: ['suppress_output'],
  hookSpecificOutput: ['hook_specific_output'],
}

const specific: Readonly<Record<string, readonly string[]>> = {
  hookEventName: ['hook_event_name'],
  permissionDecision: ['permission_decision'],
  permissionDecisionReason: ['permission_decision_reason'],
  updatedInput: ['updated_input'],
  additionalContext: ['additional_context'],
  updatedToolOutput: ['updated_tool_output'],
  updatedPermissions: ['updated_permissions'],
}

interface Renamed {
  readonly object: JsonObject
  /** One notice for each old name found. */
  readonly notices: readonly string[]
}

/** Renames old fields of an answer. If both names are present, the current one counts. */
function withTodaysNames(answer: JsonObject): Renamed {
  const notices: string[] = []
  const renamed = rename(answer, topLevel, notices)
  const inner = renamed['hookSpecificOutput']
  if (!isJsonObject(inner)) return { object: renamed, notices }
  const output = pluginBlock(rename(inner, specific, notices))
  const decision = output['decision']
  return {
    object: {
      ...renamed,
      hookSpecificOutput: isJsonObject(decision)
        ? { ...output, decision: rename(decision, specific, notices) }
        : output,
    },
    notices,
  }
}

function rename(object: JsonObject, names: typeof topLevel, notices: string[]): JsonObject {
  const renamed: Record<string, Json> = { ...object }
  for (const [today, before] of Object.entries(names)) {
    for (const old of before) {
      const value = object[old]
      if (value === undefined || !Object.hasOwn(object, old) || Object.hasOwn(renamed, today)) continue
      renamed[today] = value
      notices.push(`\`${old}\` is an old name for \`${today}\``)
    }
  }
  return renamed
}

/**
 * Translates the plugin format's refusal of a call.
 *
 * It is `{"hookEventName": "PreToolUse", "decision": "block", "reason": "…"}` inside `hookSpecificOutput`. Any other
 * `decision` there stays as it is, since Claude Code does not know the field.
 */
function pluginBlock(output: JsonObject): JsonObject {
  if (output['hookEventName'] !== 'PreToolUse' || output['decision'] !== 'block') return output
  const { decision: _decision, reason, ...rest } = output
  return {
    ...rest,
    permissionDecision: 'deny',
    ...(typeof reason === 'string' && { permissionDecisionReason: reason }),
  }
}
