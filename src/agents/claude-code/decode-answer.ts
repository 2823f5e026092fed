import { answersAt, refusesByExit } from './answers.ts'
import { stripVTControlCharacters } from 'node:util'
import { agentField, context, notice } from './read-answer.ts'
import { readAnswer, type AnswerReading } from './read-answer.ts'
import { lostDecision, lostInText } from '../codec/lost-decision.ts'
import { applicable, refusedRewrite } from '../codec/outcome.ts'
import { readStdout, type Stdout } from '../codec/read-stdout.ts'
import { indeterminate, notApplicable, type Outcome } from '../../model/evaluation.ts'
import type { HookEvent } from '../../model/event.ts'
import type { Failure } from '../../model/failure.ts'
import type { JsonObject } from '../../model/json.ts'
import type { ExitedHook, HookExit } from '../../model/process.ts'
import type { CommandHandler } from '../../model/rule.ts'
import { printable, sayable } from '../../model/text.ts'

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
