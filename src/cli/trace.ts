import { styleText } from 'node:util'
import type { Decision } from '../model/effect.ts'
import type { HookEvent } from '../model/event.ts'
import type { FactDeclaration } from '../model/policy.ts'
import type { Evaluation } from '../model/evaluation.ts'
import { firstLine, printable, quotedSome } from '../model/text.ts'
import type { BuiltinHandler, Handler, Program, Rule, RuleSet } from '../model/rule.ts'
import type { Verdict } from '../model/verdict.ts'
import type { ShellFacts } from '../model/shell.ts'
import type { ToolFacts } from '../model/tool-facts.ts'
import { matchRule, planFor } from '../rules/index.ts'
import type { TextStyle } from './command.ts'
import { pathLines, shellLines } from './shell-lines.ts'

interface TraceOptions {
  readonly stream?: NodeJS.WriteStream
  /** Facts of the tool call to show. */
  readonly found?: ToolFacts
  /** Shell facts that decide which rules apply. Default: those in `found`. */
  readonly shell?: ShellFacts
}

/** Formats a decision for people: the event, each rule's answer and time, the verdict and its reason. */
export function trace(
  event: HookEvent,
  rules: RuleSet,
  verdict: Verdict,
  { stream = process.stderr, found, shell = found?.shell }: TraceOptions = {},
): string {
  const paint = (style: TextStyle, text: string) => styleText(style, text, { stream })
  const planned = planFor(event, rules, shell).rules
  const plannedIds = new Set(planned.map(({ id }) => id))
  const skipped = rules.rules.filter(({ id }) => !plannedIds.has(id))
  const { switchedOff, notes } = rules
  return [
    ...switchedOff.map((line) => `${paint('red', 'off')}      ${printable(line)}`),
    `${paint('bold', 'event')}    ${eventLine(event)}`,
    `${paint('bold', 'verdict')}  ${paint(colours[verdict.decision], verdict.decision)}${decidedBy(verdict)}`,
    ...indented(verdict.reason === '' ? [] : verdict.reason.split('\n')),
    '',
    `${paint('bold', 'plan')}     ${counted(planned.length, 'rule')}${slowestText(verdict)}`,
    ...planned.filter((rule) => !isQuiet(rule, verdict)).flatMap((rule) => ruleLines(rule, verdict, paint)),
    ...quietLines(
      planned.filter((rule) => isQuiet(rule, verdict)),
      paint,
    ),
    ...(found === undefined ? [] : foundLines(event, found, verdict, paint)),
    ...section(
      paint('bold', 'skipped'),
      skipped.map((rule) => `${rule.id}: ${whyNot(rule, event, shell)}`),
    ),
    ...section(paint('bold', 'alarms'), rules.alarms),
    ...section(
      paint('bold', 'notes'),
      notes.filter((note) => !switchedOff.includes(note)),
    ),
    ...section(
      paint('bold', 'required'),
      verdict.obligations.map((obligation) => JSON.stringify(obligation)),
    ),
    ...section(paint('bold', 'for the model'), contextLines(verdict)),
    ...section(paint('bold', 'for the person'), verdict.notices),
    '',
  ].join('\n')
}

/** Formats the facts of the tool call, with the rules' objections to each part. */
function foundLines(event: HookEvent, { shell, paths }: ToolFacts, verdict: Verdict, paint: Paint): readonly string[] {
  if (event.tool?.kind !== 'shell') return section(paint('bold', 'paths'), pathLines(paths))
  const remarksOf = (index: number) =>
    verdict.evaluations.flatMap((evaluation) => {
      if (evaluation.kind !== 'applicable' || evaluation.commands?.includes(index) !== true) return []
      const { effect = 'abstain', ruleId, severity } = evaluation
      return [`^ ${effect}: ${ruleId}${severity === undefined ? '' : `, ${severity}`}`]
    })
  return section(paint('bold', 'commands'), shellLines(shell, remarksOf))
}

const colours: Record<Decision, TextStyle> = {
  deny: 'red',
  defer: 'yellow',
  ask: 'yellow',
  allow: 'green',
  abstain: 'dim',
}

function eventLine({ name, agent, tool, prompt, trigger, session }: HookEvent): string {
  const subject = tool?.command ?? tool?.path ?? tool?.url ?? prompt ?? trigger ?? ''
  const called = tool === undefined ? '' : ` ${tool.name}${tool.name === tool.kind ? '' : ` (${tool.kind})`}`
  const shown = printable(firstLine(subject)).slice(0, 200)
  return `${name}${printable(called)}${shown === '' ? '' : `: ${shown}`}   [${agent}, session ${printable(session.id)}]`
}

function decidedBy({ determining, decision }: Verdict): string {
  if (decision === 'abstain') return ': no rule objects, and none asks the agent to skip its own prompt'
  return determining.length === 0 ? '' : `, by ${printable(determining.join(', '))}`
}

function slowestText({ slowest }: Verdict): string {
  return slowest === null ? '' : `, slowest ${printable(slowest.ruleId)} (${ms(slowest.durationMs)})`
}

type Paint = (style: TextStyle, text: string) => string

function ruleLines(rule: Rule, verdict: Verdict, paint: Paint): readonly string[] {
  return verdict.evaluations
    .filter(({ ruleId }) => ruleId === rule.id)
    .flatMap((evaluation) => {
      const { label: said, style, detail } = labelOf(evaluation)
      const label = evaluation.observed === true ? `(${said})` : said
      const head = `  ${paint(style, label.padEnd(14))}${ms(evaluation.durationMs).padStart(10)}  ${printable(rule.id)}`
      const onFailure = evaluation.kind === 'indeterminate' ? ` (onFailure: ${rule.onFailure})` : ''
      const handler = handlerLines(rule.handler).map((line) => `${' '.repeat(28)}${paint('dim', printable(line))}`)
      const reason = [
        ...(evaluation.observed === true && said !== 'no opinion' ? ['only observed: this does not count'] : []),
        ...(detail === '' ? [] : `${detail}${onFailure}`.split('\n')),
      ]
      return [head].concat(handler, indented(reason.concat(evaluation.remarks ?? []), 28))
    })
}

/** Returns true for a rule of a pack without an answer: there are many of them. */
function isQuiet({ id, handler }: Rule, verdict: Verdict): boolean {
  if (handler.kind !== 'policy' || !id.endsWith(`/${handler.policy}`)) return false
  const own = verdict.evaluations.filter(({ ruleId }) => ruleId === id)
  return own.length > 0 && own.every(({ kind, remarks }) => kind === 'notApplicable' && remarks === undefined)
}

/** Lists each pack once, with its rules without an answer. */
function quietLines(rules: readonly Rule[], paint: Paint): readonly string[] {
  const packs = Map.groupBy(rules, ({ id }) => id.slice(0, id.lastIndexOf('/')))
  return [...packs].flatMap(([pack, own]) => [
    `  ${paint('dim', 'no opinion'.padEnd(24))}  ${printable(pack)}: ${counted(own.length, 'rule')}`,
    `${' '.repeat(28)}${paint('dim', printable(own.map(({ id }) => id.slice(pack.length + 1)).join(', ')))}`,
  ])
}

function builtinLine({ builtin }: BuiltinHandler): string {
  switch (builtin.kind) {
    case 'permissions':
      return `${builtin.effect}: ${quotedSome(builtin.entries.map(({ text }) => text))}`
    case 'unrun':
      return `a \`${builtin.type}\` hook`
  }
}

function handlerLines(handler: Handler): readonly string[] {
  if (handler.kind === 'command') return [programText(handler.program)]
  if (handler.kind === 'builtin') return [builtinLine(handler)]
  const facts = Object.entries(handler.facts).map(([name, declaration]) => `${name} = ${factText(declaration)}`)
  const params = handler.changedParams.map((name) => `${name} = ${JSON.stringify(handler.params[name])}`)
  return [
    handler.file,
    ...(facts.length === 0 ? [] : [`facts: ${facts.join(', ')}`]),
    ...(params.length === 0 ? [] : [`params: ${params.join(', ')}`]),
  ]
}

/** Formats a fact's declaration: `json package.json /scripts/test`, `gitBranch`. */
function factText(declaration: FactDeclaration): string {
  return Object.entries(declaration)
    .map(([kind, value], index) => (value === true ? kind : `${index === 0 ? `${kind} ` : ''}${value}`))
    .join(' ')
}

function programText(program: Program): string {
  switch (program.form) {
    case 'shell':
      return firstLine(program.command)
    case 'exec':
      return [program.file, ...program.args].join(' ')
    case 'script':
      return program.file
  }
}

function labelOf(evaluation: Evaluation): { label: string; style: TextStyle; detail: string } {
  switch (evaluation.kind) {
    case 'notApplicable':
      return { label: 'no opinion', style: 'dim', detail: '' }
    case 'indeterminate':
      return { label: evaluation.failure.code, style: 'magenta', detail: evaluation.failure.message }
    case 'applicable': {
      const label = evaluation.effect ?? 'advice'
      const failed = evaluation.failure === undefined ? '' : ` [and failed: ${evaluation.failure.message}]`
      return {
        label,
        style: colours[evaluation.effect ?? 'abstain'],
        detail: `${evaluation.reason ?? ''}${failed}`.trim(),
      }
    }
  }
}

function whyNot(rule: Rule, event: HookEvent, shell: ShellFacts | undefined): string {
  const match = matchRule(rule, event, shell)
  return match.applies ? 'the same hook already runs under another id' : match.why
}

function contextLines({ context, contextTruncatedBytes }: Verdict): readonly string[] {
  if (context === '') return []
  const cut = contextTruncatedBytes === 0 ? [] : [`(${contextTruncatedBytes} bytes were cut off)`]
  return [...context.split('\n'), ...cut]
}

const section = (title: string, lines: readonly string[]) => (lines.length === 0 ? [] : ['', title, ...indented(lines)])
const indented = (lines: readonly string[], by = 2) => lines.map((line) => ' '.repeat(by) + printable(line))
const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
const ms = (duration: number) => `${duration.toFixed(1)} ms`
