import { lostDecision, lostInText } from '../lost-decision.ts'
import { applicable, refusedRewrite, said } from '../outcome.ts'
import { readStdout, type Stdout } from '../read-stdout.ts'
import { rewriteFor } from '../rewrite.ts'
import { readInput } from './call-input.ts'
import type { EventRow, ParsedAnswer, WireTable } from './table.ts'
import { type Applicable, indeterminate, notApplicable, type Obligation, type Outcome } from '../../model/evaluation.ts'
import type { HookEvent } from '../../model/event.ts'
import type { Failure } from '../../model/failure.ts'
import { type JsonObject, textAt } from '../../model/json.ts'
import type { HookExit } from '../../model/process.ts'
import type { CommandHandler } from '../../model/rule.ts'
import { printable, sayable } from '../../model/text.ts'

type Exited = Extract<HookExit, { kind: 'exited' }>

/** What a hook of the table's agent said. `sent` is the event as it was given to it. */
export function decodeAnswerBy(
  table: WireTable,
): (event: HookEvent, sent: JsonObject, exit: HookExit, handler: CommandHandler) => Outcome {
  return (event, sent, exit, handler) => {
    if (exit.kind === 'failed') return indeterminate(exit.failure)
    const row = table.rowOf(sent) ?? table.rows.find((one) => one.event === event.name)
    if (row === undefined) return indeterminate({ code: 'notTranslatable', message: 'it got no event' })
    const { printed } = readStdout(exit.stdout)
    const asked = { event, row, agent: table.agent, sent }
    switch (endingOf(table, exit, row)) {
      case 'refuses':
        return refused(asked, exit, printed)
      case 'fails':
        return indeterminate(exit.failure ?? { code: 'nonzeroExit', message: `exited with code ${exit.exitCode}` })
      case 'reads':
        return fromPrinted(asked, exit, printed, handler)
    }
  }
}

interface Asked {
  readonly event: HookEvent
  readonly row: EventRow
  readonly agent: WireTable['agent']
  readonly sent: JsonObject
}

function endingOf(table: WireTable, { exitCode, stdout, stderr }: Exited, row: EventRow) {
  return exitCode === 0 ? 'reads' : table.exits.outcome(exitCode, row, { stdout, stderr })
}

/** A refusal by exit code, with the reason of whatever gives one. */
function refused({ event, row }: Asked, exit: Exited, printed: Stdout['printed']): Outcome {
  const heard = printed.kind === 'object' ? row.form.decode(printed.object) : undefined
  const own = typeof heard === 'object' && heard.effect === 'deny' ? said(heard.reason) : undefined
  const text = printed.kind === 'text' ? said(printed.text) : undefined
  if (row.carries.deny !== 'said') {
    const message = said(exit.stderr) ?? text ?? `exit code ${exit.exitCode} has no effect at ${event.name}`
    return applicable({ advice: [{ kind: 'notice', text: message }] })
  }
  const reason = own ?? said(exit.stderr) ?? text ?? `blocked with exit code ${exit.exitCode} and no reason`
  return applicable({ effect: 'deny', reason })
}

function fromPrinted(asked: Asked, exit: Exited, printed: Stdout['printed'], handler: CommandHandler): Outcome {
  const { failure } = exit
  switch (printed.kind) {
    case 'nothing':
      return failure === undefined ? notApplicable : indeterminate(failure)
    case 'text':
      return failure === undefined ? fromText(asked, printed.text, handler) : indeterminate(failure)
    case 'broken':
      return indeterminate({ code: 'badOutput', message: printed.why })
    case 'object': {
      const heard = asked.row.form.decode(printed.object)
      if (typeof heard === 'string') return indeterminate({ code: 'badOutput', message: heard })
      return fromHeard(asked, heard, failure ?? lostIn(asked, heard, printed.object))
    }
  }
}

/** Where nothing can be refused, nothing of it is lost either. */
function lostIn({ event, row, agent }: Asked, heard: ParsedAnswer, printed: JsonObject): Failure | undefined {
  if (row.carries.deny !== 'said' || heard.effect !== undefined || heard.stop !== undefined) return undefined
  return lostDecision(agent, event.name, printed)
}

function fromText({ event, row, agent }: Asked, text: string, handler: CommandHandler): Outcome {
  const canRefuse = row.carries.deny === 'said'
  const lost = lostInText(text, { agent, event: event.name, canRefuse, hears: (object) => decidesIn(row, object) })
  if (lost !== undefined) return indeterminate(lost)
  const isContext = row.textIsContext === true || handler.plainTextEvents.includes(event.name)
  return isContext ? applicable({ advice: [{ kind: 'addContext', text: printable(text) }] }) : notApplicable
}

/** Whether an object would have decided something, had it stood alone. */
function decidesIn({ form, carries }: EventRow, object: JsonObject): boolean {
  const heard = form.decode(object)
  if (typeof heard === 'string') return false
  return (
    (heard.effect !== undefined && carries.deny === 'said') || (heard.stop !== undefined && carries.stop === 'said')
  )
}

function fromHeard({ event, row, agent, sent }: Asked, heard: ParsedAnswer, failure: Failure | undefined): Outcome {
  const obligations: Obligation[] = []
  if (heard.input !== undefined && heard.effect !== 'deny') {
    const { call } = row.frame
    const toolName = textAt(sent, call.name) ?? ''
    const hook = { agent, toolName, sent: readInput(agent, toolName, sent[call.input]) ?? {}, updated: heard.input }
    const input = event.action === undefined ? undefined : rewriteFor(event.agent, event.action, hook)
    if (input === undefined) return refusedRewrite('it changes something the calling agent has no field for')
    obligations.push({ kind: 'replaceInput', input })
  }
  if (heard.output !== undefined) obligations.push({ kind: 'replaceOutput', output: heard.output })
  if (heard.stop !== undefined) obligations.push({ kind: 'stop', reason: sayable(heard.stop) })
  const advice: Applicable['advice'][number][] = []
  if (heard.context?.trim()) advice.push({ kind: 'addContext', text: printable(heard.context) })
  if (heard.notice?.trim()) advice.push({ kind: 'notice', text: sayable(heard.notice) })
  return applicable({ effect: heard.effect, reason: said(heard.reason), obligations, advice, failure })
}
