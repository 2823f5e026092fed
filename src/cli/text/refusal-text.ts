import { titleOf } from '../../agents/registry.ts'
import { limits } from '../../model/limits.ts'
import { localTime } from '../../model/local-time.ts'
import { type KeptException, type KeptRefusal, noException, type RefusingRule } from '../../model/refusal.ts'
import { firstLine, printable, quoted } from '../../model/text.ts'
import { isAtOrBelow } from '../../words/machine-paths.ts'

/** Refusals in a list: those that a person still remembers. */
const listed = 10

/** Formats a refusal for the person who is to decide about it: what, by which rules, when, and what would lift it. */
export function refusalText(refusal: KeptRefusal): string {
  const { toolName, subject, agent, session, project, atMs, decision, rules } = refusal
  const [head = '', ...more] = calledText({ toolName, subject }).split('\n')
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

export function ruleLines({
  name,
  severity,
  file,
  reason,
  params,
  obstacle,
  exceptions,
}: RefusingRule): readonly string[] {
  return [
    `${name}${severity === undefined ? '' : `, ${severity}`}, of ${file}`,
    ...reason.split('\n'),
    ...(params.length === 0 ? [] : [`its params: ${params.join(', ')}`]),
    ...(obstacle === undefined ? [] : [`it cannot be lifted here: ${obstacle}`]),
    ...(obstacle === undefined && exceptions === undefined ? [`no exception: ${noException}`] : []),
  ]
}

function exceptionLines({ rule, command, path, project }: KeptException): readonly string[] {
  const subject = command === undefined ? `path     ${path ?? ''}` : `command  ${command}`
  return [`rule     ${rule}`, subject, `project  ${project}`]
}

/** Names a tool, and what it was called with if that is a command, a path or a URL. */
export const calledText = ({ toolName, subject }: Pick<KeptRefusal, 'toolName' | 'subject'>): string =>
  subject === '' ? toolName : `${toolName}: ${subject}`

/** Names a tool, and the first line of what it was called with, in backticks. */
export const quotedCall = ({ toolName, subject }: Pick<KeptRefusal, 'toolName' | 'subject'>): string =>
  calledText({ toolName, subject: subject === '' ? '' : quoted(firstLine(subject)) })

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

export const labelled = (label: string, [first = '', ...more]: readonly string[]) =>
  `${label.padEnd(width)}${first}\n${more.map((line) => `${' '.repeat(width)}${line}\n`).join('')}`
const width = 11
