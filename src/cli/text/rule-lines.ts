import { counted } from '../../words/counted.ts'
import { timeoutOf } from '../../hooks/hook-process.ts'
import type { BundleState } from '../../model/bundle-settings.ts'
import type { Decision, Severity } from '../../model/effect.ts'
import { type Evaluation, isMissingFact } from '../../model/evaluation.ts'
import { limits } from '../../model/limits.ts'
import { type BuiltinHandler, type SessionLimit, type CommandRule, isCommandRule, type Rule } from '../../model/rule.ts'
import { printable, quotedSome, listOf } from '../../model/text.ts'
import type { Verdict } from '../../model/verdict.ts'
import { programText, serverText } from '../../rules/asked-text.ts'
import { factText } from '../../words/policy-declarations.ts'
import { localTime } from '../../words/moment.ts'
import type { CommandOutput, Invocation, Paint, TextStyle } from '../command.ts'
import { explainedColumn } from './layout.ts'
import { noRulesRemedy, rulesAt, type RulesHere } from '../../install/rules-here.ts'
import type { GatePaths } from '../../files/state/places.ts'
import type { DecisionReader } from '../../record/read.ts'

/** A rule of a plan with what it answered. */
export interface AnsweredRule {
  readonly rule: Rule
  readonly evaluation: Evaluation
}

/** Pairs each rule of a plan with its answers. */
export const answeredRules = (
  planned: readonly Rule[],
  { evaluations }: Pick<Verdict, 'evaluations'>,
): readonly AnsweredRule[] =>
  planned.flatMap((rule) =>
    evaluations.filter(({ ruleId }) => ruleId === rule.id).map((evaluation) => ({ rule, evaluation })),
  )

/** Returns true for a rule with neither an opinion nor anything else to report. */
export const isSilent = ({ evaluation: { kind, remarks = [] } }: AnsweredRule): boolean =>
  kind === 'notApplicable' && remarks.every(isMissingFact)

export const colours: Record<Decision, TextStyle> = {
  deny: 'red',
  defer: 'yellow',
  ask: 'yellow',
  allow: 'green',
  abstain: 'dim',
}

/**
 * Formats a rule's answer, its reason, where the rule comes from, and how long it may take.
 *
 * @param timeoutMs timeout for hooks that name none
 */
export function ruleLines({ rule, evaluation }: AnsweredRule, paint: Paint, timeoutMs: number): readonly string[] {
  const { label: said, style, detail } = labelOf(evaluation)
  const { observed = false, remarks = [], severity } = evaluation
  const onFailure = evaluation.kind === 'indeterminate' ? ` (onFailure: ${rule.onFailure})` : ''
  const texts = [
    ...(observed && said !== 'no opinion' ? ['only observed: this does not count'] : []),
    ...(detail === '' ? [] : [`${detail}${onFailure}`]),
    ...remarks,
  ]
  const details = [...sourceLines(rule), ...timeoutLines(rule, timeoutMs)]
  return answerLines({ said, style, observed, ruleId: rule.id, severity, texts, details }, paint)
}

/** A rule's answer as it is shown. */
interface ShownAnswer {
  readonly said: string
  readonly style: TextStyle
  /** True if it does not count. */
  readonly observed: boolean
  readonly ruleId: string
  readonly severity: Severity | undefined
  readonly texts: readonly string[]
  /** Its source and its duration. */
  readonly details: readonly string[]
}

/** Formats the answer of a rule, its texts, and its details less visibly. */
export function answerLines(
  { said, style, observed, ruleId, severity, texts, details }: ShownAnswer,
  paint: Paint,
): readonly string[] {
  const label = (observed ? `(${said})` : said).padEnd(labelWidth)
  return [
    `  ${paint(style, label)}  ${printable(ruleId)}${severity === undefined ? '' : `, ${severity}`}`,
    ...texts.map((text) => wrapped(answerIndent, text)),
    ...details.map((text) => paint('dim', wrapped(answerIndent, text))),
  ]
}
/** Width of the longest effect, and of `no opinion`. */
const labelWidth = 10
/** Indents what is said of an answer below its rule. */
export const answerIndent = ' '.repeat(labelWidth + 4)

/** Lists the silent rules, those of a pack together. */
export function silentLines(silent: readonly AnsweredRule[], paint: Paint, timeoutMs: number): readonly string[] {
  const packs = Map.groupBy(silent, ({ rule: { id, handler } }) =>
    handler.kind === 'policy' && id.endsWith(`/${handler.policy}`) ? id.slice(0, id.lastIndexOf('/')) : id,
  )
  const label = `  ${paint('dim', 'no opinion')}  `
  return [...packs].flatMap(([pack, own]) => {
    const names = own.map(({ rule: { id } }) => id.slice(pack.length + 1)).filter((name) => name !== '')
    if (names.length === 0) {
      const timeouts = own.flatMap(({ rule }) => timeoutLines(rule, timeoutMs)).slice(0, 1)
      return [`${label}${printable(pack)}`].concat(timeouts.map((text) => paint('dim', wrapped(answerIndent, text))))
    }
    return [
      `${label}${printable(pack)}: ${counted(own.length, 'rule')}`,
      paint('dim', wrapped(answerIndent, names.join(', '))),
    ]
  })
}

/** Formats a text from outside, each of its lines indented and wrapped: none can pass for a line of the report. */
export const wrapped = (indent: string, text: string): string =>
  printable(text)
    .split('\n')
    .map((line) => explainedColumn(indent, line))
    .join('\n')

function sourceLines({ source, handler }: Rule): readonly string[] {
  const from = `from ${source.file}`
  switch (handler.kind) {
    case 'command':
      return [`${from}: ${programText(handler.program)}`]
    case 'builtin':
      return [`${from}: ${builtinText(handler.builtin)}`]
    case 'remote':
      return [`${from}: ${serverText(handler)}`]
    case 'policy': {
      const facts = Object.entries(handler.facts).map(([name, declaration]) => `${name} = ${factText(declaration)}`)
      const params = handler.changedParams.map((name) => `${name} = ${JSON.stringify(handler.params[name])}`)
      return [
        handler.file === source.file ? from : `${from}: ${handler.file}`,
        ...(facts.length === 0 ? [] : [`facts: ${facts.join(', ')}`]),
        ...(params.length === 0 ? [] : [`params: ${params.join(', ')}`]),
      ]
    }
  }
}

const timeoutLines = (rule: Rule, timeoutMs: number) => (isCommandRule(rule) ? [timeoutText(rule, timeoutMs)] : [])

function builtinText(builtin: BuiltinHandler['builtin']): string {
  switch (builtin.kind) {
    case 'permissions':
      return `${builtin.effect} ${quotedSome(builtin.entries.map(({ text }) => text))}`
    case 'unsupported':
      return `a ${builtin.what}`
    case 'self-protection':
      return 'a call cannot change, reconfigure or end hookgate'
    case 'limit':
      return limitText(builtin)
    case 'tokens':
      return `at most ${builtin.most} tokens of a ${builtin.per}, then ${builtin.then}`
    case 'stale-bundle':
      return builtin.reason
  }
}

/** Says what a limit is about: `3 times refused, then deny`. */
const limitText = ({ what, most, within, of, then }: SessionLimit): string => {
  const names = [of.tool, of.command, of.host].flatMap((one) => (one === undefined ? [] : listOf(one)))
  const time = within === undefined ? '' : ` within ${within}`
  switch (what) {
    case 'calls':
      return `at most ${most} calls of ${quotedSome(names)}${time}, then ${then}`
    case 'atOnce':
      return `at most ${most} calls of ${quotedSome(names)} at once, then ${then}`
    case 'refused':
    case 'failed':
    case 'repeated':
      return `the same call ${what} ${most} times, then ${then}`
  }
}

function labelOf(evaluation: Evaluation): { label: string; style: TextStyle; detail: string } {
  switch (evaluation.kind) {
    case 'notApplicable':
      return { label: 'no opinion', style: 'dim', detail: '' }
    case 'indeterminate':
      return {
        label: 'failed',
        style: 'magenta',
        detail: `${evaluation.failure.code}: ${evaluation.failure.message}`,
      }
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

/**
 * Says how long a hook may take, and who says so.
 *
 * @param defaultMs timeout of hooks for which neither they nor their agent names one
 */
export function timeoutText(rule: CommandRule, defaultMs: number): string {
  const timeout = `timeout ${timeoutOf(rule, defaultMs) / 1000} s`
  if (rule.timeoutMs === undefined)
    return `${timeout}, ${defaultMs === limits.hookTimeoutMs || rule.handler.async ? 'hookgate’s default' : 'of `--timeout`'}`
  return rule.timeoutMs === rule.hostTimeoutMs ? `${timeout}, Claude Code’s default` : `${timeout}, its own`
}

/** Says what is in force of a signed bundle, and how fresh it is. */
export function bundleLines({ channel, freshness, problem, release, freshUntilMs, switched }: BundleState): string[] {
  const until = freshUntilMs === undefined ? '' : localTime(freshUntilMs)
  const word = { fresh: `fresh, until ${until}`, stale: `stale since ${until}`, missing: 'missing' }[freshness]
  const older = release?.isNewest === false ? ', the release before the newest one' : ''
  const what =
    release === undefined
      ? freshness === 'missing'
        ? 'nothing is in force'
        : 'no release is for this machine'
      : `${release.name} ${release.revision}, ${release.mode}${older}`
  return [
    `  bundle     ${what} (channel ${channel}, ${word})`,
    ...(problem === undefined ? [] : [`  problem    ${problem}`]),
    ...switched.map((line) => `  switch     ${line}`),
  ]
}

/** Loads the rules that apply in the working folder; if the folder was removed, the rules that apply everywhere. */
export async function rulesHere(invocation: Pick<Invocation, 'env' | 'cwd'>): Promise<RulesHere> {
  const cwd = workingFolder(invocation)
  return rulesAt({ env: invocation.env, cwd: cwd ?? '/' }, cwd === undefined ? [] : [cwd])
}

/** Returns the working folder; `undefined` if it was removed. */
export function workingFolder(invocation: Pick<Invocation, 'cwd'>): string | undefined {
  try {
    return invocation.cwd
  } catch {
    return undefined
  }
}

/**
 * Returns lines to print before all others, if nothing is checked or the rules only observe.
 *
 * @param file the rules file in which rules are to be written; `undefined` if none is searched
 */
export function protectionLines({
  protection,
  switchedOff,
  selfProtectionOff,
  file,
  managedFile,
  bundle,
}: Pick<RulesHere, 'protection' | 'switchedOff' | 'selfProtectionOff' | 'managedFile'> & {
  readonly file: string | undefined
  readonly bundle?: RulesHere['bundle']
}): readonly string[] {
  switch (protection) {
    case 'none': {
      const why = switchedOff.length > 0 ? switchedOff.join('; ') : noRulesRemedy({ file, managedFile, bundle })
      return [printable(`nothing is checked: no rules are in force; ${why}`)]
    }
    case 'observe':
      return [
        `the rules only observe: nothing${selfProtectionOff === undefined ? ' but changes to hookgate itself' : ''} is refused`,
      ]
    case 'enforce':
    case undefined:
      return []
  }
}

const emptyRecordText = `nothing is recorded yet: the record begins with the first call that an agent asks hookgate about, unless
\`"record": "off"\` is set; \`hookgate status --all\` says which agents ask
`

/**
 * Says that there is no record.
 *
 * @param isQuiet true if a program reads stdout
 * @param problem why nothing can be recorded, as `recordingNote` says it
 */
export const nothingRecorded = (isQuiet: boolean, problem = ''): CommandOutput => ({
  stdout: isQuiet ? '' : emptyRecordText,
  stderr: (isQuiet ? emptyRecordText : '') + problem,
  exitCode: 0,
})

/** Says that nothing can be recorded now, and why; empty if nothing is in the way. */
export async function recordingNote(places: GatePaths): Promise<string> {
  const { lossRemedy, recordingProblem } = await import('../../service/server/record-health.ts')
  const problem = await recordingProblem(places)
  return problem === undefined ? '' : `hookgate: nothing can be recorded now: ${printable(problem)}; ${lossRemedy}\n`
}

/** Says how many decisions could not be recorded or read; empty if none. */
export function readingNotes(reader: Pick<DecisionReader, 'lost' | 'unreadable'>): string {
  const lost = reader.lost()
  const { unreadable } = reader
  return [
    ...(lost === 0 ? [] : [`${counted(lost, 'decision')} could not be recorded: docs/record.md says when that is so`]),
    ...(unreadable === 0 ? [] : [`${counted(unreadable, 'row')} of the record cannot be read: \`--verify\` checks it`]),
  ]
    .map((line) => `hookgate: ${line}\n`)
    .join('')
}
