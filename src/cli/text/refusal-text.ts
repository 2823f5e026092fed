import { titleOf } from '../../agents/registry.ts'
import { type AnswerResult, type Approval, channelTexts, exactText, type OpenRequest } from '../../model/approval.ts'
import { limits } from '../../model/limits.ts'
import { localTime } from '../../words/moment.ts'
import { type KeptException, type KeptRefusal, noException, type RefusingRule } from '../../model/refusal.ts'
import { firstLine, printable, quoted } from '../../model/text.ts'
import { namedCall } from '../../words/call-words.ts'
import { isAtOrBelow } from '../../words/machine-paths.ts'

/** Refusals in a list: those that a person still remembers. */
const listed = 10

/** Formats a refusal for the person who is to decide about it: what, by which rules, when, and what would lift it. */
export function refusalText(refusal: KeptRefusal): string {
  const { toolName, subject, agent, session, project, atMs, decision, rules } = refusal
  const [head = '', ...more] = namedCall({ toolName, subject }).split('\n')
  // If one of the refusing rules cannot be lifted, exceptions for the others would not help.
  const isLiftable = rules.every(({ obstacle }) => obstacle === undefined)
  const exceptions = isLiftable ? rules.flatMap((rule) => rule.exceptions ?? []) : []
  const where = `${titleOf(agent)}${session === '' ? '' : `, session ${session}`}, in ${project}, ${localTime(atMs)}`
  return printable(
    [
      labelled(decision === 'deny' ? 'refused' : 'asked', [head, ...more, where]),
      ...rules.map((rule) => labelled(rule.effect === 'deny' ? 'by' : 'asks', ruleLines(rule))),
      ...exceptions.map((one) => labelled('exception', exceptionLines(one))),
    ].join(''),
  )
}

function ruleLines({ name, severity, file, reason, params, obstacle, exceptions }: RefusingRule): readonly string[] {
  return [
    `${name}${severity === undefined ? '' : `, ${severity}`}${name.startsWith('hookgate:') ? ', which is built in' : `, of ${file}`}`,
    ...reason.split('\n'),
    ...(params.length === 0 ? [] : [`to tune it, set in \`params\`: ${params.join(', ')}`]),
    ...(obstacle === undefined ? [] : [`it cannot be lifted here: ${obstacle}`]),
    ...(obstacle === undefined && exceptions === undefined ? [`no exception: ${noException}`] : []),
  ]
}

function exceptionLines({ rule, command, path, project }: KeptException): readonly string[] {
  const subject = command === undefined ? `path     ${path ?? ''}` : `command  ${command}`
  return [`rule     ${rule}`, subject, `project  ${project}`]
}

/** Names a tool, and the first line of what it was called with, in backticks. */
export const quotedCall = ({ toolName, subject }: Pick<KeptRefusal, 'toolName' | 'subject'>): string =>
  namedCall({ toolName, subject: subject === '' ? '' : quoted(firstLine(subject)) })

/** Lists refusals, those of this folder if there are any, the latest first. */
export function listText(refusals: readonly KeptRefusal[], cwd: string): string {
  const here = refusals.filter(({ project }) => isAtOrBelow(cwd, project) || isAtOrBelow(project, cwd))
  const shown = here.length === 0 ? refusals : here
  if (shown.length === 0) {
    const days = limits.refusalMsMax / 86_400_000
    return `no refusal of the last ${days} days is kept\n`
  }
  const title = here.length === 0 ? 'nothing was refused in this folder; elsewhere:\n' : ''
  return title + printable(shown.slice(0, listed).map(lineOf).join(''))
}

function lineOf({ id, atMs, decision, toolName, subject, rules }: KeptRefusal): string {
  const names = [...new Set(rules.map(({ name }) => name))].join(', ')
  const what = decision === 'deny' ? 'refused' : 'asked'
  return `${id}  ${localTime(atMs)}  ${what.padEnd(7)}  ${quotedCall({ toolName, subject })}  ${names}\n`
}

const labelled = (label: string, [first = '', ...more]: readonly string[]) =>
  `${label.padEnd(width)}${first}\n${more.map((line) => `${' '.repeat(width)}${line}\n`).join('')}`
const width = 11

/** Formats a request for the person who is to answer it: what, by which rules, where, and how long there is. */
export function requestText(request: OpenRequest, nowMs: number): string {
  const { toolName, subject, agent, session, project, folder, input, rules, commands, waiting, call, altered } = request
  const [head = '', ...more] = namedCall({ toolName, subject }).split('\n')
  const where = `${titleOf(agent)}${session === '' ? '' : `, session ${session}`}, in ${project}`
  const callers = waiting > 1 ? `, asked ${waiting} times` : ''
  return printable(
    [
      labelled('waits', [`${spanText(nowMs - request.openedAtMs)}, for ${leftText(request, nowMs)} more${callers}`]),
      labelled('call', [head, ...more, where]),
      ...(folder === undefined ? [] : [labelled('folder', [folder])]),
      ...(input === undefined ? [] : [labelled('input', input.split('\n'))]),
      ...(altered === undefined ? [] : [labelled('exactly', [exactText(call)])]),
      ...(isPlain(request) ? [] : [labelled('commands', commands)]),
      ...rules.map((rule) => labelled(rule.effect === 'deny' ? 'refused by' : 'asks', ruleLines(rule))),
    ].join(''),
  )
}

/** Returns whether a request's line in the list has all of the call. */
export const isShownByLine = ({ subject, input, folder, altered }: OpenRequest): boolean =>
  input === undefined &&
  folder === undefined &&
  altered === undefined &&
  subject.length <= limits.quotedCharactersMax &&
  !subject.includes('\n')

/** A single command that stands as it is written says nothing new. */
const isPlain = ({ commands, subject }: OpenRequest) =>
  commands.length === 0 || (commands.length === 1 && commands[0] === subject)

/** Formats open requests, one a line. */
export const requestLines = (requests: readonly OpenRequest[], nowMs: number): string =>
  printable(requests.map((one) => `${requestLine(one, nowMs)}\n`).join(''))

export function requestLine(request: OpenRequest, nowMs: number): string {
  const { id, agent, toolName, input = '', rules } = request
  const subject = request.subject === '' ? firstLine(input) : request.subject
  const names = [...new Set(rules.map(({ name }) => name))].join(', ')
  return `${id}  ${leftText(request, nowMs).padStart(7)} left  ${titleOf(agent).padEnd(11)}  ${quotedCall({ toolName, subject })}${isShownByLine(request) ? '' : ' (and more)'}  ${names}`
}

const leftText = ({ endsAtMs }: OpenRequest, nowMs: number) => spanText(Math.max(0, endsAtMs - nowMs))

/** Formats a span of time: `12 s`, `4 min`, `1 h 5 min`. */
export function spanText(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 100) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 100) return `${minutes} min`
  const rest = minutes % 60
  return `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${rest} min`}`
}

/** Says what became of an answer. */
export function resultText(id: string, result: AnswerResult | undefined): string {
  switch (result?.kind) {
    case 'taken':
      return `${id} was ${result.outcome === 'approved' ? 'approved' : 'refused'} after ${spanText(result.waitedMs)}`
    case 'over':
      return `${id} is over: ${endedText(result.ended)}`
    case 'terminalOnly':
      return `${id} can only be approved at this machine`
    case 'noPerson':
      return `${id} still waits: this approval does not count, since ${result.why}; approve it in a terminal of your own`
    case 'unknown':
    case undefined:
      return `no call with the id ${quoted(id)} waits for a person`
  }
}

/** Says how a request ended: `approved by alice in a terminal after 12 s`. */
export function endedText({ outcome, waitedMs, channel, by }: Approval): string {
  const after = `after ${spanText(waitedMs)}`
  switch (outcome) {
    case 'approved':
    case 'denied': {
      const who = `by ${by ?? 'a person'}${channel === undefined ? '' : ` ${channelTexts[channel]}`}`
      return `${outcome === 'approved' ? 'approved' : 'refused'} ${who} ${after}`
    }
    case 'timedOut':
      return `nobody answered within ${spanText(waitedMs)}`
    case 'gone':
      return `the agent stopped waiting ${after}`
    case 'closed':
      return `the gate ended ${after}`
    case 'full':
      return 'nobody was asked, since too many calls waited already'
  }
}
