import { counted } from '../../words/counted.ts'
import { hostname } from 'node:os'
import { titleOf } from '../../agents/registry.ts'
import { userName } from '../../files/home-folder.ts'
import { deviceId } from '../../record/export/resource.ts'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Decision, restricts } from '../../model/effect.ts'
import { HookgateError } from '../../model/errors.ts'
import { EventName } from '../../model/event.ts'
import { callWords } from '../../words/call-words.ts'
import { localMoment } from '../../words/moment.ts'
import { choiceOf, firstLine, printable, quoted } from '../../model/text.ts'
import { chainFaults, headText } from '../../record/chain.ts'
import { endedTurn, type DecisionFilter } from '../../record/filter.ts'
import { type DecisionReader, openLatestReader, openReader, type StoredDecision } from '../../record/read.ts'
import type { CallResult, DecisionRecord, RecordedEvaluation } from '../../record/record.ts'
import { verify as checked } from '../../record/verification.ts'
import { agentList, agentOf, momentIn, parseFlags } from '../args/flags.ts'
import { ownPlaces } from '../args/own-places.ts'
import { type Command, type CommandOutput, type Invocation, jsonText, printed, usage } from '../command.ts'
import { cutLine, explainedColumn, lineWidth, oneLine, wrappedLine, paintFor, shownRule } from '../text/layout.ts'
import { colours, nothingRecorded, readingNotes, recordingNote } from '../text/rule-lines.ts'
import { endedText } from '../text/refusal-text.ts'

const usualLimit = 50
/** Text that is written at once. */
const chunkCharacters = 64 * 1024

export const logCommand: Command = {
  help: `hookgate log: what was decided

  hookgate log [options]

Prints the last ${usualLimit} decisions of this machine's record, newest last: when in local time, which agent, the
answer, the tool and what it was called with, and how the call ended if it ran. \`asked→refused\` means that hookgate
asked, and the agent, which cannot ask, got a refusal; \`passed\` that no rule objected, and \`ended\` that one ended the
turn. Below a refusal or a question stand its rules and the id for \`hookgate allow\`; below any decision the rules that
failed, and those in observe mode that would have refused.
Other events than calls are listed where a rule answered or failed; --event lists all of one kind.

  --since WHEN          from then on: how long ago (2h, 4w), \`yesterday\`, a day (2026-11-01) or ISO 8601, local
  --until WHEN          up to then; of a day, its end
${explainedColumn('  --agent NAME          ', agentList)}
  --session ID          of that session
  --project PATH        of that folder and those below it; default: all
  --rule TEXT           with a rule that answered or failed, whose id has this text
  --decision WORDS      one or more, separated by commas. As decided: deny, defer, ask, allow, abstain. As the agent got
                        it: refused or denied, asked, allowed, passed, ended. Whatever the answer: observed (by a rule
                        in observe mode that would have refused or asked), failed (a rule, or hookgate itself)
  --event NAME          of that event, with those that passed: PostToolUse, SessionStart, …; \`all\` lists every event
  --tool NAME           a kind of tool (shell, read, write, edit, …) or the agent's name for one
  --text TEXT           with this text in the command, path, URL, input or reason
  --limit N             the last N (default: ${usualLimit}), or \`all\`
  --follow              go on with each new decision, until Ctrl-C
  --json                one JSON object a line; \`hookgate schema decision\` prints its JSON Schema
  --format ocsf         one event a line in the Open Cybersecurity Schema Framework: refusals as Detection Findings,
                        other decisions as Process, File System, HTTP or API Activity

  hookgate log --verify [--expect SEQ:HASH]

Checks the chain of hashes over all rows: prints how many there are and the head, or names the first row that was
changed, removed or inserted, and exits with 1. With --expect, a head that you kept elsewhere, that row must still
have that hash. docs/record.md says what this proves, and what not.

If nothing can be recorded at the moment (the disk is full, say), stderr says so, and why.

  hookgate log --since 2h --decision refused,asked
  hookgate log --project . --follow
  hookgate log --since 2026-11-01 --limit all --json
  hookgate log --follow --format ocsf
`,
  async run(invocation) {
    const { values } = parseFlags('log', invocation.argv, flags)
    const places = ownPlaces(invocation.env)
    const file = places.decisions
    if (values.verify === true || values.expect !== undefined) return verify(file, values)
    const filter = filterOf(values, invocation, Date.now())
    const last = limitOf(values.limit)
    const { lines, isJson } = await formatOf(values, file)
    const problem = await recordingNote(places)
    if (values.follow === true) {
      process.stderr.write(problem)
      return follow(file, filter, last, (one) => invocation.writeOut(lines(one)))
    }
    const reader = openReader(file)
    if (reader === undefined) return nothingRecorded(isJson, problem)
    try {
      const shown = printedRows(reader, reader.rows(filter, last), lines, invocation.writeOut)
      return { ...shown, stderr: shown.stderr + problem }
    } finally {
      reader.close()
    }
  },
}

const flags = {
  since: { type: 'string' },
  until: { type: 'string' },
  agent: { type: 'string' },
  session: { type: 'string' },
  project: { type: 'string' },
  rule: { type: 'string' },
  decision: { type: 'string', multiple: true },
  event: { type: 'string' },
  tool: { type: 'string' },
  text: { type: 'string' },
  limit: { type: 'string' },
  follow: { type: 'boolean' },
  json: { type: 'boolean' },
  format: { type: 'string' },
  verify: { type: 'boolean' },
  expect: { type: 'string' },
} as const

type FilterValues = Partial<Readonly<Record<'since' | 'until' | 'agent' | 'project' | 'event', string>>> &
  Pick<DecisionFilter, 'session' | 'rule' | 'tool' | 'text'> & { readonly decision?: readonly string[] }

/** @throws HookgateError `usage` */
function filterOf(values: FilterValues, { cwd }: Pick<Invocation, 'cwd'>, nowMs: number): DecisionFilter {
  const { since, until, agent, session, project, rule, tool, text, decision, event } = values
  return {
    sinceMs: momentIn('log', 'since', since, nowMs),
    untilMs: momentIn('log', 'until', until, nowMs),
    agent: agentOf(agent),
    session,
    project: project === undefined ? undefined : resolve(cwd, project),
    rule,
    tool,
    text,
    ...eventIn(event),
    ...decisionsIn((decision ?? []).flatMap((words) => words.split(','))),
  }
}

/** @throws HookgateError `usage` */
function eventIn(text: string | undefined): Pick<DecisionFilter, 'listed' | 'event'> {
  if (text === undefined) return { listed: true }
  if (text === 'all') return {}
  const event = EventName.safeParse(text).data
  if (event !== undefined) return { event }
  throw usage(`--event must be ${choiceOf([...EventName.options, 'all'])}, not ${quoted(text)}`, 'log')
}

const words: Readonly<Record<string, Pick<DecisionFilter, 'decisions' | 'outcomes' | 'marks'>>> = {
  ...Object.fromEntries(Decision.options.map((decision) => [decision, { decisions: [decision] }])),
  refused: { outcomes: ['deny'] },
  denied: { outcomes: ['deny'] },
  asked: { outcomes: ['ask', 'defer'] },
  allowed: { outcomes: ['allow'] },
  passed: { marks: ['passed'] },
  ended: { marks: ['ended'] },
  observed: { marks: ['observed'] },
  failed: { marks: ['failed'] },
}

function decisionsIn(asked: readonly string[]): Pick<DecisionFilter, 'decisions' | 'outcomes' | 'marks'> {
  const filters = asked.map((word) => {
    const filter = Object.hasOwn(words, word) ? words[word] : undefined
    if (filter !== undefined) return filter
    throw usage(`--decision must be ${choiceOf(Object.keys(words))}, not ${quoted(word)}`, 'log')
  })
  return {
    decisions: filters.flatMap(({ decisions = [] }) => decisions),
    outcomes: filters.flatMap(({ outcomes = [] }) => outcomes),
    marks: filters.flatMap(({ marks = [] }) => marks),
  }
}

function limitOf(text: string | undefined): number | undefined {
  if (text === undefined) return usualLimit
  if (text === 'all') return undefined
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw usage(`--limit must be a whole number above 0 or \`all\`, not ${quoted(text)}`, 'log')
}

interface LogFormat {
  readonly lines: (one: StoredDecision) => string
  readonly isJson: boolean
}

/** @throws HookgateError `usage` */
async function formatOf(
  { json = false, format }: { readonly json?: boolean; readonly format?: string },
  file: string,
): Promise<LogFormat> {
  if (format === undefined) {
    return { lines: json ? jsonLine : decisionLines(lineWidthOf(process.stdout)), isJson: json }
  }
  if (format !== 'ocsf') throw usage(`--format must be \`ocsf\`, not ${quoted(format)}`, 'log')
  if (json) throw usage('--format ocsf stands without --json', 'log')
  const { ocsfEvent } = await import('../../record/ocsf/event.ts')
  const origin = { hostname: hostname(), device: deviceId(file), user: userName(), titleOf }
  return { lines: (one) => jsonText(ocsfEvent(one, origin)), isJson: true }
}

const jsonLine = ({ seq, record, ran }: StoredDecision) => jsonText({ seq, ...record, ...(ran && { ran }) })

/** Writes rows as they are read: there may be more than a string can hold. */
function printedRows(
  reader: DecisionReader,
  rows: Iterable<StoredDecision>,
  lines: (one: StoredDecision) => string,
  writeOut: Invocation['writeOut'],
): CommandOutput {
  let text = ''
  let isEmpty = true
  for (const one of rows) {
    isEmpty = false
    text += lines(one)
    if (text.length < chunkCharacters) continue
    // The reader has what it wanted: `| head`.
    if (!writeOut(text)) return { stdout: '', stderr: '', exitCode: 0 }
    text = ''
  }
  return {
    stdout: text,
    stderr: (isEmpty ? 'hookgate: no recorded decision matches\n' : '') + readingNotes(reader),
    exitCode: 0,
  }
}

/** Checks the chain of the record, and a head that was kept elsewhere against it. */
function verify(file: string, { expect }: { readonly expect?: string }): CommandOutput {
  const kept = expect === undefined ? undefined : keptHead(expect)
  const reader = openReader(file)
  if (reader === undefined)
    return kept === undefined ? nothingRecorded(false) : printed('broken: nothing is recorded\n', 1)
  try {
    const check = checked(reader, file)
    if (check.kind === 'broken') {
      const id = check.id === undefined ? '' : ` (id ${quoted(check.id)})`
      return printed(`broken: row ${check.seq}${id} ${chainFaults[check.what]}\n${brokenRemedy(file)}`, 1)
    }
    const { rows, head } = check
    const differs = kept && difference(reader, kept)
    if (differs !== undefined) return printed(`broken: ${differs}\n${brokenRemedy(file)}`, 1)
    return printed(`intact: ${counted(rows, 'event')}, head ${headText(head)}\n`)
  } finally {
    reader.close()
  }
}

const brokenRemedy = (file: string) =>
  `somebody other than hookgate changed it: move ${printable(file)} away to keep it; the next decision begins a new record\n`

interface KeptHead {
  readonly seq: number
  readonly hash: string
}

/** @throws HookgateError `usage` */
function keptHead(text: string): KeptHead {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text) ?? []
  if (seq !== undefined && hash !== undefined) return { seq: Number(seq), hash: hash.toLowerCase() }
  throw new HookgateError('usage', `${quoted(text)} is no head of the record`, {
    remedy: 'give the number and the hash that `hookgate log --verify` printed, `SEQ:HASH`',
  })
}

function difference(reader: DecisionReader, { seq, hash }: KeptHead): string | undefined {
  const found = reader.hashAt(seq)
  if (found === undefined) return `row ${seq} is not there any more, or never was`
  return hex(found) === hash ? undefined : `row ${seq} is not the one that was kept: its hash is ${hex(found)}`
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** Time between two looks: a person does not notice it, and it costs a look into a cache. */
const pollMs = 500

/**
 * Prints the last rows and then each new one, until Ctrl-C or until the reader is gone.
 *
 * @param print returns false once the reader has gone
 */
async function follow(
  file: string,
  filter: DecisionFilter,
  last: number | undefined,
  print: (one: StoredDecision) => boolean,
): Promise<CommandOutput> {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const latest = openLatestReader(file)
  let afterSeq = 0
  let lastOnly = last
  let notes = ''
  while (!stop.signal.aborted) {
    const { reader, isOther } = latest.look()
    // All of another database is new.
    if (isOther) [afterSeq, lastOnly] = [0, undefined]
    if (reader !== undefined) {
      // Read before: rows that are no match need not be looked at again.
      const head = reader.head()
      for (const one of reader.rows({ ...filter, afterSeq }, lastOnly)) {
        afterSeq = one.seq
        if (print(one)) continue
        latest.close()
        return { stdout: '', stderr: '', exitCode: 0 }
      }
      afterSeq = Math.max(afterSeq, head)
      notes = readingNotes(reader)
    }
    // The first rows of an empty record are new ones.
    lastOnly = undefined
    // oxlint-disable-next-line no-await-in-loop -- waiting is the point
    await sleep(pollMs, undefined, { signal: stop.signal }).catch(() => {})
  }
  latest.close()
  return { stdout: '', stderr: notes, exitCode: 0 }
}

/** Returns the width of lines for a stream: for a file or another program, lines are not cut. */
const lineWidthOf = (stream: NodeJS.WriteStream): number =>
  stream.isTTY ? Math.min(stream.columns || lineWidth, lineWidth) : Infinity

/** Formats decisions for people, each on a line, and below it what there is to know about a refusal or a failure. */
const decisionLines =
  (width: number) =>
  ({ record, ran }: StoredDecision): string => {
    const told = record.told ?? record.decision
    const change = told === record.decision ? pastWords[told] : `${pastWords[record.decision]}→${pastWords[told]}`
    const word = endedTurn(record) ? 'ended' : change
    const before = `${localMoment(Date.parse(record.at))}  ${printable(titleOf(record.agent ?? '?')).padEnd(agentWidth)}  `
    const after = `${' '.repeat(Math.max(0, wordWidth - word.length))}  ${calledText(record)}`
    const end = ran === undefined ? '' : `  (${ranText(ran)})`
    const details = detailsOf(record)
    // A call about which there is more to say is shown whole; of the many others, a line each.
    const [first = '', ...more] =
      details.length === 0
        ? [cutLine(after, width - before.length - word.length - end.length)]
        : wrappedLine(`${before}${word}${after}`, width - end.length, indent)
    const called = details.length === 0 ? first : first.slice(before.length + word.length)
    return [
      `${before}${paint(colours[told], word)}${called}${paint('dim', end)}`,
      ...more,
      ...details
        .flatMap((text) => wrappedLine(`${indent}${oneLine(text)}`, width, indent))
        .map((text) => paint('dim', text)),
    ]
      .map((one) => `${one}\n`)
      .join('')
  }

const pastWords: Readonly<Record<Decision, string>> = {
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

const paint = paintFor()

/** Formats what an agent wanted: the tool and what it was called with, and the event unless it is the usual one. */
function calledText(record: DecisionRecord): string {
  const { event, tool } = record
  const what = oneLine(callWords(record))
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
  const deciding = evaluations.find(({ ruleId, effect }) => ruleId === rules[0] && effect !== undefined)
  const why = firstLine(rules.length === 0 ? reason : (deciding?.reason ?? ''))
  const by = rules.length === 0 ? '' : `by ${rules.map(shownRule).join(', ')}`
  const how = [by, refusal === undefined ? '' : `hookgate why ${refusal}`].filter((text) => text !== '').join('   ')
  return [
    ...(error === undefined ? [] : [`hookgate could not decide: ${error.code}: ${firstLine(error.message)}`]),
    ...((isSilent && !endedTurn(record)) || error !== undefined ? [] : [why, how].filter((text) => text !== '')),
    ...(approval === undefined ? [] : [endedText(approval)]),
    ...(rewritten === undefined
      ? []
      : [`rewritten by ${rewritten.by.map(shownRule).join(', ')} into ${callWords(rewritten)}`]),
    ...evaluations.flatMap(remarkable),
  ]
}

function remarkable({ ruleId, effect, reason, observed, failure }: RecordedEvaluation): readonly string[] {
  return [
    // Without an effect, a reason says what a rule has changed in an output.
    ...(effect === undefined && reason !== undefined ? [`${shownRule(ruleId)} ${firstLine(reason)}`] : []),
    ...(observed && restricts(effect)
      ? [`${shownRule(ruleId)} only observes: it would have ${pastWords[effect]}`]
      : []),
    ...(failure === undefined ? [] : [`${shownRule(ruleId)} failed: ${failure.code}: ${firstLine(failure.message)}`]),
  ]
}
