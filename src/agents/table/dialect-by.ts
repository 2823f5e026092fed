import { supportedPart } from '../codec/supported-verdict.ts'
import type { AgentDescriptor } from '../descriptor.ts'
import { eventCodec } from './event-codec.ts'
import type { AnswerRow, DecodedAnswer, EventRow, WireTable } from './table.ts'
import type { Dialect } from '../../model/dialect.ts'
import { printable, sayable } from '../../model/text.ts'
import { applicable, lostDecision, lostInText, refusedRewrite, said } from '../codec/outcome.ts'
import { readStdout, type Stdout } from '../codec/printed-objects.ts'
import { rewriteFor } from '../codec/rewrite.ts'
import { readInput } from './tool-use.ts'
import { type Applicable, indeterminate, notApplicable, type Obligation, type Outcome } from '../../model/evaluation.ts'
import type { HookEvent } from '../../model/event.ts'
import type { Failure } from '../../model/failure.ts'
import { type JsonObject, textAt } from '../../model/json.ts'
import type { CommandHandler, ExitedHook } from '../../model/rule.ts'

/** Makes the dialect that a table describes for an agent. */
export function dialectBy(descriptor: AgentDescriptor, table: WireTable): Dialect {
  const { dialect, rowFor } = eventCodec(descriptor, table)
  const agent = descriptor.name
  return {
    ...dialect,
    support: (event) => rowFor(event, event.raw).support,
    encodeVerdict(event, verdict) {
      const row = rowFor(event, event.raw)
      const supported = supportedPart(event, verdict, row.support, descriptor.title)
      // Fields that a hook set for another agent only are dropped, but reported.
      const dropped = Object.keys(verdict.agentFields).map(
        (field) => `a field \`${field}\`, which ${descriptor.title} does not know at ${event.name}`,
      )
      const stdout = jsonLine(row.form.encode(supported) ?? row.emptyAnswer)
      const stderr = stderrLines([...supported.unexpressed, ...dropped])
      if (supported.decision !== 'deny') return { stdout, stderr, exitCode: 0 }
      return { stdout, stderr: `${supported.reason}\n${stderr}`, exitCode: table.refusalCode ?? 2 }
    },
    decodeAnswer: decodeAnswerBy(agent, table, rowFor),
  }
}

export function jsonLine(object: object | undefined): string {
  return object === undefined ? '' : `${JSON.stringify(object)}\n`
}

/** Formats remarks for stderr, each line marked as hookgate's. */
export function stderrLines(texts: readonly string[]): string {
  return texts
    .flatMap((text) => printable(text).split('\n'))
    .map((line) => `hookgate: ${line}\n`)
    .join('')
}

/** Makes the decoder of answers of the table's agent, whose `sent` is the event as it was given to the hook. */
function decodeAnswerBy(
  agent: string,
  table: WireTable,
  rowFor: (event: HookEvent, wire: JsonObject) => AnsweredRow,
): Dialect['decodeAnswer'] {
  return (event, sent, exit, handler) => {
    if (exit.kind === 'failed') return indeterminate(exit.failure)
    const row = rowFor(event, sent)
    const { printed } = readStdout(exit.stdout)
    const exchange = { event, row, agent, sent }
    switch (exitOutcomeOf(table, exit, row)) {
      case 'refuses':
        return refused(exchange, exit, printed)
      case 'fails':
        return indeterminate(exit.failure ?? { code: 'nonzeroExit', message: `exited with code ${exit.exitCode}` })
      case 'reads':
        return fromPrinted(exchange, exit, printed, handler)
    }
  }
}

type AnsweredRow = EventRow<AnswerRow>

interface Exchange {
  readonly event: HookEvent
  readonly row: AnsweredRow
  readonly agent: string
  readonly sent: JsonObject
}

function exitOutcomeOf(table: WireTable, { exitCode, stdout, stderr }: ExitedHook, row: AnsweredRow) {
  if (exitCode === 0) return 'reads'
  if (table.outcome === undefined) return exitCode === 2 ? 'refuses' : 'fails'
  return table.outcome(exitCode, row, { stdout, stderr })
}

/** Returns a refusal by exit code, with the reason from JSON, stderr or stdout, whichever has one. */
function refused({ event, row }: Exchange, exit: ExitedHook, printed: Stdout['printed']): Outcome {
  const parsed = printed.kind === 'object' ? row.form.decode(printed.object) : undefined
  const own = typeof parsed === 'object' && parsed.effect === 'deny' ? said(parsed.reason) : undefined
  const text = printed.kind === 'text' ? said(printed.text) : undefined
  if (row.support.deny !== 'native') {
    const message = said(exit.stderr) ?? text ?? `exit code ${exit.exitCode} has no effect at ${event.name}`
    return applicable({ advice: [{ kind: 'notice', text: message }] })
  }
  const reason = own ?? said(exit.stderr) ?? text ?? `blocked with exit code ${exit.exitCode} and no reason`
  return applicable({ effect: 'deny', reason })
}

function fromPrinted(
  exchange: Exchange,
  exit: ExitedHook,
  printed: Stdout['printed'],
  handler: CommandHandler,
): Outcome {
  const { failure } = exit
  switch (printed.kind) {
    case 'nothing':
      return failure === undefined ? notApplicable : indeterminate(failure)
    case 'text':
      return failure === undefined ? fromText(exchange, printed.text, handler) : indeterminate(failure)
    case 'broken':
      return indeterminate({ code: 'badOutput', message: printed.why })
    case 'object': {
      const parsed = exchange.row.form.decode(printed.object)
      if (typeof parsed === 'string') return indeterminate({ code: 'badOutput', message: parsed })
      return fromParsed(exchange, parsed, failure ?? lostIn(exchange, parsed, printed.object))
    }
  }
}

/** Finds a lost decision; if the event cannot be refused, none is lost. */
function lostIn({ event, row, agent }: Exchange, parsed: DecodedAnswer, printed: JsonObject): Failure | undefined {
  if (row.support.deny !== 'native' || parsed.effect !== undefined || parsed.stop !== undefined) return undefined
  return lostDecision(agent, event.name, printed)
}

function fromText({ event, row, agent }: Exchange, text: string, handler: CommandHandler): Outcome {
  const canRefuse = row.support.deny === 'native'
  const lost = lostInText(text, { agent, event: event.name, canRefuse, decides: (object) => decidesIn(row, object) })
  if (lost !== undefined) return indeterminate(lost)
  const isContext = row.textIsContext === true || handler.plainTextEvents.includes(event.name)
  return isContext ? applicable({ advice: [{ kind: 'addContext', text: printable(text) }] }) : notApplicable
}

/** Returns whether an object would have decided something, had it stood alone. */
function decidesIn({ form, support }: AnsweredRow, object: JsonObject): boolean {
  const parsed = form.decode(object)
  if (typeof parsed === 'string') return false
  return (
    (parsed.effect !== undefined && support.deny === 'native') ||
    (parsed.stop !== undefined && support.stop === 'native')
  )
}

function fromParsed(
  { event, row, agent, sent }: Exchange,
  parsed: DecodedAnswer,
  failure: Failure | undefined,
): Outcome {
  const obligations: Obligation[] = []
  if (parsed.input !== undefined && parsed.effect !== 'deny') {
    const { call } = row.frame
    const toolName = textAt(sent, call.name) ?? ''
    const hook = { agent, toolName, sent: readInput(agent, toolName, sent[call.input]) ?? {}, updated: parsed.input }
    const input = event.tool === undefined ? undefined : rewriteFor(event.agent, event.tool, hook)
    if (input === undefined) return refusedRewrite('it changes something the calling agent has no field for')
    obligations.push({ kind: 'replaceInput', input })
  }
  if (parsed.output !== undefined) obligations.push({ kind: 'replaceOutput', output: parsed.output })
  if (parsed.stop !== undefined) obligations.push({ kind: 'stop', reason: sayable(parsed.stop) })
  const advice: Applicable['advice'][number][] = []
  if (parsed.context?.trim()) advice.push({ kind: 'addContext', text: printable(parsed.context) })
  if (parsed.notice?.trim()) advice.push({ kind: 'notice', text: sayable(parsed.notice) })
  return applicable({ effect: parsed.effect, reason: said(parsed.reason), obligations, advice, failure })
}
