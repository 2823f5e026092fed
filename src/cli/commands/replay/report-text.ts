import { counted, grouped } from '../../../words/counted.ts'
import { titleOf } from '../../../agents/registry.ts'
import { firstLine, printable } from '../../../model/text.ts'
import { type Change, changeKinds, type ReplayAnswer } from '../../../review/replay/outcome.ts'
import { type OutputAnswer, outputAnswers } from '../../../review/replay/outputs.ts'
import type { ReplayReport, ReportedFinding } from '../../../review/replay/report.ts'
import type { RulesNames } from '../../../review/replay/rule-sets.ts'
import { dayOf } from '../../../words/moment.ts'
import type { Paint, TextStyle } from '../../command.ts'
import { cutLine, lineWidth } from '../../text/layout.ts'

/** Formats the result of a replay for people. */
export function reportText(report: ReplayReport, names: RulesNames & { readonly place: string }, paint: Paint): string {
  const isCompared = report.before !== undefined
  return [
    ...(report.partial ? [paint('yellow', 'ended early: this is a part of the calls'), ''] : []),
    headline(report),
    printable(`decided by ${names.now}${names.before === undefined ? '' : `, compared with ${names.before}`}`),
    '',
    ...countLines(report),
    ...(isCompared ? changeSections(report, paint) : answerSections(report, paint)),
    ...outputLines(report, paint),
    ...restLines(report),
    ...causeSection('not decided', 'call', report.undecided),
    ...causeSection('not read', names.place, report.unreadable),
    ...hookLines(report),
    ...asOfNowLines(report),
    '',
  ].join('\n')
}

function headline({ calls, decisions, distinctIsExact, files, from, to, agents }: ReplayReport): string {
  const when = from === null || to === null ? '' : `, ${dayOf(Date.parse(from))} to ${dayOf(Date.parse(to))}`
  const whose = Object.entries(agents).map(([agent, count]) => `${titleOf(agent)} ${grouped(count)}`)
  const distinct = `${grouped(decisions)} ${distinctIsExact ? 'different' : 'decisions'}`
  return printable(`${counted(calls, 'call')} (${distinct}) from ${counted(files, 'file')}${when}: ${whose.join(', ')}`)
}

const answerNames: Readonly<Record<ReplayAnswer, string>> = {
  refused: 'refused',
  asked: 'asked',
  allowed: 'allowed',
  noOpinion: 'no opinion',
  undecided: 'not decided',
}

function countLines({ now, before }: ReplayReport): readonly string[] {
  const head = before === undefined ? [] : [`${' '.repeat(14)}${'now'.padStart(10)}${'before'.padStart(10)}`]
  const answers = ['refused', 'asked', 'allowed', 'noOpinion', 'undecided'] as const
  const shown = answers.filter((one) => one !== 'undecided' || now[one] + (before?.[one] ?? 0) > 0)
  return [...head, ...shown.map((one) => countLine(answerNames[one], now[one], before?.[one]))]
}

const countLine = (name: string, now: number, before: number | undefined): string =>
  `  ${name.padEnd(12)}${[now, ...(before === undefined ? [] : [before])].map((count) => grouped(count).padStart(10)).join('')}`

/** Lists the rules that refuse and ask, the most frequent first, each with the commands that it objects to. */
function answerSections(report: ReplayReport, paint: Paint): readonly string[] {
  return [...answerSection(report, 'refused', paint, 'red'), ...answerSection(report, 'asked', paint, 'yellow')]
}

function answerSection(
  { rules, findings }: ReplayReport,
  answer: ReplayAnswer,
  paint: Paint,
  style: TextStyle,
): readonly string[] {
  const own = rules.filter((one) => one.answer === answer)
  if (own.length === 0) return []
  const lines = own.flatMap(({ rule, calls, commands }) => {
    // A command that several rules speak of stands below the first.
    const said = findings.filter(({ now }) => now.answer === answer && now.rules.some(({ id }) => id === rule))
    const shown = said.filter(({ now }) => now.rules[0]?.id === rule)
    const others = said.length === shown.length ? '' : `, ${said.length - shown.length} of them shown at another rule`
    const head = cutLine(`  ${printable(rule)}: ${counted(calls, 'call')}, ${counted(commands, 'command')}${others}`)
    return [head].concat(bySubject(shown).flatMap((same) => [commandLine(same)].concat(differenceLines(same, paint))))
  })
  return ['', paint(style, answerNames[answer]), ...lines]
}

const changeNames: Readonly<Record<Change, readonly [title: string, style: TextStyle]>> = {
  newlyRefused: ['newly refused', 'red'],
  newlyAsked: ['newly asked', 'yellow'],
  noLongerRefused: ['no longer refused', 'green'],
  noLongerAsked: ['no longer asked', 'green'],
  newlyAllowed: ['newly allowed, without the agent’s own prompt', 'green'],
  noLongerAllowed: ['no longer allowed: the agent decides itself', 'yellow'],
  changedReason: ['for another reason', 'dim'],
}
function changeSections({ findings, changes = {} }: ReplayReport, paint: Paint): readonly string[] {
  const kinds = changeKinds.filter((change) => changes[change] !== undefined)
  if (kinds.length === 0) return ['', paint('green', 'no call is decided in another way')]
  return kinds.flatMap((change) => {
    const [title, style] = changeNames[change]
    const own = findings.filter((one) => one.change === change)
    const head = ['', paint(style, `${title}: ${counted(changes[change] ?? 0, 'call')}`)]
    const lines = bySubject(own).flatMap((same) => {
      const below = same.length > 1 ? differenceLines(same, paint) : same.flatMap((one) => reasonLines(one, paint))
      return [commandLine(same)].concat(below)
    })
    return head.concat(lines)
  })
}

/** Says which rule decides, and how. For a call that no rule objects to any more, says which rule did before. */
function reasonLines({ change, now, before }: ReportedFinding, paint: Paint): readonly string[] {
  const isGone = change === 'noLongerRefused' || change === 'noLongerAsked' || change === 'noLongerAllowed'
  const decisive = isGone ? before : now
  const was = before === undefined ? '' : `was ${answerNames[before.answer]}`
  const is = isGone ? `is ${answerNames[now.answer]}, ${was} by` : `${was}, is ${answerNames[now.answer]} by`
  return (decisive?.rules ?? []).map(({ name, reason }) =>
    cutLine(`${indent}${paint('dim', printable(`${is} ${name}: ${firstLine(reason)}`))}`),
  )
}
const indent = ' '.repeat(11)

/** Groups findings by command. The groups have the order of their first findings. */
const bySubject = (findings: readonly ReportedFinding[]): readonly (readonly ReportedFinding[])[] => [
  ...Map.groupBy(findings, ({ subject }) => subject).values(),
]

/** Returns a line for each way in which one command was decided: agent, rule and reason. Empty if there is only one. */
function differenceLines(same: readonly ReportedFinding[], paint: Paint): readonly string[] {
  if (same.length === 1) return []
  const isOfSeveral = new Set(same.map(({ agent }) => agent)).size > 1
  const ways = same.map(({ calls, agent, now, before }) => {
    const decisive = now.rules.length > 0 || before === undefined ? now.rules : before.rules
    const why = decisive.map(({ name, reason }) => `${name}: ${firstLine(reason)}`).join('; ')
    const how = isOfSeveral ? `${titleOf(agent)}, ${why}` : why
    // Two ways may differ only behind the end of the line; they are shown as one.
    return { calls, how: cutLine(printable(how), lineWidth - indent.length - '1,000 × '.length) }
  })
  return [...Map.groupBy(ways, ({ how }) => how)].map(([how, alike]) => {
    const calls = alike.reduce((sum, one) => sum + one.calls, 0)
    return cutLine(`${indent}${paint('dim', `${grouped(calls)} × ${how}`)}`)
  })
}

function commandLine(same: readonly ReportedFinding[]): string {
  const subject = same[0]?.subject ?? ''
  const calls = same.reduce((sum, one) => sum + one.calls, 0)
  const asOfNow = [...new Set(same.flatMap((one) => one.asOfNow))]
  const circumstances = asOfNow.length === 0 ? '' : `  (by today's ${asOfNow.join(', ')})`
  return `${grouped(calls).padStart(8)} × ${cutLine(printable(subject.replaceAll(/(?<!\s)\s*\n\s*/g, ' ⏎ ')), lineWidth - indent.length - circumstances.length)}${circumstances}`
}

const outputNames: Readonly<Record<OutputAnswer, string>> = {
  changed: 'changed',
  withheld: 'withheld',
  told: 'commented',
  masked: 'masked then',
  noOpinion: 'no opinion',
  undecided: 'not decided',
}

/** Says what rules make of what the calls have returned, and of how many nobody can tell. */
function outputLines({ outputs }: ReplayReport, paint: Paint): readonly string[] {
  if (outputs === undefined) return []
  const { now, before, notKept, said } = outputs
  const shown = outputAnswers.filter(
    (one) => one === 'changed' || one === 'noOpinion' || now[one] + (before?.[one] ?? 0) > 0,
  )
  return [
    '',
    paint('bold', 'outputs'),
    ...shown.map((one) => countLine(outputNames[one], now[one], before?.[one])),
    ...(notKept === 0
      ? []
      : [`  ${counted(notKept, 'output')} ${notKept === 1 ? 'is' : 'are'} not kept: not decided again`]),
    ...said
      .slice(0, outputsShownMax)
      .map(({ rule, reason, outputs: times }) =>
        cutLine(printable(`${grouped(times).padStart(8)} × ${rule}: ${firstLine(reason)}`)),
      ),
    ...(said.length <= outputsShownMax ? [] : [`  and ${said.length - outputsShownMax} more: --json has all`]),
  ]
}
/** Things said of outputs that a person reads. */
const outputsShownMax = 20

function restLines({ findingsNotShown, callsNotKept, now }: ReplayReport): readonly string[] {
  return [
    ...(findingsNotShown === 0 ? [] : ['', `${counted(findingsNotShown, 'more command')}: --limit N shows more`]),
    ...(callsNotKept === 0
      ? []
      : ['', `of ${counted(callsNotKept, 'further call')} only the counts above were kept: too many differ`]),
    ...(now.undecided === 0 ? [] : ['', `${counted(now.undecided, 'call')} could not be decided, and may be refused`]),
  ]
}

function causeSection(title: string, what: string, causes: ReplayReport['unreadable']): readonly string[] {
  if (causes.length === 0) return []
  return [
    '',
    title,
    ...causes.map(({ why, times, first: { file, line } }) =>
      printable(`  ${counted(times, what)}: ${firstLine(why)} (first: ${file}${line === undefined ? '' : `:${line}`})`),
    ),
  ]
}

function hookLines({ hooksNotRun }: ReplayReport): readonly string[] {
  const hooks = Object.entries(hooksNotRun)
  if (hooks.length === 0) return []
  return [
    '',
    'hooks were not run, so what they refuse is missing here; --run-hooks runs them, with their effects',
    ...hooks.map(([id, calls]) => printable(`  ${counted(calls, 'call')}: ${id}`)),
  ]
}

function asOfNowLines({ asOfNow }: ReplayReport): readonly string[] {
  const circumstances = Object.entries(asOfNow).map(([name, calls]) => `${name} (${counted(calls, 'call')})`)
  if (circumstances.length === 0) return []
  return ['', `judged by what is there today, since the past is not kept: ${circumstances.join(', ')}`]
}

/** One test of a JUnit report. */
export interface JunitCase {
  readonly suite: string
  readonly name: string
  /** The reason of its failure; absent if it passes. */
  readonly failure?: { readonly kind: 'failure' | 'error'; readonly message: string; readonly text: string }
}

/** Formats a JUnit report, as CI servers read it. */
export function junitText(cases: readonly JunitCase[], seconds: number): string {
  const count = (kind: string) => cases.filter(({ failure }) => failure?.kind === kind).length
  const totals = `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="hookgate replay" ${totals} time="${seconds.toFixed(3)}">`,
    `  <testsuite name="hookgate replay" ${totals} time="${seconds.toFixed(3)}">`,
    ...cases.map(caseText),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function caseText({ suite, name, failure }: JunitCase): string {
  const head = `    <testcase classname="${attribute(suite)}" name="${attribute(name)}"`
  if (failure === undefined) return `${head}/>`
  const { kind, message, text } = failure
  return `${head}><${kind} message="${attribute(message)}">${escaped(text)}</${kind}></testcase>`
}

/** Escapes text from outside. A `>` as well: the text may hold `]]>`, which must not stand in XML. */
const escaped = (text: string) =>
  printable(text)
    .replace(notXml, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

/** A parser would make spaces of the line breaks and tabs of an attribute. */
const attribute = (text: string) => escaped(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')

/** Characters that XML 1.0 cannot hold, and that are left after `printable`. */
const notXml = /[\ufffe\uffff]/g
