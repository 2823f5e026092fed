import { realPath } from '../../../files/real-path.ts'
import { withPolicies } from '../../../install/with-policies.ts'
import { HookgateError } from '../../../model/errors.ts'
import { localTime } from '../../../words/moment.ts'
import { printable, quoted } from '../../../model/text.ts'
import type { DecisionFilter } from '../../../record/filter.ts'
import { type DecisionReader, openReader, type StoredDecision } from '../../../record/read.ts'
import { explainDecision } from '../../../review/why/report.ts'
import { placesFor, readRules, type RulesPlaces } from '../../../rules/index.ts'
import { isAtOrBelow } from '../../../words/machine-paths.ts'
import { didYouMean } from '../../../words/suggest.ts'
import { parseFlags } from '../../args/flags.ts'
import { ownPlaces } from '../../args/own-places.ts'
import { type Command, type CommandOutput, jsonText, printed, usage } from '../../command.ts'
import { quotedCall } from '../../text/refusal-text.ts'
import { reportText } from './report-text.ts'

export const whyCommand: Command = {
  summary: 'why the last refusal, or any other decision: which rule, its file and line, and what lifts it',
  help: `hookgate why: why something was refused

  hookgate why [options] [ID]

Without ID, explains the last refusal or question of this folder, of those below it and those above. ID is the id that
the reason of a refusal ends with, or the beginning of the id of any recorded decision.

Says what was decided and what the agent was told, which commands the call meant, what each rule said of them, and the
place that decided: the line of a policy (found by evaluating it once more in its sandbox), the script of a hook, the
entry of a permission list. Then what would have been decided without it, and how a person can let it through. Facts
about files and branches are as of now. If other rules are in force than then, it says so, and what they would decide.

It changes nothing, and runs no hooks.

  --rules PATH              explain by these rules too, as \`hookgate run\` takes them; repeatable
  --no-discover             only by --rules: not by the managed, user and workspace rules
  --trust-workspace         as if the workspace were trusted
  --json                    the report as one JSON object: record, rules, facts, without, today, lift

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
    const report = await explainDecision(found, { rules: places, own, env })
    return printed(values.json === true ? jsonText(report, 2) : reportText(report))
  },
}

const flags = {
  rules: { type: 'string', multiple: true },
  'no-discover': { type: 'boolean' },
  'trust-workspace': { type: 'boolean' },
  json: { type: 'boolean' },
} as const

/** @throws HookgateError `usage` if there is no such id, `unavailable` if the record cannot be read */
function foundIn(file: string, id: string | undefined, cwd: string): StoredDecision | undefined {
  const reader = openReader(file)
  try {
    if (id === undefined) return reader && lastRefusal(reader, cwd)
    if (reader !== undefined) return decisionNamed(reader, id)
    throw new HookgateError('usage', 'nothing is recorded yet', { place: { file } })
  } finally {
    reader?.close()
  }
}

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
  const { id, refusal, at, decision, toolName = record.event ?? '', subject = '', determining } = record
  const what = decision === 'deny' ? 'refused' : 'asked'
  const names = determining.slice(0, 3).join(', ')
  return printable(
    `${refusal ?? id}  ${localTime(Date.parse(at))}  ${what.padEnd(7)}  ${quotedCall({ toolName, subject })}  ${names}`,
  )
}
