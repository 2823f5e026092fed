import { resolve } from 'node:path'
import { Decision } from '../../../model/effect.ts'
import { EventName } from '../../../model/event.ts'
import { choiceOf, quoted } from '../../../model/text.ts'
import type { DecisionFilter } from '../../../record/filter.ts'
import { type DecisionReader, openReader, type StoredDecision } from '../../../record/read.ts'
import { explainedColumn } from '../../text/layout.ts'
import { type Command, type CommandOutput, type Invocation, jsonText, usage } from '../../command.ts'
import { agentList, agentOf, parseFlags } from '../../args/flags.ts'
import { follow } from './follow.ts'
import { decisionLines, lineWidthOf } from './lines.ts'
import { nothingRecorded, readingNotes, recordingNote } from '../../text/record-notes.ts'
import { verify } from './verify.ts'
import { momentIn } from '../../args/moment.ts'
import { ownPlaces } from '../../args/own-places.ts'

const usualLimit = 50
/** Text that is written at once. */
const chunkCharacters = 64 * 1024

export const logCommand: Command = {
  summary: 'what was decided: newest last, by agent, project, rule, decision or text',
  help: `hookgate log: what was decided

  hookgate log [options]

Prints the last ${usualLimit} decisions of this machine's record, newest last: when in local time, which agent, the
answer, the tool and what it was called with, and how the call ended if it ran. \`asked→refused\` means that hookgate
asked, and the agent, which cannot ask, got a refusal; \`passed\` that no rule objected, and \`ended\` that one ended the
turn. Below a refusal or a question stand its rules and the id for \`hookgate allow\`; below any decision the rules that
failed, and those in observe mode that would have refused.
Other events than calls are listed where a rule answered or failed; --event lists all of one kind.

  --since WHEN          from then on: how long ago (30m, 2h, 3d, 4w), a day (2026-11-01), or ISO 8601 in local time
  --until WHEN          up to then; of a day, its end
${explainedColumn('  --agent NAME          ', agentList)}
  --session ID          of that session
  --project PATH        of that folder and those below it; default: all
  --rule TEXT           with a rule that answered or failed, whose id has this text
  --decision WORDS      one or more, separated by commas. As decided: deny, defer, ask, allow, abstain. As the agent got
                        it: refused, asked, allowed, passed, ended. Whatever the answer: observed (by a rule in
                        observe mode that would have refused or asked), failed (a rule, or hookgate itself)
  --event NAME          of that event, with those that passed: PostToolUse, SessionStart, …; \`all\` lists every event
  --tool NAME           a kind of tool (shell, read, write, edit, …) or the agent's name for one
  --text TEXT           with this text in the command, path, URL or reason
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
  const { ocsfLines } = await import('./ocsf-lines.ts')
  return { lines: ocsfLines(file), isJson: true }
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
