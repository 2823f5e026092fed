import { isMissingFact } from '../../model/evaluation.ts'
import { realPath } from '../../files/real-path.ts'
import { withPolicies } from '../../install/with-policies.ts'
import { HookgateError, placeText } from '../../model/errors.ts'
import { localTime } from '../../words/moment.ts'
import { firstLine, printable, quoted, shellWord } from '../../model/text.ts'
import type { DecisionFilter } from '../../record/filter.ts'
import type { DecisionRecord } from '../../record/record.ts'
import { type DecisionReader, openReader, type StoredDecision } from '../../record/read.ts'
import {
  explainDecision,
  type Lifting,
  type ReportedRule,
  type UsedPermission,
  type WhyReport,
} from '../../review/why/report.ts'
import { placesFor, readRules, type RulesPlaces } from '../../rules/index.ts'
import { aboutCall, callWords, toolTitle } from '../../words/call-words.ts'
import { isAtOrBelow } from '../../words/machine-paths.ts'
import { didYouMean } from '../../words/suggest.ts'
import { parseFlags } from '../args/flags.ts'
import { ownPlaces } from '../args/own-places.ts'
import { type Command, type CommandOutput, jsonText, type Paint, printed, usage } from '../command.ts'
import { endedText, quotedCall } from '../text/refusal-text.ts'
import { titleOf } from '../../agents/registry.ts'
import type { Approval } from '../../model/approval.ts'
import type { Decision } from '../../model/effect.ts'
import type { EntryPoint } from '../../model/event.ts'
import type { ToolFacts } from '../../model/tool-facts.ts'
import { cutLine, lineWidth, oneLine, titled, paintFor, shownRule } from '../text/layout.ts'
import { sawLines, stateLines } from '../text/state-text.ts'
import { callLines, words } from '../text/trace.ts'
import { answerIndent, answerLines, colours, wrapped } from '../text/rule-lines.ts'
import type { DecidingPlace } from '../../review/why/deciding-place.ts'
import { liftedBy, noException } from '../../model/refusal.ts'

/** Formats a report for people: the answer, the commands, the rules, what would be without them, what lifts it. */
export function reportText(report: WhyReport, stream: NodeJS.WriteStream = process.stdout): string {
  const paint = paintFor(stream)
  const { without, today, lift, record } = report
  return [
    ...headlines(report, paint),
    '',
    ...eventLines(report),
    ...titled(
      `${record.tool === 'shell' ? 'commands' : 'paths'}${report.facts === null ? '' : ', by today’s files'}`,
      commandLines(report),
    ),
    ...titled('rewritten', rewrittenLines(report)),
    ...titled(
      'rules',
      report.rules.filter(hasNews).flatMap((rule) => reportedRuleLines(rule, paint)),
    ),
    ...titled('what happened before', pastLines(report)),
    ...titled(record.determining.length === 1 ? 'without it' : 'without them', without ? withoutLines(report) : []),
    ...titled('today', todayLines(today, record.decision, permissionOf(report) !== undefined)),
    ...titled('to let it through', lift ? liftLines(lift, report) : []),
    '',
  ].join('\n')
}

const indent = '  '

/** Answers in two lines: what was decided and why, and by which place of which rule. */
function headlines({ record, rules, expressed }: WhyReport, paint: Paint): readonly string[] {
  const { decision, error, told = decision } = record
  const word = error === undefined ? words[decision] : 'refused, since hookgate could not decide'
  const deciding = rules.filter(({ decides }) => decides)
  const [first] = deciding
  const why = error?.message ?? first?.reason ?? first?.failure?.message ?? record.reason
  const lifted = permissionOf({ rules })
  const silent = lifted === undefined ? 'no rule objected' : `a person had allowed it, by \`${lifted}\``
  const text = wrapped('', `${word}: ${firstLine(why) || silent}`)
  const by = deciding.map(({ name, severity, place }) => {
    const where = place && firstPlace(place)
    return `by ${shownRule(name)}${severity === undefined ? '' : `, ${severity}`}${where === undefined ? '' : `, ${where}`}`
  })
  return [
    `${paint(colours[told], text.slice(0, word.length))}${text.slice(word.length)}`,
    ...(expressed === undefined ? [] : [wrapped('', expressed)]),
    ...by.map((line) => wrapped('', line)),
  ]
}

/** Returns the command by which a person had allowed the very call. */
const permissionOf = ({ rules }: { readonly rules: DecisionRecord['evaluations'] }): string | undefined =>
  rules
    .flatMap(({ remarks = [] }) => remarks)
    .find((one) => one.startsWith(liftedBy))
    ?.slice(liftedBy.length)

/** Returns the one place to look at. */
function firstPlace(place: DecidingPlace): string | undefined {
  switch (place.kind) {
    case 'policy':
      return place.lines[0] && placeText(place.lines[0])
    case 'policyFile':
      return placeText(place.place)
    case 'hook':
      return place.files[0]
    case 'entries':
      return place.places[0] && placeText(place.places[0])
    case 'selfProtection':
      return 'which protects hookgate itself'
  }
}

function eventLines({ record, usedUp }: WhyReport): readonly string[] {
  const {
    id,
    refusal,
    at,
    agent,
    session,
    agentId,
    project,
    cwd,
    event,
    tool,
    toolName,
    via,
    approval,
    who: asked,
    onBehalfOf,
  } = record
  const kind = tool === undefined || toolName === tool ? '' : ` (${tool})`
  const called = toolName === undefined ? '' : ` ${toolTitle(toolName)}${kind}`
  const subject = aboutCall(record)
  const what = `${event ?? 'an event that was not understood'}${called}`
  const who = [
    agent === undefined ? 'an unknown agent' : titleOf(agent),
    ...(session === undefined || session === '' ? [] : [`session ${session}`]),
    ...(agentId === undefined ? [] : [`sub-agent ${agentId}`]),
    ways[via],
    ...(asked === undefined ? [] : [`as ${asked}`]),
    ...(onBehalfOf === undefined ? [] : [`for ${onBehalfOf}`]),
  ]
  return [
    wrapped('event    ', subject === '' ? what : `${what}: ${oneLine(subject)}`),
    wrapped('agent    ', who.join(', ')),
    ...(project === undefined ? [] : [wrapped('project  ', cwd === undefined ? project : `${project}, in ${cwd}`)]),
    wrapped(
      'when     ',
      `${localTime(Date.parse(at))}, recorded as ${id}${refusal === undefined ? '' : `, refusal ${refusal}`}`,
    ),
    ...(usedUp === undefined
      ? []
      : [
          wrapped(
            'before   ',
            `${quoted(usedUp.by)} let this call through at ${localTime(Date.parse(usedUp.at))}, and is used up`,
          ),
        ]),
    ...(approval === undefined ? [] : [wrapped('person   ', approvalText(approval))]),
  ]
}

const approvalText = (approval: Approval) =>
  `${endedText(approval)}${approval.reason === undefined ? '' : `: ${firstLine(approval.reason)}`}`

const ways: Readonly<Record<EntryPoint, string>> = {
  client: 'by its hook',
  http: 'by its HTTP hook',
  run: 'by `hookgate run`',
  library: 'by a program that uses the library',
  remote: 'from another machine',
}

function commandLines({ record, rules, facts, factsMissing }: WhyReport): readonly string[] {
  const missing = factsMissing === undefined ? [] : [wrapped(indent, factsMissing)]
  if (facts === null) return missing
  const own = rules.filter(({ rewritten }) => rewritten !== true)
  return [...factLines(record.tool === 'shell', facts, own), ...missing]
}

/** Shows what rules made of the call, and who. */
function rewrittenLines({ record: { rewritten }, rules, rewrittenFacts }: WhyReport): readonly string[] {
  if (rewritten === undefined) return []
  const { by, tool } = rewritten
  const what = oneLine(callWords(rewritten))
  const own = rules.filter((one) => one.rewritten === true)
  return [
    ...[what, `by ${by.join(', ')}`].map((line) => wrapped(indent, line)),
    ...(rewrittenFacts === undefined ? [] : factLines(tool === 'shell', rewrittenFacts, own)),
  ]
}

function factLines(isShell: boolean, facts: ToolFacts, rules: WhyReport['rules']): readonly string[] {
  const remarks = rules.map(({ effect = 'failed', name: rule, severity, commands, observed }) => ({
    effect,
    rule,
    severity,
    commands,
    observed,
  }))
  return callLines(isShell, facts, remarks)
}

/** False for a rule without an opinion that only misses facts. */
const hasNews = ({ effect, reason, failure, remarks = [] }: ReportedRule): boolean =>
  effect !== undefined || reason !== undefined || failure !== undefined || !remarks.every(isMissingFact)

function reportedRuleLines(rule: ReportedRule, paint: Paint): readonly string[] {
  const {
    ruleId,
    effect,
    reason,
    failure,
    observed = false,
    rewritten,
    severity,
    remarks = [],
    source,
    place,
    facts = [],
  } = rule
  const silent = reason === undefined ? 'no opinion' : 'changed'
  const said = effect ?? (failure === undefined ? silent : 'failed')
  const style = effect === undefined && failure !== undefined ? 'magenta' : colours[effect ?? 'abstain']
  const texts = [
    ...(rewritten === true ? ['of the rewritten call'] : []),
    ...(observed ? ['only observed: this did not count'] : []),
    ...(reason === undefined ? [] : [reason]),
    ...(failure === undefined ? [] : [`${failure.code}: ${failure.message}`]),
    ...remarks,
  ]
  const details = [
    ...(place === undefined ? [] : placeLines(place)),
    ...facts.map(({ name, declared, value }) => `fact ${name} (${declared}) is today: ${value}`),
    ...(place?.kind === 'selfProtection' ? [] : [sourceText(source)]),
    `took ${rule.durationMs.toFixed(rule.durationMs < 0.1 ? 2 : 1)} ms`,
  ]
  return answerLines({ said, style, observed, ruleId, severity, texts, details }, paint)
}

const sourceText = (source: ReportedRule['source']) =>
  source === undefined ? 'no rule of today has this id' : `from ${placeText(source)} (${source.scope})`

function placeLines(place: DecidingPlace): readonly string[] {
  switch (place.kind) {
    case 'policy':
      return place.lines.flatMap((line, index) => [
        `${index === 0 ? 'decided at' : 'and at'} ${placeText(line)}`,
        cutLine(line.text, lineWidth - answerIndent.length),
      ])
    case 'policyFile':
      return [`decided in ${placeText(place.place)}; the line is not known: ${place.why}`]
    case 'hook':
      return place.files.length === 0 ? [] : [`decided by ${place.files.join(', ')}`]
    case 'entries':
      return [`decided by the entry at ${place.places.map(placeText).join(', ')}`]
    case 'selfProtection':
      return []
  }
}

/** Says what would have been decided. */
const pastWords: Readonly<Record<Exclude<Decision, 'abstain'>, string>> = {
  deny: 'it would have been denied',
  defer: 'it would have been deferred',
  ask: 'a person would have been asked',
  allow: 'it would have been allowed',
}

function withoutLines({ without }: WhyReport): readonly string[] {
  if (without === null) return []
  const { decision, rules, isCertain } = without
  const text =
    decision === 'abstain'
      ? 'no other rule objected, so the agent’s own permissions would have decided'
      : `${pastWords[decision]}, by ${rules.join(', ')}`
  const doubt = isCertain ? '' : '; not everything that matters for this is recorded'
  return [wrapped(indent, `${text}${doubt}`)]
}

function todayLines(
  { rulesChanged, decision, reason = '', unknown, hooksUnknown }: WhyReport['today'],
  was: Decision,
  wasAllowed: boolean,
) {
  const lines: string[] = []
  if (rulesChanged === true) {
    lines.push('other rules are in force now than then; places and sources above are those of today’s rules')
  }
  const why = firstLine(reason) === '' ? '' : `: ${firstLine(reason)}`
  if (decision !== undefined && decision !== was) {
    const now = wasAllowed ? 'decided now, without what a person allowed then' : 'decided now'
    const isSame = rulesChanged !== true && !wasAllowed
    const cause = isSame ? ', though the rules are the same: what they look at has changed' : ''
    lines.push(`${now}, it would be ${quoted(decision)}${cause}${why}`)
  } else if (decision !== undefined && rulesChanged === true) lines.push(`decided now, it would be the same${why}`)
  else if (decision === undefined && rulesChanged !== false) lines.push(`it was not decided again: ${unknown ?? ''}`)
  if (lines.length > 0 && hooksUnknown !== undefined) {
    lines.push(`hooks are not run for this, and nothing is recorded of ${hooksUnknown.join(', ')}`)
  }
  return lines.map((line) => wrapped(indent, line))
}

/** Says how a person can let a call through, or why not. */
function liftLines({ id, rules }: Lifting, { states, record }: WhyReport): readonly string[] {
  const hindered = Map.groupBy(rules, ({ obstacle }) => obstacle)
  const obstacles = [...hindered].flatMap(([obstacle, some]) =>
    obstacle === undefined ? [] : [`${some.map(({ name }) => name).join(', ')}: ${obstacle}`],
  )
  if (obstacles.length > 0) return obstacles.map((line) => wrapped('  ', `it cannot be lifted here: ${line}`))
  if (rules.length === 0) return ['  nothing has to be lifted: no rule of today objects']
  const exceptions = rules.flatMap((rule) => rule.exceptions ?? [])
  const isDescribed = rules.every((rule) => rule.exceptions !== undefined)
  return [
    ...(id === undefined
      ? ['  it is no longer kept for `hookgate allow`; have the agent try again, or write the exception']
      : [`  hookgate allow ${id} --once       this very call, one time`]),
    ...(id === undefined || !isDescribed
      ? []
      : [`  hookgate allow ${id} --session    this exception, until the session ends (or --until DATE, or --always):`]),
    ...(isDescribed ? [] : [wrapped('  ', `no exception: ${noException}`)]),
    ...(isDescribed ? exceptions : []).map((one) => {
      const subject = one.command === undefined ? `path ${one.path ?? ''}` : `command ${one.command}`
      return wrapped('      ', printable(`rule ${one.rule}, ${subject}, project ${one.project}`))
    }),
    ...limitsOf(rules, states).map(
      (name) =>
        `  hookgate state ${shellWord(record.session ?? '')} --clear ${shellWord(name)}   for all such calls: its count begins anew`,
    ),
    ...(id === undefined ? [] : ['  A person has to do it, in a terminal.']),
  ]
}

/** Returns the limits whose counts a person can have begin anew, if nothing but limits objects. */
function limitsOf(rules: Lifting['rules'], states: WhyReport['states'] = []): readonly string[] {
  const limits = new Set(
    typeof states === 'string' ? [] : states.flatMap(({ kind, rule }) => (kind === 'limit' ? rule : [])),
  )
  return rules.every(({ name }) => limits.has(name)) ? rules.map(({ name }) => name) : []
}

export const whyCommand: Command = {
  help: `hookgate why: why something was refused

  hookgate why [options] [ID]

Without ID, explains the last refusal or question of this folder, of those below it and those above. ID is the id that
the reason of a refusal ends with, or the beginning of the id of any recorded decision.

Says what was decided and what the agent was told, which commands the call meant, what each rule said of them, and the
place that decided: the line of a policy (found by evaluating it once more in its sandbox), the script of a hook, the
entry of a permission list. Then what would have been decided without it, and how a person can let it through. Facts
about files and branches are read today; what rules have counted is what it was when they decided. If other rules are in
force than then, it says so, and what they would decide.

It changes nothing, and runs no hooks.

  --rules PATH              explain by these rules too, as \`hookgate run\` takes them; repeatable
  --no-discover             only by --rules: not by the managed, user and workspace rules
  --trust-workspace         as if the workspace were trusted
  --json                    the report as one JSON object: record, rules, facts, states, without,
                            today, lift

  hookgate why
  hookgate why k3x7qd
`,
  async run(invocation): Promise<CommandOutput> {
    const { values, positionals } = parseFlags('why', invocation.argv, flags, true)
    const [id, ...rest] = positionals
    if (rest.length > 0) throw usage('it takes one id', 'why')
    const { env, cwd } = invocation
    const own = ownPlaces(env)
    const places = placesFor({
      explicit: values.rules ?? [],
      discover: values['no-discover'] !== true,
      trustWorkspace: values['trust-workspace'] === true,
      cwd,
      env,
      stateFolder: own.folder,
    })
    const found = foundIn(own.decisions, id, cwd)
    if (found === undefined) {
      const text = await nothingText(places, cwd)
      return printed(values.json === true ? jsonText({ nothing: text }, 2) : `${text}\n`)
    }
    const report = await explainDecision(found.decision, { rules: places, own, env, usedUp: found.usedUp })
    return printed(values.json === true ? jsonText(report, 2) : reportText(report))
  },
}

const flags = {
  rules: { type: 'string', multiple: true },
  'no-discover': { type: 'boolean' },
  'trust-workspace': { type: 'boolean' },
  json: { type: 'boolean' },
} as const

function pastLines({ states = [], record: { saw } }: WhyReport): readonly string[] {
  // What it was for this call is in the record: secrets are forgotten with their session.
  const folded =
    typeof states === 'string' ? [`  ${states}`] : stateLines(states.filter(({ kind }) => kind !== 'reused'))
  return [...folded, ...(saw === undefined ? [] : sawLines(saw))]
}

/** @throws HookgateError `usage` if there is no such id, `unavailable` if the record cannot be read */
function foundIn(file: string, id: string | undefined, cwd: string): FoundDecision | undefined {
  const reader = openReader(file)
  try {
    if (reader !== undefined) {
      const decision = id === undefined ? lastRefusal(reader, cwd) : decisionNamed(reader, id)
      return decision && { decision, usedUp: usedPermission(reader, decision) }
    }
    if (id === undefined) return undefined
    throw new HookgateError('usage', `there is no decision \`${id}\`: nothing is recorded yet`, { place: { file } })
  } finally {
    reader?.close()
  }
}

interface FoundDecision {
  readonly decision: StoredDecision
  readonly usedUp: UsedPermission | undefined
}

/** Finds what let the same call of the same session through before it was refused or asked about: a person may wonder. */
function usedPermission(reader: DecisionReader, { seq, record }: StoredDecision): UsedPermission | undefined {
  const { session, event, refusal } = record
  if (refusal === undefined || session === undefined || event === undefined) return undefined
  const before = [...reader.rows({ session, event, beforeSeq: seq, decisions: ['allow', 'abstain'] }, whyDecisionsMax)]
  for (const { record: one } of before.toReversed()) {
    const by = permissionOf({ rules: one.evaluations })
    if (by !== undefined && endsWithUse.test(by) && callOf(one) === callOf(record)) return { by, at: one.at }
  }
  return undefined
}

/** The flags of `hookgate allow` that let a call through a number of times. */
const endsWithUse = / --(?:once|times)\b/

const callOf = ({ tool, toolName, subject, input, project, cwd }: DecisionRecord) =>
  JSON.stringify([tool, toolName, subject, input, project, cwd])

/** Says that nothing was refused, or that it would not be known. */
function nothingText(places: RulesPlaces, cwd: string): Promise<string> {
  return withPolicies(async (policies) => {
    const { errors, ruleSet } = await readRules(places, [cwd], policies)
    return errors.length === 0 && ruleSet.record.level === 'off'
      ? 'nothing is known of decisions in this folder: the record is off ("record": "off" in the rules)'
      : 'nothing was refused or asked about in this folder yet'
  })
}

/** Refusals and questions, the latest, among which `hookgate why` looks for those of a folder. */
const whyDecisionsMax = 2000

/** Refusals in a list: those that a person still remembers. */
const listed = 10

/** Returns the last refusal or question in a folder, in those below it and those above; `undefined` if there is none. */
function lastRefusal(reader: DecisionReader, cwd: string): StoredDecision | undefined {
  const here = realPath(cwd)
  const isHere = ({ record: { project = '' } }: StoredDecision) => {
    const there = realPath(project)
    return isAtOrBelow(here, there) || isAtOrBelow(there, here)
  }
  // A person asks about the call: a refused end of the session came after it, and is seldom what they mean.
  return lastRefusals(reader, { event: 'PreToolUse' }).findLast(isHere) ?? lastRefusals(reader).findLast(isHere)
}

const lastRefusals = (reader: DecisionReader, filter: DecisionFilter = {}): readonly StoredDecision[] => [
  ...reader.rows({ ...filter, decisions: ['deny', 'ask', 'defer'] }, whyDecisionsMax),
]

/**
 * Finds a decision by the id of its refusal, or by the beginning of its own.
 *
 * @throws HookgateError `usage` if there is none
 */
function decisionNamed(reader: DecisionReader, id: string): StoredDecision {
  const wanted = id.trim().toLowerCase()
  const found = reader.find(wanted)
  if (found !== undefined) return found
  const last = lastRefusals(reader).slice(-listed).toReversed()
  const near = didYouMean(
    wanted,
    last.flatMap(({ record }) => record.refusal ?? []),
  )
  const list = last.map(lineOf).join('\n')
  const remedy = list === '' ? 'the reason of a refusal ends with its id' : `take one of these:\n${list}`
  const message = `no decision that is recorded has the id ${quoted(id)}`
  throw new HookgateError('usage', message, { remedy: near === undefined ? remedy : `${near} ${remedy}` })
}

/** Formats a decision in one line: its id, when, what. */
function lineOf({ record }: StoredDecision): string {
  const { id, refusal, at, decision, toolName = record.event ?? '', determining } = record
  const what = decision === 'deny' ? 'refused' : 'asked'
  const names = determining.slice(0, 3).map(shownRule).join(', ')
  return printable(
    `${refusal ?? id}  ${localTime(Date.parse(at))}  ${what.padEnd(7)}  ${quotedCall({ toolName, subject: aboutCall(record) })}  ${names}`,
  )
}
