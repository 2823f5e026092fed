import { stripVTControlCharacters } from 'node:util'
import { agentField, context, notice } from './advice.ts'
import { readAnswer, type Reading } from './read-answer.ts'
import { plainTextEvents, refusalForms, refusesByExit } from './refusals.ts'
import { lostDecision, lostInText } from '../lost-decision.ts'
import { applicable, refusedRewrite } from '../outcome.ts'
import { readStdout, type Stdout } from '../read-stdout.ts'
import { indeterminate, notApplicable, type Outcome } from '../../model/evaluation.ts'
import type { HookEvent } from '../../model/event.ts'
import type { Failure } from '../../model/failure.ts'
import type { JsonObject } from '../../model/json.ts'
import type { HookExit } from '../../model/process.ts'
import type { CommandHandler } from '../../model/rule.ts'
import { printable, sayable } from '../../model/text.ts'

type Exited = Extract<HookExit, { kind: 'exited' }>
type AnswerRead = Extract<Reading, { kind: 'answer' }>
type Block = Extract<Reading, { kind: 'failed' }>['block']

/** What a Claude Code hook said. `sent` is the event as it was given to it. */
export function decodeAnswer(event: HookEvent, sent: JsonObject, exit: HookExit, handler: CommandHandler): Outcome {
  if (exit.kind === 'failed') return indeterminate(exit.failure)
  const { printed, async } = readStdout(exit.stdout)
  const outcome = outcomeOf(event, sent, exit, handler, printed)
  return async ? adviceAlone(outcome) : outcome
}

function outcomeOf(
  event: HookEvent,
  sent: JsonObject,
  exit: Exited,
  handler: CommandHandler,
  printed: Stdout['printed'],
): Outcome {
  switch (printed.kind) {
    case 'nothing':
      return fromExit(event, exit, notApplicable)
    case 'text':
      return fromExit(event, exit, fromText(event, sent, handler, printed.text))
    case 'broken':
      return fromFailure(event, exit, { code: 'badOutput', message: printed.why }, undefined)
    case 'object': {
      const reading = readAnswer(event, sent, printed.object)
      switch (reading.kind) {
        case 'answer':
          return fromAnswer(event, exit, reading, printed.object)
        case 'untranslatable':
          return refusedRewrite('`updatedInput` changes something the calling agent has no field for')
        case 'failed':
          return fromFailure(event, exit, reading.failure, reading.block)
      }
    }
  }
}

/** There is no object on stdout, so the exit code decides; text counts where the hook succeeded. */
function fromExit(event: HookEvent, exit: Exited, onSuccess: Outcome): Outcome {
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
    canRefuse: refusalForms[event.name] !== 'none',
    hears: (object) => decides(readAnswer(event, sent, object)),
  })
  if (lost !== undefined) return indeterminate(lost)
  const isContext = plainTextEvents.has(event.name) || handler.plainTextEvents.includes(event.name)
  return isContext ? applicable({ advice: [context(text)] }) : notApplicable
}

/** Whether an object would have decided something, had it stood alone. */
function decides(reading: Reading): boolean {
  switch (reading.kind) {
    case 'answer':
      return reading.effect !== undefined || reading.obligations.length > 0
    case 'untranslatable':
      return true
    case 'failed':
      return reading.block !== undefined
  }
}

/** What is on stdout cannot be used; a refusal that is beyond doubt counts nevertheless. */
function fromFailure(event: HookEvent, exit: Exited, failure: Failure, block: Block): Outcome {
  if (refusesByExit(event.name, exit.exitCode)) {
    return applicable({ effect: 'deny', reason: block?.reason ?? reasonByExit(exit), failure })
  }
  if (block !== undefined) return applicable({ effect: 'deny', reason: block.reason, failure })
  if (exit.failure === undefined) return indeterminate(failure)
  return indeterminate({ code: failure.code, message: `${failure.message}; ${exit.failure.message}` })
}

/** A well-formed object is heeded whatever the exit code; code 2 refuses on top of it. */
function fromAnswer(event: HookEvent, exit: Exited, answer: AnswerRead, printed: JsonObject): Outcome {
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

/** `continue: false` ends the turn, or its notice says that it does nothing there. */
const toldOf = ['continue', 'should_continue', 'shouldContinue']

/** Where nothing can be refused, nothing of it is lost either. */
function lostIn(event: HookEvent, { obligations }: Pick<AnswerRead, 'obligations'>, printed: JsonObject) {
  if (refusalForms[event.name] === 'none') return undefined
  if (cancelsAsCline(printed)) return lostDecision('claude-code', event.name, printed, ['continue'])
  if (obligations.some(({ kind }) => kind === 'stop')) return undefined
  return lostDecision('claude-code', event.name, printed, toldOf)
}

/**
 * Cline's hooks once refused so. Claude Code's own of that name has a `stopReason`, and lets the call be made before the
 * turn ends.
 */
function cancelsAsCline(printed: JsonObject): boolean {
  const refuses = printed['shouldContinue'] === false || printed['should_continue'] === false
  return refuses && ['errorMessage', 'error_message'].some((key) => Object.hasOwn(printed, key))
}

/** With code 2 a hook has answered as it should, wherever it did: only other endings are failures beside an answer. */
function failureBeside(exit: Exited): Failure | undefined {
  return exit.exitCode === 2 ? undefined : exit.failure
}

function reasonByExit(exit: Exited): string {
  const stderr = sayable(exit.stderr)
  if (stderr !== '') return stderr
  if (exit.exitCode === null) return exit.failure?.message ?? 'killed by a signal'
  return `blocked with exit code ${exit.exitCode} and no reason`
}

/** The hook asked not to be waited for, so it decides nothing and demands nothing. */
function adviceAlone(outcome: Outcome): Outcome {
  if (outcome.kind !== 'applicable') return outcome
  return applicable({ advice: outcome.advice, failure: outcome.failure })
}
