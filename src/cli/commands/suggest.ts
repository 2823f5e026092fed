import { counted } from '../../words/counted.ts'
import { resolve } from 'node:path'
import { homeFolder } from '../../files/home-folder.ts'
import { openRefusals, type Refusals } from '../../files/state/refusals.ts'
import type { PlannedRulesFile } from '../../install/rules-file.ts'
import { limits } from '../../model/limits.ts'
import type { PastCall } from '../../model/event.ts'
import { printable } from '../../model/text.ts'
import type { Suggestions } from '../../review/suggest/index.ts'
import type { SuggestedLimit } from '../../review/suggest/limits.ts'
import type { RecordedCalls } from '../../review/suggest/questions.ts'
import { makeDisk } from '../../files/disk.ts'
import { isUnreadable } from '../../model/disk.ts'
import { isJsonObject, textAt } from '../../model/json.ts'
import type { KeptStep } from '../../model/past.ts'
import { SessionLimits } from '../../model/session-limits.ts'
import { isAtOrBelow } from '../../words/machine-paths.ts'
import { choiceIn, momentIn, numberOf, parseFlags, installContextFor } from '../args/flags.ts'
import { ownPlaces } from '../args/own-places.ts'
import { type Command, type CommandOutput, type Invocation, jsonText, printed, usage } from '../command.ts'
import { consentTo, needsYes, undoText } from '../consent.ts'

export const suggestCommand: Command = {
  help: `hookgate suggest: permissions and exceptions that would have spared the most questions

  hookgate suggest [--from record|sessions] [--since WHEN] [--project PATH] [--min N] [--limit N]
                   [--write [--yes]] [--json]

Reads the record for what a person was asked: by the agent itself (PermissionRequest), and by hookgate's own rules. It
suggests, for what the person agreed to, lines of \`permissions.allow\` that would have answered the agent's questions,
and the exceptions that \`hookgate allow\` knows for those of the rules, each with how many questions it would have
spared, and what else of the record it allows. No suggestion lets through what an example of a shipped pack refuses or
asks about, however it is written, and none is about a rule of high or critical severity: what was left out for that is
listed. What other rules refuse stays refused.

Where no limit on a loop is set (the same call that fails, or runs again and again), it suggests one that no call of at
least 20 sessions has come near: twice the most that was seen, which is shown with it.

  --from WHERE      \`record\` (default), or \`sessions\`: those that the agents keep, whose calls are decided by the
                    rules in force, without their hooks; it finds what these rules would have asked
  --since WHEN      from how long ago (\`2h\`, \`30d\`) or from which date; default 30d
  --project PATH    only questions about this project; default: all
  --min N           leave out what would have spared fewer questions; default 2
  --limit N         at most so many permissions, and as many exceptions; default 20
  --write           write them into ~/.config/hookgate/hooks.json, after a question
  --yes             write without asking; without a terminal, nothing is written unless it is given
  --json            the suggestions and the change as JSON

It can suggest something for shell commands, fetches and MCP tools of which the record holds the whole subject.

  hookgate suggest --since 7d
`,
  async run({ argv, env, cwd, ask }: Invocation): Promise<CommandOutput> {
    const { values } = parseFlags('suggest', argv, flags)
    const sinceMs = momentIn('suggest', 'since', values.since ?? '30d', Date.now())
    const leastTimes = wholeIn('min', values.min) ?? 2
    const max = wholeIn('limit', values.limit) ?? 20
    const from = choiceIn('suggest', 'from', values.from, ['record', 'sessions']) ?? 'record'
    const project = values.project === undefined ? undefined : resolve(cwd, values.project)
    const asked = await questionsFrom(from, { sinceMs, project }, { env })
    if (asked === undefined)
      return printed(
        from === 'sessions'
          ? 'no sessions of any agent were found, so there is nothing to suggest\n'
          : 'nothing is recorded yet, so there is nothing to suggest\n',
      )
    const { suggestionsFrom } = await import('../../review/suggest/index.ts')
    const { calls, refusals } = asked
    const spared = await suggestionsFrom(calls, { refusals, env, home: homeFolder(env['HOME']), leastTimes, max })
    const suggested = { ...spared, limits: await limitsFrom(from, { sinceMs, project }, { env, cwd }) }
    const planned = await plannedChange(suggested, { env, cwd })
    const isNew = planned !== undefined && planned.diff !== ''
    const shown = printable(suggestionsText(suggested, planned))
    const wantsWrite = values.write === true && isNew
    const { yes } = values
    const asks = wantsWrite && ask !== undefined && yes !== true
    const consent = wantsWrite ? await consentTo({ ask, yes, shown, question: 'write this? [y/N]' }) : false
    const isAgreed = consent === true
    const copy = isAgreed ? planned?.write() : undefined
    if (values.json === true) {
      return printed(jsonText({ ...suggested, diff: planned?.diff ?? '', written: isAgreed }, 2))
    }
    const kept = copy === undefined ? '' : `the old one is kept in ${copy}\n`
    const file = planned?.file ?? ''
    if (consent === undefined) return { stdout: shown, stderr: needsYes('suggest --write'), exitCode: 1 }
    const end = isAgreed ? printable(`wrote ${file}\n${kept}${undoText(file, copy)}`) : endingOf(isNew, wantsWrite)
    return printed(`${asks ? '' : shown}${end}`)
  },
}

const flags = {
  from: { type: 'string' },
  since: { type: 'string' },
  project: { type: 'string' },
  min: { type: 'string' },
  limit: { type: 'string' },
  write: { type: 'boolean' },
  yes: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

function endingOf(isNew: boolean, wantsWrite: boolean): string {
  if (!isNew) return ''
  return wantsWrite ? 'nothing was changed\n' : '`hookgate suggest --write` writes this\n'
}

function wholeIn(flag: string, value: string | undefined): number | undefined {
  const number = numberOf('suggest', flag, value, limits.permissionEntriesMax)
  if (number === undefined || Number.isInteger(number)) return number
  throw usage(`--${flag} must be a whole number`, 'suggest')
}

interface AskedCalls {
  readonly calls: RecordedCalls
  readonly refusals: Pick<Refusals, 'find'>
}

/** Collects the questions that a person got or would get; `undefined` if nothing is recorded. */
async function questionsFrom(
  from: 'record' | 'sessions',
  { sinceMs, project }: { readonly sinceMs: number | undefined; readonly project: string | undefined },
  { env }: Pick<Invocation, 'env'>,
): Promise<AskedCalls | undefined> {
  // Loaded late: deciding an event does not need it.
  const { callsIn, questionsAbout } = await import('../../review/suggest/index.ts')
  if (from === 'sessions') {
    const { findSessions, readSessions } = await import('../../review/replay/sessions.ts')
    const found = await findSessions({ home: homeFolder(env['HOME']), env, platform: process.platform })
    if (found.length === 0) return undefined
    const isWanted = ({ atMs, cwd }: PastCall) =>
      (atMs ?? Infinity) >= (sinceMs ?? 0) && (project === undefined || isAtOrBelow(cwd, project))
    const { questions, refusals } = await questionsAbout(readSessions(found), isWanted, env)
    return { calls: { questions, others: [], declined: 0, unusable: 0 }, refusals }
  }
  const places = ownPlaces(env)
  const { openReader } = await import('../../record/read.ts')
  const reader = openReader(places.decisions)
  if (reader === undefined) return undefined
  try {
    const calls = callsIn(reader.rows({ sinceMs, project }))
    const countedOnly = reader.countedQuestions({ sinceMs: sinceMs ?? 0, project })
    return { calls: { ...calls, countedOnly }, refusals: openRefusals(places.refusals) }
  } finally {
    reader.close()
  }
}

/** Suggests limits on loops, by the steps that are kept or by the session files. */
async function limitsFrom(
  from: 'record' | 'sessions',
  { sinceMs = 0, project }: { readonly sinceMs: number | undefined; readonly project: string | undefined },
  { env, cwd }: Pick<Invocation, 'env' | 'cwd'>,
): Promise<readonly SuggestedLimit[]> {
  const { keptSteps, stepsIn, suggestLimits } = await import('../../review/suggest/limits.ts')
  const inForce = await limitsInForce({ env, cwd })
  const isOfProject = (folder: string) => project === undefined || isAtOrBelow(folder, project)
  if (from === 'sessions') {
    const { findSessions, readSessions } = await import('../../review/replay/sessions.ts')
    const found = await findSessions({ home: homeFolder(env['HOME']), env, platform: process.platform })
    const isWanted = ({ atMs, cwd: folder }: PastCall) => (atMs ?? Infinity) >= sinceMs && isOfProject(folder)
    return suggestLimits(stepsIn(readSessions(found), isWanted), inForce)
  }
  const { openKeptSteps } = await import('../../past/open-past.ts')
  const store = openKeptSteps(ownPlaces(env).past)
  if (store === undefined) return []
  try {
    const isWanted = ({ atMs, workspace }: KeptStep) => atMs >= sinceMs && isOfProject(workspace)
    return await suggestLimits(keptSteps(store, isWanted), inForce)
  } finally {
    store.close()
  }
}

/** Returns the limits that the user's rules file sets, and its preset. */
async function limitsInForce(invocation: Pick<Invocation, 'env' | 'cwd'>): Promise<SessionLimits> {
  const [{ rulesFileOf }, { readPreset }, { parsedJson }] = await Promise.all([
    import('../../install/rules-file.ts'),
    import('../../rules/load/pack.ts'),
    import('../../model/json.ts'),
  ])
  const file = rulesFileOf({ ...installContextFor(invocation), scope: 'user' })
  const bytes = makeDisk().read(file, limits.rulesFileBytesMax)
  const said = isUnreadable(bytes) ? undefined : parsedJson(Buffer.from(bytes).toString())
  if (!isJsonObject(said)) return {}
  const preset = readPreset(textAt(said, 'preset') ?? '')
  return { ...('packs' in preset && preset.limits), ...SessionLimits.safeParse(said['limits']).data }
}

/** Plans the change of the user's rules file; `undefined` if there is nothing to add. */
async function plannedChange(
  { permissions, exceptions, limits: loops }: AllSuggestions,
  invocation: Pick<Invocation, 'env' | 'cwd'>,
): Promise<PlannedRulesFile | undefined> {
  if (permissions.length + exceptions.length + loops.length === 0) return undefined
  const [{ planRulesFile }, { addItems, setValue }] = await Promise.all([
    import('../../install/rules-file.ts'),
    import('../../install/json/edit.ts'),
  ])
  return planRulesFile({ ...installContextFor(invocation), scope: 'user' }, (document) => {
    const allowed = permissions.map(({ text }) => text)
    const excepted = exceptions.map(({ exception }) => exception)
    const made = addItems(addItems(document, ['permissions', 'allow'], allowed), ['exceptions'], excepted)
    return loops.reduce((all, { name, value }) => setValue(all, ['limits', name], value), made)
  })
}

/** All suggestions: permissions that would spare questions, and limits that would stop loops. */
export interface AllSuggestions extends Suggestions {
  readonly limits: readonly SuggestedLimit[]
}

export type { Suggestions } from '../../review/suggest/index.ts'

/** Calls that a line is shown with. */
const samplesMax = 3
const sampleCharactersMax = 60

function suggestionsText(suggested: AllSuggestions, planned: PlannedRulesFile | undefined): string {
  const { permissions, exceptions, rejected, questions } = suggested
  const lines = [
    questionsLine(questions),
    ...titled(
      'permissions.allow',
      permissions.map(({ text, spares, alsoAllows }) => {
        const also = alsoAllows.length === 0 ? '' : `\n         also allows ${samples(alsoAllows)}`
        return `  ${times(spares)}  ${text}${also}`
      }),
    ),
    ...titled(
      'exceptions',
      exceptions.map(({ exception: { rule, command, path, project }, spares }) => {
        return `  ${times(spares)}  ${rule}: ${command ?? path ?? ''}  (${project})`
      }),
    ),
    ...titled(
      'limits',
      suggested.limits.map(({ name, value, most, of, sessions, calls }) => {
        const seen = of === undefined ? 'none came to one' : `the most was ${most}, of ${shortenLine(of)}`
        return `  ${name}: ${value.times} times  (${calls} calls of ${sessions} sessions: ${seen})`
      }),
    ),
    ...titled(
      'not suggested, since it would also allow a danger',
      rejected.map(({ text, danger }) => `  ${text}: would also allow ${shortenLine(danger)}`),
    ),
    ...notSuggested(suggested),
  ]
  const diff = planned === undefined || planned.diff === '' ? '' : `\n${planned.diff}`
  const has = planned?.diff === '' ? `\n${planned.file} has all of it already\n` : ''
  return `${lines.join('\n')}\n${diff}${has}`
}

function questionsLine({ byAgents, byRules, declined, countedOnly }: Suggestions['questions']): string {
  const left =
    declined === 0
      ? ''
      : `${counted(declined, 'question')} left out: the call did not run afterwards, so nobody said yes`
  if (byAgents + byRules === 0) {
    if (declined > 0) return left
    return countedOnly === 0 ? 'nobody was asked anything in this time' : 'no question of this time is recorded'
  }
  const all = `a person said yes to ${counted(byAgents + byRules, 'question')}: ${byAgents} of agents, ${byRules} of hookgate's rules`
  return left === '' ? all : `${all}\n${left}`
}

function notSuggested({ permissions, exceptions, questions }: Suggestions): readonly string[] {
  const { countedOnly } = questions
  const onlyCounted =
    countedOnly === 0
      ? []
      : [
          `${counted(countedOnly, 'question of agents was', 'questions of agents were')} only counted: the level \`all\` of \`record\` keeps their calls`,
        ]
  if (questions.byAgents + questions.byRules === 0) return onlyCounted
  const none = permissions.length + exceptions.length === 0 ? ['nothing was asked often enough to suggest it'] : []
  const { unusable, unknown } = questions
  return [
    ...none,
    ...onlyCounted,
    ...(unusable === 0
      ? []
      : [
          `${counted(unusable, 'question was about a call', 'questions were about calls')} that the record does not hold whole`,
        ]),
    ...(unknown === 0
      ? []
      : [
          `${counted(unknown, 'question of a rule has', 'questions of rules have')} no exception that would spare ${unknown === 1 ? 'it' : 'them'}: the rule or the call is gone`,
        ]),
  ]
}

const titled = (title: string, lines: readonly string[]) => (lines.length === 0 ? [] : ['', `${title}:`, ...lines])
const times = (count: number) => `${count} ×`.padStart(6)

function samples(texts: readonly string[]): string {
  const shown = texts.slice(0, samplesMax).map(shortenLine).join(', ')
  return texts.length > samplesMax ? `${shown} and ${texts.length - samplesMax} more` : shown
}

function shortenLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > sampleCharactersMax ? `${line.slice(0, sampleCharactersMax).toWellFormed()}…` : line
}
