import { openToolFacts } from '../../../facts/tool-call.ts'
import { homeFolder } from '../../../files/home-folder.ts'
import { HookgateError, type Place } from '../../../model/errors.ts'
import type { RuleSet } from '../../../model/rule.ts'
import { openPolicyLoader } from '../../../policy/compile/policy-loader.ts'
import { openSandbox, type Sandbox } from '../../../policy/open-sandbox.ts'
import { openReader, type StoredDecision } from '../../../record/read.ts'
import type { DecisionRecord } from '../../../record/record.ts'
import { openRefusals } from '../../../files/state/refusals.ts'
import { rulesDigest } from '../../../record/rules-digest.ts'
import { placesFor, problemText, readRules, type RulesPlaces } from '../../../rules/index.ts'
import { type Command, type CommandOutput, type Invocation, jsonText, printed, usage } from '../../command.ts'
import { parseFlags } from '../../args/flags.ts'
import { ownPlaces } from '../../args/own-places.ts'
import { reevaluate, type RebuiltCalls } from '../../../review/why/decide-anew.ts'
import { decisionNamed, lastRefusal } from './find-record.ts'
import { recordedEvent } from '../../../review/replay/recorded-event.ts'
import { reportOn, type WhyReport } from '../../../review/why/report.ts'
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
    const report = await explained(found, places, invocation)
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
async function nothingText(places: RulesPlaces, cwd: string): Promise<string> {
  const isOff = await withRules(places, cwd, ({ rules }) => Promise.resolve(rules?.record.level === 'off'))
  return isOff
    ? 'nothing is known of decisions in this folder: the record is off ("record": "off" in the rules)'
    : 'nothing was refused or asked about in this folder yet'
}

/** Explains a decision by the rules of today. */
function explained({ seq, record }: StoredDecision, places: RulesPlaces, { env }: Invocation): Promise<WhyReport> {
  const { project } = record
  return withRules(places, project, async ({ rules, placeOf, sandbox, wrong }) => {
    const { calls, unrecorded } = rebuiltCalls(record)
    const anew = calls && rules && (await reevaluate(calls, record, rules, sandbox, env))
    const { refusal } = record
    return reportOn(seq, record, {
      anew,
      whyNot: wrong ?? unrecorded ?? '',
      sandbox,
      placeOf,
      home: homeFolder(env['HOME']),
      project,
      rules: rules?.rules ?? [],
      rulesChanged:
        rules && record.rulesDigest === undefined ? undefined : rules && rulesDigest(rules) !== record.rulesDigest,
      unrecorded,
      kept: refusal === undefined ? undefined : openRefusals(ownPlaces(env).refusals).find(refusal),
    })
  })
}

/** Rebuilds the call of a record, and what rules made of it. Without one of them it cannot be decided again. */
function rebuiltCalls(record: DecisionRecord): { calls?: RebuiltCalls; unrecorded: string | undefined } {
  const { rewritten, subject: _, subjectAltered: __, ...rest } = record
  const sent = recordedEvent(record)
  const made = rewritten && recordedEvent({ ...rest, ...rewritten, rewritten })
  if (sent.event === undefined || (made !== undefined && made.event === undefined))
    return { unrecorded: sent.unrecorded ?? made?.unrecorded }
  return { calls: { event: sent.event, rewritten: made?.event }, unrecorded: sent.unrecorded }
}

/** Lends the rules of today and a sandbox with their policies. `wrong` says why they do not load. */
async function withRules<T>(
  places: RulesPlaces,
  project: string | undefined,
  use: (given: TodaysRules) => Promise<T>,
): Promise<T> {
  // Each thread loads every policy, and few events are evaluated.
  const sandbox = openSandbox('process', openToolFacts(), 1)
  try {
    const read = await readRules(places, project === undefined ? [] : [project], openPolicyLoader(sandbox))
    const [error] = read.errors
    return await use({
      rules: error === undefined ? read.ruleSet : undefined,
      placeOf: (ruleId) => read.placeOf(ruleId),
      sandbox,
      wrong: error && `the rules of today do not load: ${problemText(error)}`,
    })
  } finally {
    await sandbox.close()
  }
}

interface TodaysRules {
  readonly rules: RuleSet | undefined
  readonly placeOf: (ruleId: string) => Place | undefined
  readonly sandbox: Sandbox
  readonly wrong: string | undefined
}
