import { titleOf } from '../../agents/registry.ts'
import { clearState, statesNamed } from '../../changes/clear-state.ts'
import { openKeptSteps } from '../../past/open-past.ts'
import type { KeptSession } from '../../past/store.ts'
import { printable, quoted, shellWord } from '../../model/text.ts'
import { openStateReader, type SessionReport, type SessionState } from '../../review/state/session-report.ts'
import { placesFor } from '../../rules/index.ts'
import { localMoment, localTime } from '../../words/moment.ts'
import { parseFlags } from '../args/flags.ts'
import { ownPlaces } from '../args/own-places.ts'
import { type Command, type CommandOutput, jsonText, printed, usage } from '../command.ts'
import { consentTo, declined, needsYes } from '../consent.ts'
import { cutLine, linesText, oneLine } from '../text/layout.ts'
import { counted } from '../../words/counted.ts'
import { stateName, valueText } from '../text/state-text.ts'

/** Sessions that are listed without `--all`. */
const listedMax = 20
/** Characters of a session's id that tell it from others. */
const idCharacters = 8

export const stateCommand: Command = {
  help: `hookgate state: what rules have counted in a session

  hookgate state [--all]
  hookgate state SESSION
  hookgate state SESSION --clear RULE.STATE

Without SESSION, lists the sessions of which something is kept, the latest first: the agent, the beginning of the
session's id, its folder, when its last step was, how many steps it has, and which rules have counted something. With
SESSION, an id or its beginning, lists each rule that looks back, with its states (labels, counts, budgets) and limits,
and the latest calls that have set them. Rules are those of today; nothing is kept as long as no rule counts.

  --all                     all sessions, not only the latest ${listedMax}
  --clear RULE.STATE        have a state begin anew: a label, a count, a budget, or a limit by its RULE alone; it is
                            kept as a step of the session, and cannot be undone
  --yes                     with --clear: do it without asking
  --rules PATH              by these rules too, as \`hookgate run\` takes them; repeatable
  --no-discover             only by --rules: not by the managed, user and workspace rules
  --json                    the same as JSON: sessions with agent, session, workspace, atMs, steps and rules; of one,
                            its states with value, most, of, setBy; of --clear, session and cleared

  hookgate state
  hookgate state 3f2a91bc --clear limits.failed
`,
  async run(invocation): Promise<CommandOutput> {
    const { values, positionals } = parseFlags('state', invocation.argv, flags, true)
    const [id, ...rest] = positionals
    if (rest.length > 0) throw usage('it takes one session', 'state')
    if (id === undefined && values.clear !== undefined) throw usage('--clear needs a session', 'state')
    const { env, cwd, ask } = invocation
    const own = ownPlaces(env)
    const asJson = values.json === true
    const store = openKeptSteps(own.past)
    const sessions = store?.sessions() ?? []
    if (store === undefined || sessions.length === 0) {
      store?.close()
      if (id !== undefined) throw usage(`nothing is kept, so there is no session ${quoted(id)}`, 'state')
      return printed(asJson ? jsonText({ sessions: [] }, 2) : nothingKept)
    }
    const explicit = values.rules ?? []
    const places = placesFor({ explicit, discover: values['no-discover'] !== true, cwd, env, stateFolder: own.folder })
    const reader = openStateReader(store, places, env)
    try {
      if (id === undefined) {
        const shown = values.all === true ? sessions : sessions.slice(0, listedMax)
        const reports: SessionReport[] = []
        // oxlint-disable-next-line no-await-in-loop -- one sandbox
        for (const session of shown) reports.push(await reader.report(session))
        return printed(asJson ? jsonText({ sessions: reports.map(listedJson) }, 2) : listText(reports, sessions.length))
      }
      const session = sessionNamed(sessions, id)
      if (values.clear === undefined) {
        const report = await reader.report(session)
        return printed(asJson ? jsonText(sessionJson(report), 2) : sessionText(report))
      }
      const rules = await reader.rulesOf(session)
      if (typeof rules === 'string') throw usage(`the rules of this session do not load: ${rules}`, 'state')
      const named = statesNamed(rules, values.clear)
      const { states } = await reader.report(session)
      const about = states.filter(
        ({ ruleId, name }) => ruleId === named.rule.id && (name ?? 'used') === named.states[0],
      )
      const shown = printable(linesText([...about.flatMap(stateText), 'it begins anew, and this cannot be undone']))
      const agreed = await consentTo({ ask, yes: values.yes, shown, question: 'clear it? [y/N]' })
      const words = ['state', id, '--clear', values.clear].map(shellWord).join(' ')
      if (agreed === undefined) return { stdout: '', stderr: needsYes(words), exitCode: 1 }
      if (!agreed) return declined
      const cleared = clearState(own.past, session.latest, named)
      if (asJson) return printed(jsonText({ session: session.latest.session, cleared }, 2))
      const done = `${cleared.join(', ')} begins anew in session ${shortId(session)}: this cannot be undone\n`
      return printed(printable(done))
    } finally {
      await reader.end()
      store.close()
    }
  },
}

const flags = {
  all: { type: 'boolean' },
  clear: { type: 'string' },
  yes: { type: 'boolean' },
  rules: { type: 'string', multiple: true },
  'no-discover': { type: 'boolean' },
  json: { type: 'boolean' },
} as const

const nothingKept =
  'nothing is kept yet: a rule that counts, such as `"limits"` in a hooks.json, keeps it from an agent’s first call on\n'

const shortId = ({ latest }: KeptSession): string => latest.session.slice(0, idCharacters)

/** @throws HookgateError `usage` if none or several have this id */
export function sessionNamed(sessions: readonly KeptSession[], id: string): KeptSession {
  const exact = sessions.filter(({ latest }) => latest.session === id)
  const found = exact.length > 0 ? exact : sessions.filter(({ latest }) => latest.session.startsWith(id))
  const [first, ...others] = found
  if (first === undefined) throw usage(`nothing is kept of a session ${quoted(id)}`, 'state')
  if (others.length === 0) return first
  throw usage(`${quoted(id)} begins the ids of ${found.length} sessions: give more of it`, 'state')
}

/** Returns the rules that have counted something. @param scope only of a session, a workspace or the user. Default: all */
const fullOf = ({ states }: SessionReport, scope?: string): readonly string[] => [
  ...new Set(
    states.filter((one) => !one.isEmpty && (scope === undefined || one.scope === scope)).map(({ rule }) => rule),
  ),
]

/** Says which rules have counted something, of the session first: counts of the workspace and the user are no less theirs. */
function countedText(report: SessionReport): string {
  const own = fullOf(report, 'session')
  const wider = ['workspace', 'user'].flatMap((scope) => {
    const full = fullOf(report, scope)
    return full.length === 0 ? [] : [`of the ${scope}: ${full.join(', ')}`]
  })
  return [own.length === 0 ? 'no rule has counted anything' : `counted by ${own.join(', ')}`, ...wider].join('; ')
}

const aboutJson = ({ session: { steps, latest } }: SessionReport) => {
  const { agent, session, workspace, atMs } = latest
  return { agent, session, workspace, atMs, steps }
}
const listedJson = (report: SessionReport) => ({
  ...aboutJson(report),
  rules: fullOf(report),
  ...(report.problem !== undefined && { problem: report.problem }),
})
const sessionJson = (report: SessionReport) => ({
  ...aboutJson(report),
  states: report.states,
  ...(report.problem !== undefined && { problem: report.problem }),
})

function headText({ session }: SessionReport): string {
  const { agent, workspace, atMs } = session.latest
  return `${shortId(session)}  ${titleOf(agent)}  ${localTime(atMs)}  ${counted(session.steps, 'step')}  ${workspace}`
}

function listText(reports: readonly SessionReport[], all: number): string {
  const lines = reports.flatMap((report) => {
    const what = report.problem === undefined ? countedText(report) : `its rules do not load: ${report.problem}`
    return [headText(report), `          ${what}`]
  })
  const more = all > reports.length ? [`${all - reports.length} more: \`hookgate state --all\``] : []
  return printable(linesText([...lines, ...more]))
}

function sessionText(report: SessionReport): string {
  const { states, problem } = report
  if (problem !== undefined) return printable(`${headText(report)}\nits rules do not load: ${problem}\n`)
  const none = states.length === 0 ? ['', 'no rule of today looks back'] : []
  return printable(linesText([headText(report), ...none, '', ...states.flatMap(stateText)]))
}

/** Lists a state with its value, and below it the steps that have set it. */
function stateText(state: SessionState): readonly string[] {
  const { scope, within, of, counts, setBy } = state
  const where = scope === 'session' ? '' : `, of the ${scope}`
  const time = within === undefined || counts !== undefined ? '' : ` within ${within}`
  const whose = of === undefined ? '' : ` for ${quoted(oneLine(of))}`
  return [
    cutLine(`${stateName(state)}: ${valueText(state)}${time}${whose}${where}`),
    ...setBy.map(({ text, outcome, atMs }) =>
      cutLine(`    ${localMoment(atMs)}  ${outcome}${text === '' ? '' : `  ${oneLine(text)}`}`),
    ),
  ]
}
