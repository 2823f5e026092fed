import { styleText } from 'node:util'
import { titleOf } from '../../../agents/registry.ts'
import { type Decision, restricts } from '../../../model/effect.ts'
import { localMoment } from '../../../model/local-time.ts'
import { firstLine, printable } from '../../../model/text.ts'
import type { StoredDecision } from '../../../record/read.ts'
import { endedTurn } from '../../../record/notable.ts'
import type { CallResult, DecisionRecord, RecordedEvaluation } from '../../../record/record.ts'
import { cutLine, lineWidth, oneLine } from '../../text/layout.ts'
import type { TextStyle } from '../../command.ts'
import { endedText } from '../../text/request-text.ts'
import { colours } from '../../text/rule-lines.ts'

/** Returns the width of lines for a stream: for a file or another program, lines are not cut. */
export const lineWidthOf = (stream: NodeJS.WriteStream): number =>
  stream.isTTY ? Math.min(stream.columns || lineWidth, lineWidth) : Infinity

/** Formats decisions for people, each on a line, and below it what there is to know about a refusal or a failure. */
export const decisionLines =
  (width: number) =>
  ({ record, ran }: StoredDecision): string => {
    const told = record.told ?? record.decision
    const change = told === record.decision ? words[told] : `${words[record.decision]}→${words[told]}`
    const word = endedTurn(record) ? 'ended' : change
    const before = `${localMoment(Date.parse(record.at))}  ${printable(titleOf(record.agent ?? '?')).padEnd(agentWidth)}  `
    const after = `${' '.repeat(Math.max(0, wordWidth - word.length))}  ${calledText(record)}`
    const end = ran === undefined ? '' : `  (${ranText(ran)})`
    const called = cutLine(after, width - before.length - word.length - end.length)
    const line = `${before}${paint(colours[told], word)}${called}${paint('dim', end)}`
    return [line, ...detailsOf(record).map((text) => paint('dim', cutLine(`${indent}${oneLine(text)}`, width)))]
      .map((one) => `${one}\n`)
      .join('')
  }

const words: Readonly<Record<Decision, string>> = {
  deny: 'refused',
  defer: 'deferred',
  ask: 'asked',
  allow: 'allowed',
  abstain: 'passed',
}

const agentWidth = 11
const wordWidth = 8
const toolWidth = 5
const errorWidth = 30
const indent = ' '.repeat(16)

const paint = (style: TextStyle, text: string) => styleText(style, text, { stream: process.stdout })

/** Formats what an agent wanted: the tool and what it was called with, and the event unless it is the usual one. */
function calledText({ event, tool, toolName, subject }: DecisionRecord): string {
  const what = oneLine(subject ?? toolName ?? '')
  const kinds = [
    ...(event === 'PreToolUse' ? [] : [event ?? 'an event that could not be read']),
    ...(tool === undefined ? [] : [tool]),
  ]
  return `${kinds.join(' ').padEnd(toolWidth)}  ${what}`.trimEnd()
}

/** Says how a call ended, and after what time, as its agent reports it. */
function ranText({ succeeded, durationMs, error }: CallResult): string {
  const how = succeeded ? 'ran' : `failed${error === undefined ? '' : `: ${cutLine(oneLine(error), errorWidth)}`}`
  if (durationMs === undefined) return how
  const time =
    durationMs < 100 ? `${Math.round(durationMs)} ms` : `${(durationMs / 1000).toFixed(durationMs < 10_000 ? 1 : 0)} s`
  return `${how}, ${time}`
}

function detailsOf(record: DecisionRecord): readonly string[] {
  const { decision, told = decision, determining, refusal, reason, error, evaluations, rewritten, approval } = record
  const isSilent = [decision, told].every((one) => one === 'allow' || one === 'abstain')
  const rules = endedTurn(record) ? evaluations.map(({ ruleId }) => ruleId) : determining
  const by = rules.length === 0 ? firstLine(reason) : `by ${rules.join(', ')}`
  const how = refusal === undefined ? '' : `   hookgate why ${refusal}`
  return [
    ...(error === undefined ? [] : [`hookgate could not decide: ${error.code}: ${firstLine(error.message)}`]),
    ...((isSilent && !endedTurn(record)) || error !== undefined ? [] : [`${by}${how}`]),
    ...(approval === undefined ? [] : [endedText(approval)]),
    ...(rewritten === undefined
      ? []
      : [`rewritten by ${rewritten.by.join(', ')} into ${rewritten.subject ?? rewritten.toolName}`]),
    ...evaluations.flatMap(remarkable),
  ]
}

function remarkable({ ruleId, effect, observed, failure }: RecordedEvaluation): readonly string[] {
  return [
    ...(observed && restricts(effect) ? [`${ruleId} only observes: it would have ${words[effect]}`] : []),
    ...(failure === undefined ? [] : [`${ruleId} failed: ${failure.code}: ${firstLine(failure.message)}`]),
  ]
}
