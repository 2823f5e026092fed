import { counted } from '../../words/counted.ts'
import { supportedPart } from '../../agents/codec/supported-verdict.ts'
import { titleOf } from '../../agents/registry.ts'
import type { ProtocolSupport } from '../../model/dialect.ts'
import { type Decision, restricts, type Severity } from '../../model/effect.ts'
import type { HookEvent, ToolUse } from '../../model/event.ts'
import type { Impact } from '../../model/impact.ts'
import { limits } from '../../model/limits.ts'
import { isSelfProtection, type Rule, type RuleSet } from '../../model/rule.ts'
import { type ShellCommand, type ShellFacts, type ShellFlow, type TouchedPath, unknownPart } from '../../model/shell.ts'
import { firstLine, printable, quoted } from '../../model/text.ts'
import type { ToolFacts } from '../../model/tool-facts.ts'
import type { RewrittenCall, Verdict } from '../../model/verdict.ts'
import { matchRule, planFor } from '../../rules/index.ts'
import { aboutCall } from '../../words/call-words.ts'
import { commandNotes, commandText, pathText } from '../../words/command-text.ts'
import { impactText } from '../../words/impact-words.ts'
import type { Paint } from '../command.ts'
import { cutLine, explainedColumn, titled, paintFor } from './layout.ts'
import { type AnsweredRule, answeredRules, colours, isSilent, ruleLines, silentLines, wrapped } from './rule-lines.ts'

interface TraceOptions {
  readonly stream?: NodeJS.WriteStream
  /** Facts of the tool call to show. */
  readonly found?: ToolFacts
  /** The call as rules rewrote it, as an event, and its facts. */
  readonly rewritten?: { readonly event: HookEvent; readonly found: ToolFacts }
  /** Shell facts that decide which rules apply. Default: those in `found`. */
  readonly shell?: ShellFacts
  /** The part of a verdict that the agent's protocol can express at this event. Default: all of it. */
  readonly support?: ProtocolSupport
  /** The reason why the event is shown as this agent sends it. */
  readonly assumed?: string
  /** Lines about where policies are evaluated, if they are wanted. */
  readonly placed?: readonly string[]
  /** Lists every rule, and cuts no lines. Default: rules without an objection are counted. */
  readonly isWhole?: boolean
  /** Timeout for hooks that name none. Default: hookgate's. */
  readonly timeoutMs?: number | undefined
}

/** Formats a decision for people: why, what the call would do, the rules that have an opinion, and their times. */
export function trace(event: HookEvent, rules: RuleSet, verdict: Verdict, options: TraceOptions = {}): string {
  const { stream = process.stderr, found, shell = found?.shell, support, assumed, isWhole = false } = options
  const { timeoutMs = limits.hookTimeoutMs } = options
  const paint = paintFor(stream)
  const fitting = isWhole ? (line: string) => line : cutLine
  const planned = planFor(event, rules, shell).rules
  const plannedIds = new Set(planned.map(({ id }) => id))
  const skipped = rules.rules.filter(({ id }) => !plannedIds.has(id))
  const isDetermining = ({ rule }: AnsweredRule) => Number(verdict.determining.includes(rule.id))
  /** Sets rules with an opinion apart from silent ones, those that decide first. */
  function answersOf(among: readonly Rule[], evaluations: Verdict['evaluations']) {
    const answered = answeredRules(among, { evaluations })
    const silent = answered.filter(isSilent)
    const speaking = answered.filter((one) => !isSilent(one)).toSorted((a, b) => isDetermining(b) - isDetermining(a))
    return { evaluations, answered, silent, speaking }
  }
  const { answered, silent, speaking, ...sent } = answersOf(
    planned,
    verdict.evaluations.filter((one) => one.rewritten !== true),
  )
  const made = answersOf(
    rules.rules,
    verdict.evaluations.filter((one) => one.rewritten === true),
  )
  const { switchedOff, notes } = rules
  return [
    ...switchedOff.map((line) => `${paint('red', 'off')}      ${wrapped(' '.repeat(9), line).slice(9)}`),
    headline(event, verdict, support, paint),
    '',
    fitting(eventLine(event)),
    explainedColumn('agent    ', printable(`${titleOf(event.agent)}, ${assumed ?? `in ${event.session.cwd}`}`)),
    ...(found === undefined ? [] : foundLines(event, found, sent.evaluations, fitting)),
    ...titled('rules', [
      ...speaking.flatMap((one) => ruleLines(one, paint, timeoutMs)),
      ...(isWhole
        ? silentLines(silent, paint, timeoutMs)
        : countedLines(silent.filter(isCounted).length + skipped.length, speaking.length)),
    ]),
    ...(verdict.rewritten === undefined ? [] : rewrittenLines(verdict.rewritten, fitting)),
    ...(options.rewritten === undefined
      ? []
      : foundLines(options.rewritten.event, options.rewritten.found, made.evaluations, fitting)),
    ...titled(
      'rules, of the rewritten call',
      verdict.rewritten === undefined
        ? []
        : [
            ...made.speaking.flatMap((one) => ruleLines(one, paint, timeoutMs)),
            ...(isWhole
              ? silentLines(made.silent, paint, timeoutMs)
              : countedLines(made.silent.filter(isCounted).length, made.speaking.length)),
          ],
    ),
    ...(isWhole
      ? section(
          'about other events and calls',
          skipped.map((rule) => `${rule.id}: ${whyNot(rule, event, shell)}`),
        )
      : []),
    ...section('placement', options.placed ?? []),
    ...section('alarms', rules.alarms),
    ...section(
      'notes',
      notes.filter((note) => !switchedOff.includes(note)),
    ),
    ...section(
      'required',
      verdict.obligations.map((obligation) => JSON.stringify(obligation)),
    ),
    ...section('for the model', contextLines(verdict)),
    ...section('for the person', verdict.notices),
    ...titled('times', timeLines(isWhole ? [...answered, ...made.answered] : [...speaking, ...made.speaking], verdict)),
    '',
  ].join('\n')
}

function headline(event: HookEvent, verdict: Verdict, support: ProtocolSupport | undefined, paint: Paint): string {
  const { word, why, decision } = headlineOf(event, verdict, support)
  // Wrapped before it is coloured: escape sequences have no width.
  const text = explainedColumn(`${word}: `, printable(why))
  return `${paint(colours[decision], word)}${text.slice(word.length)}`
}

/** Says which rules rewrote the call, and into what. */
function rewrittenLines({ by, tool }: RewrittenCall, fitting: (line: string) => string): readonly string[] {
  const shown = firstLine(aboutTool(tool))
  return [
    '',
    fitting(`rewritten ${printable(`${tool.name}: ${shown}`)}`),
    explainedColumn('by       ', printable(by.join(', '))),
  ]
}

const aboutTool = ({ kind, name, command, path, url, input }: ToolUse) =>
  aboutCall({ tool: kind, toolName: name, subject: command ?? path ?? url, input })

function eventLine({ name, tool, prompt, trigger }: HookEvent): string {
  const subject = tool === undefined ? (prompt ?? trigger ?? '') : aboutTool(tool)
  const read = tool?.inferred ? `unknown tool, read as ${tool.kind}` : tool?.kind
  const called = tool === undefined ? '' : ` ${tool.name}${tool.name === tool.kind ? '' : ` (${read})`}`
  const shown = firstLine(subject)
  return `event    ${printable(`${name}${called}${shown === '' ? '' : `: ${shown}`}`)}`
}

/** Formats the facts of the tool call, with the rules' objections to each part. */
function foundLines(
  event: HookEvent,
  found: ToolFacts,
  evaluations: Verdict['evaluations'],
  fitting: (line: string) => string,
): readonly string[] {
  const isShell = event.tool?.kind === 'shell'
  const remarks = evaluations.flatMap((one) => {
    if (one.kind !== 'applicable') return []
    const { effect = 'abstain', ruleId: rule, severity, commands, observed } = one
    return [{ effect, rule, severity, commands, observed }]
  })
  const ofTool = found.impacts.filter(({ by }) => typeof by === 'string')
  return [
    ...titled(isShell ? 'commands' : 'paths', callLines(isShell, found, remarks, fitting)),
    ...titled(
      'impacts',
      ofTool.map((impact) => fitting(`  ${printable(impactText(impact))}`)),
    ),
  ]
}

/** Returns true for a rule that a person has turned on. */
const isCounted = ({ rule }: AnsweredRule) => !isSelfProtection(rule)

/** Counts the rules that are not listed. @param speaking how many are */
function countedLines(count: number, speaking: number): readonly string[] {
  if (count === 0) return []
  const rules = counted(count, speaking === 0 ? 'rule' : 'other rule')
  return [`  ${rules}: no objection; --all lists ${count === 1 ? 'it' : 'them'}`]
}

function whyNot(rule: Rule, event: HookEvent, shell: ShellFacts | undefined): string {
  const match = matchRule(rule, event, shell)
  return match.applies ? 'the same hook already runs under another id' : match.why
}

function contextLines({ context, contextTruncatedBytes }: Verdict): readonly string[] {
  if (context === '') return []
  const truncated = contextTruncatedBytes === 0 ? [] : [`(${contextTruncatedBytes} bytes were cut off)`]
  return [...context.split('\n'), ...truncated]
}

/** Lists the times of some rules and of the slowest one, the longest first. Policies are timed together. */
function timeLines(rules: readonly AnsweredRule[], { slowest }: Verdict): readonly string[] {
  const times = new Map<string, number>()
  for (const { rule, evaluation } of rules) times.set(rule.id, Math.max(times.get(rule.id) ?? 0, evaluation.durationMs))
  if (slowest !== null) times.set(slowest.ruleId, slowest.durationMs)
  const longestFirst = [...times].toSorted(([, a], [, b]) => b - a)
  const alike = Map.groupBy(longestFirst, ([, durationMs]) => durationMs.toFixed(1))
  return [...alike].map(([time, [first, ...others]]) => {
    const more = others.length === 0 ? '' : ` and ${others.length} more`
    return `  ${time.padStart(7)} ms  ${printable(first?.[0] ?? '')}${more}`
  })
}

const section = (title: string, lines: readonly string[]) =>
  titled(
    title,
    lines.map((line) => wrapped('  ', line)),
  )

/** A decision in plain words, and the reason. */
interface Headline {
  readonly word: string
  readonly why: string
  readonly decision: Decision
}

/**
 * Sums up in one sentence the answer that the agent gets, and why.
 *
 * @param support what the agent's protocol can express at this event; without it, the verdict itself is described
 */
export function headlineOf(event: HookEvent, verdict: Verdict, support: ProtocolSupport | undefined): Headline {
  const { decision } = verdict
  const title = titleOf(event.agent)
  const told = support && supportedPart(event, verdict, support, title)
  if (told?.decision === 'deny' && decision !== 'deny') {
    const isDemand = verdict.obligations.some(({ kind }) => support?.[kind] === 'asDeny')
    const word = isDemand ? words.deny : `denied, since ${title} can't be told to ${quoted(decision)}`
    return { word, why: isDemand ? firstLine(told.reason) : reasonOf(event, verdict), decision: 'deny' }
  }
  if (told?.decision === 'abstain' && support?.[decision === 'abstain' ? 'allow' : decision] === 'unsupported') {
    return {
      word: `goes on, since ${title} can't be told to ${quoted(decision)} at ${event.name}`,
      why: reasonOf(event, verdict),
      decision: 'abstain',
    }
  }
  return { word: words[decision], why: reasonOf(event, verdict), decision }
}

/** Each decision in plain words. */
export const words: Readonly<Record<Decision, string>> = {
  deny: 'denied',
  defer: 'deferred',
  ask: 'a person is asked',
  allow: 'allowed, without the agent’s own prompt',
  abstain: 'passes',
}

/** Returns the reason of the first rule that decides, and how many others say the same. */
function reasonOf(event: HookEvent, verdict: Verdict): string {
  const { decision, determining, evaluations, reason } = verdict
  if (decision === 'abstain') {
    const observes = evaluations.some((one) => one.observed && one.kind === 'applicable' && restricts(one.effect))
    const none = observes ? 'the rules that object only observe' : 'no rule objects'
    return event.name === 'PreToolUse' ? `${none}; ${titleOf(event.agent)}’s own permissions decide` : none
  }
  const [first, ...others] = determining
  // A rule may have judged a call as it was sent and as it was rewritten.
  const own =
    evaluations.flatMap((one) =>
      one.ruleId === first && one.kind === 'applicable' && one.effect === decision ? [firstLine(one.reason ?? '')] : [],
    )[0] ?? ''
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  return `${own === '' ? firstLine(reason) : own}${more}`
}

/** A rule's answer to some of the commands of a call. */
interface CommandRemark {
  readonly effect: string
  readonly rule: string
  readonly severity: Severity | undefined
  /** Indices of the commands. */
  readonly commands: readonly number[] | undefined
  /** Set for a rule that only observes: its answer does not count. */
  readonly observed?: boolean | undefined
}

/** Formats the facts about a call: the commands with the rules' remarks on each, or the paths. @param fitting cuts a line */
export function callLines(
  isShell: boolean,
  { shell, paths, impacts }: ToolFacts,
  remarks: readonly CommandRemark[],
  fitting: (line: string) => string = cutLine,
): readonly string[] {
  const remarksOf = (index: number) =>
    remarks
      .filter(({ commands }) => commands?.includes(index) === true)
      .map(({ effect, rule, severity, observed }) => {
        const said = observed === true ? `(${effect})` : effect
        return `^ ${said}: ${rule}${severity === undefined ? '' : `, ${severity}`}`
      })
  const impactsAt = (index: number) => impacts.filter(({ by }) => by === index).map(impactLine)
  const lines = isShell ? shellLines(shell, impactsAt, remarksOf) : pathLines(paths)
  return lines.map((line) => fitting(`  ${printable(line)}`))
}

/** Formats the commands that a shell text would run, each below the one that starts it. */
function shellLines(
  { commands, flows, uncertain, forkBomb }: ShellFacts,
  impactsAt: (index: number) => readonly string[],
  remarksOf: (index: number) => readonly string[],
): readonly string[] {
  const lines = commands.flatMap((command, index) => {
    const depth = depthOf(command, commands)
    const indent = `${' '.repeat(width)}${'  '.repeat(depth)}    `
    const head = `${String(index).padStart(width)}  ${'  '.repeat(depth)}${headOf(command, commands, index)}`
    return [head, ...[...detailsOf(command), ...impactsAt(index), ...remarksOf(index)].map((line) => indent + line)]
  })
  return [
    ...lines,
    ...flows.map((flow) => `${' '.repeat(width)}  ${flowText(flow)}`),
    ...(forkBomb === true ? ['a fork bomb: it keeps starting copies of itself'] : []),
    ...uncertain.map((what) => `uncertain: ${what}`),
  ]
}
const impactLine = (impact: Impact): string => `${impact.unsure === true ? 'perhaps ' : ''}${impactText(impact)}`

/** Width of a command's number: no call has a thousand commands. */
const width = 3

/** INVARIANT: a command comes after the one that starts it, so the loop terminates. */
function depthOf({ startedBy }: ShellCommand, commands: readonly ShellCommand[]): number {
  let depth = 0
  for (let at = startedBy; at !== undefined && at < commands.length && depth < deepest; at = commands[at]?.startedBy) {
    depth += 1
  }
  return depth
}
const deepest = 20

function headOf(command: ShellCommand, commands: readonly ShellCommand[], index: number): string {
  const { cwd, folder, elsewhere, startedBy } = command
  const before = startedBy === undefined ? undefined : commands[startedBy]
  const last = commands.slice(0, index).findLast((one) => one.startedBy === startedBy) ?? before
  const notes = [
    ...commandNotes(command, before),
    ...(cwd === undefined && elsewhere !== true
      ? [folder === undefined ? 'in an unknown folder' : `in ${folder.value.replaceAll(unknownPart, '…')}`]
      : []),
    ...(cwd !== undefined && last !== undefined && cwd !== last.cwd ? [`in ${cwd}`] : []),
  ]
  const line = firstLine(commandText(command))
  const shown = line.length > shownMax ? `${line.slice(0, shownMax).toWellFormed()}…` : line
  return notes.length === 0 ? shown : `${shown}   [${notes.join(', ')}]`
}
const shownMax = 200

function detailsOf({ paths, network, code, wrapper, uncertain }: ShellCommand): readonly string[] {
  return [
    ...(wrapper === true ? ['only starts what is listed below it'] : []),
    ...pathLines(paths),
    ...(network === undefined
      ? []
      : [`${directions[network.direction]} ${network.url ?? network.host ?? 'a host that the command does not name'}`]),
    ...(code === undefined ? [] : [codeText(code)]),
    ...uncertain.map((what) => `uncertain: ${what}`),
  ]
}

const directions: Readonly<Record<NonNullable<ShellCommand['network']>['direction'], string>> = {
  send: 'sends to',
  receive: 'receives from',
  both: 'sends to and receives from',
  listen: 'listens at',
}

function codeText({ language, text, does }: NonNullable<ShellCommand['code']>): string {
  const what = text === undefined ? 'unknown' : firstLine(text).slice(0, shownMax).toWellFormed()
  return `${language} code${does.length === 0 ? '' : ` that ${does.join(', ')}`}: ${what}`
}

function pathLines(paths: readonly TouchedPath[]): readonly string[] {
  const lines = paths.slice(0, pathsMax).map((path) => `${path.access} ${pathText(path)}`)
  return paths.length > pathsMax ? [...lines, `and ${paths.length - pathsMax} more paths`] : lines
}
const pathsMax = 20

function flowText({ from, to, via, as }: ShellFlow): string {
  return `${from} → ${to} by ${via}${as === 'code' ? ', which runs it as code' : ''}`
}
