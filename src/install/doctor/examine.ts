import { counted } from '../../words/counted.ts'
import { lstatSync } from 'node:fs'
import { z } from 'zod'
import { agentNames, type KnownAgent, titleOf } from '../../agents/registry.ts'
import { openToolFacts } from '../../facts/tool-call.ts'
import { checkPlaces } from '../../files/state/own-folder.ts'
import type { GatePaths } from '../../files/state/places.ts'
import { readToken } from '../../files/state/keys.ts'
import { version } from '../../files/program-files.ts'
import { type BundleState, isAboutRoot } from '../../model/bundle-settings.ts'
import { errorText } from '../../model/errors.ts'
import { localTime } from '../../words/moment.ts'
import { firstLine } from '../../model/text.ts'
import { openPolicyLoader } from '../../policy/compile/policy-loader.ts'
import { openSandbox } from '../../policy/open-sandbox.ts'
import { openKeptSteps } from '../../past/open-past.ts'
import { chainFaults } from '../../record/chain.ts'
import { openReader } from '../../record/read.ts'
import { damagedDatabases } from '../../record/writer.ts'
import { faultText, lastVerification, type Verification, verify } from '../../record/verification.ts'
import {
  isError,
  managedFileHere,
  placesFor,
  problemText,
  protectionBy,
  readRules,
  userRulesFile,
} from '../../rules/index.ts'
import { agentGaps } from '../../rules/agent-gaps.ts'
import { askGate } from '../../service/server/ask-gate.ts'
import { askStatus } from '../../service/server/heartbeats.ts'
import { lossRemedy, lossText, recordHealth, setAsideText } from '../../service/server/record-health.ts'
import { unseenNote } from '../gate-report.ts'
import { inTurn } from '../canary.ts'
import { isGateRunning } from '../status.ts'
import { agentStatus, type AgentStatus, type InstallContext, registeredAgents } from '../index.ts'
import { noRulesRemedy, rulesAt } from '../rules-here.ts'
import { type FaultReport, installedHook, proveFaults } from './faults.ts'

export interface Report {
  readonly ok: boolean
  readonly version: string
  readonly agents: readonly KnownAgent[]
  readonly findings: readonly DoctorFinding[]
  readonly rows: readonly FaultReport[]
}

/**
 * Checks an installation, and tries on the hooks that agents run what they answer when something fails.
 *
 * @param named the only agent to look at; all of them where none is named
 */
export async function examine(context: InstallContext, named: KnownAgent | undefined): Promise<Report> {
  const agents = named === undefined ? agentNames : [named]
  const installed = { ...context, version: version() }
  const gateRuns = await isGateRunning(context)
  const statuses = await inTurn(agents, async (agent) => ({
    agent,
    status: await agentStatus(agent, context, gateRuns),
  }))
  const { level } = (await rulesAt(context, [context.cwd])).record
  const unseen = await inTurn(statuses, ({ agent, status }) => unseenNote(agent, status, level, context))
  const hooks = new Map(
    statuses.flatMap(({ agent, status }) => {
      const hook = installedHook(agent, status, context.places)
      return hook === undefined ? [] : [[agent, hook] as const]
    }),
  )
  const [gate, rules, record, failures] = await Promise.all([
    checkGate(installed),
    checkRules(installed, await registeredAgents(context)),
    checkRecord(installed),
    recentFailures(context.places),
  ])
  const rows = hooks.size === 0 ? [] : await proveFaults(context, hooks)
  const findings = [
    checkNode(context.launcher.node),
    ...gate,
    ...checkPrivacy(installed),
    ...rules,
    ...record,
    ...checkPast(installed),
    ...failures,
    ...agentFindings(
      statuses.map(({ status }) => status),
      new Map([...hooks].map(([agent, { client }]) => [agent, client])),
      named !== undefined,
    ),
    ...unseen.flat().map((what) => ({ about: 'agent', state: 'note', what }) as const),
  ]
  const isSafe =
    findings.every(({ state }) => state !== 'notSafe') &&
    rows.every(({ results }) => results.every(({ kind }) => kind === 'ok'))
  return { ok: isSafe, version: version(), agents, findings, rows }
}

/** A part of the installation that was checked. `note`: nothing is wrong with it, but a person should know. */
export interface DoctorFinding {
  readonly about: 'node' | 'gate' | 'privacy' | 'rules' | 'record' | 'failures' | 'agent'
  readonly state: 'ok' | 'note' | 'notSafe'
  readonly what: string
  readonly remedy?: string
}

/** The installation that is checked. */
interface CheckedInstallation {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly home: string
  readonly places: GatePaths
  /** Default: the system's. */
  readonly managedFolder?: string | undefined
  readonly version: string
}

function checkNode(node: string): DoctorFinding {
  return { about: 'node', state: 'ok', what: `Node ${process.versions.node}: ${node}` }
}

export async function checkGate({ places, version: own }: CheckedInstallation): Promise<readonly DoctorFinding[]> {
  const about = 'gate'
  try {
    const status = await askStatus(places)
    if (!status.running) {
      if (status.why !== null) return [{ about, state: 'notSafe', what: `the gate: ${status.why}` }]
      const what = 'the gate is not running: each event is decided by a process of its own, which takes longer'
      return [{ about, state: 'note', what, remedy: 'run `hookgate up`' }]
    }
    const { pid, http, rules, warnings } = status
    const other = status.version !== own
    return [
      {
        about,
        state: other ? 'notSafe' : 'ok',
        what: `the gate is running: pid ${pid}, version ${status.version}${http === null ? '' : `, at ${http}`}`,
        ...(other && { remedy: `this is ${own}: run \`hookgate up\`` }),
      },
      ...[...(typeof rules === 'number' ? [] : [`its rules: ${rules.problem}`]), ...warnings].map(
        (what): DoctorFinding => ({
          about,
          state: 'note',
          what,
        }),
      ),
    ]
  } catch (error) {
    return [{ about, state: 'notSafe', what: errorText(error) }]
  }
}

/** Checks that no other user can reach the gate's socket or read its token. */
export function checkPrivacy({ places }: CheckedInstallation): readonly DoctorFinding[] {
  const { folder, token } = places
  const checks: readonly (readonly [what: string, check: () => unknown])[] = [
    ...(isThere(folder)
      ? [[`no other user can reach the gate's socket: ${folder}`, () => checkPlaces(places)] as const]
      : []),
    ...(isThere(token) ? [[`no other user can read the token: ${token}`, () => readToken(places)] as const] : []),
  ]
  const found = checks.map(([what, check]): DoctorFinding => {
    try {
      check()
      return { about: 'privacy', state: 'ok', what }
    } catch (error) {
      return { about: 'privacy', state: 'notSafe', what: errorText(error) }
    }
  })
  return [...new Map(found.map((one) => [one.what, one])).values()]
}

const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined

/** Loads the rules that apply in the working folder, the workspace's among them. @param agents those that are enabled */
export async function checkRules(
  { env, cwd, home, managedFolder }: CheckedInstallation,
  agents: readonly KnownAgent[],
): Promise<readonly DoctorFinding[]> {
  const about = 'rules'
  const sandbox = openSandbox('process', openToolFacts(), { threads: 1 })
  try {
    const places = placesFor({ env, cwd, home, managedFolder })
    const read = await readRules(places, [cwd], openPolicyLoader(sandbox))
    const errors = read.problems.filter(isError)
    if (errors.length > 0)
      return errors.map((error) => ({ about, state: 'notSafe', what: `the rules do not load: ${problemText(error)}` }))
    const { rules } = read.ruleSet
    const gaps = await agentGaps(rules, agents)
    const untrusted = rules.filter(({ untrustedReason }) => untrustedReason !== undefined).length
    const warnings = read.problems.length - read.unmanaged.length
    return [
      protectionBy(rules) === 'none'
        ? {
            about,
            state: 'notSafe',
            what: 'nothing is checked: no rules are in force here',
            remedy: noRulesRemedy({
              file: userRulesFile(places),
              managedFile: managedFileHere(places),
              bundle: read.ruleSet.bundle,
            }),
          }
        : { about, state: 'ok', what: `${counted(rules.length, 'rule')} ${rules.length === 1 ? 'loads' : 'load'}` },
      ...bundleNotes(read.ruleSet.bundle?.state).map(({ isFine, what }): DoctorFinding =>
        read.ruleSet.bundle?.state.freshness === 'missing'
          ? isAboutRoot(read.ruleSet.bundle.state.problem)
            ? { about, state: 'notSafe', what }
            : { about, state: 'notSafe', what, remedy: 'run `hookgate bundle fetch`' }
          : isFine
            ? ({ about, state: 'ok', what } as const)
            : {
                about,
                state: read.ruleSet.bundle?.state.freshness === 'stale' ? 'notSafe' : 'note',
                what,
                remedy: 'see `hookgate bundle status`',
              },
      ),
      ...read.unmanaged.map((one): DoctorFinding => ({ about, state: 'notSafe', what: problemText(one) })),
      ...(untrusted > 0
        ? [note(about, `${untrusted} of them came with this folder and are not trusted`, 'see `hookgate trust`')]
        : []),
      ...gaps.map(({ rule, message, remedy }) => note(about, `${rule.id}: ${message}`, remedy)),
      ...(warnings > 0 ? [note(about, `there is more to report about them`, 'run `hookgate check`')] : []),
    ]
  } catch (error) {
    return [{ about, state: 'notSafe', what: errorText(error) }]
  } finally {
    await sandbox.close()
  }
}

/** Checks the chain of the record, and whether decisions are lost to it, by the gate or by processes that have ended. */
export async function checkRecord({ places }: CheckedInstallation): Promise<readonly DoctorFinding[]> {
  const about = 'record'
  const live = await askStatus(places).catch(() => undefined)
  const recorder = live?.running === true ? live.recorder : null
  try {
    const health = recordHealth(places.decisions)
    const before = lastVerification(places.decisions)
    const broken = brokenChain(places.decisions)
    if (broken !== undefined) return [broken]
    const loss = lossText(Math.max(health?.lost ?? 0, recorder?.lost ?? 0), recorder?.problem)
    if (loss !== undefined) return [note(about, loss, lossRemedy)]
    const aside = damagedDatabases(places.decisions).map((one) =>
      note(about, `the damaged record ${setAsideText(one)}`),
    )
    return health === undefined
      ? aside
      : [
          {
            about,
            state: 'ok',
            what: `decisions are recorded, and their chain is intact${beforeText(before)}: ${places.decisions}`,
          },
          ...aside,
        ]
  } catch (error) {
    return [note(about, errorText(error), lossRemedy)]
  }
}

/** Opens the file of earlier calls, if there is one: rules that look back fail where it cannot be read. */
export function checkPast({ places }: Pick<CheckedInstallation, 'places'>): readonly DoctorFinding[] {
  try {
    openKeptSteps(places.past)?.close()
    return []
  } catch (error) {
    return [{ about: 'record', state: 'notSafe', what: errorText(error) }]
  }
}

/** Reads every row; `undefined` where all of them are as they were written. */
function brokenChain(file: string): DoctorFinding | undefined {
  const reader = openReader(file)
  try {
    const check = reader && verify(reader, file)
    if (check?.kind !== 'broken') return undefined
    return { about: 'record', state: 'notSafe', what: faultText(check), remedy: 'see `hookgate log --verify`' }
  } finally {
    reader?.close()
  }
}

/** Says when the chain was verified before, and what was found. */
function beforeText(before: Verification | undefined): string {
  if (before === undefined) return ', verified now'
  const found = before.kind === 'whole' ? 'intact' : `row ${before.seq} ${chainFaults[before.what]}`
  return `, verified now, and before at ${localTime(Date.parse(before.at))} (${found})`
}

const note = (about: DoctorFinding['about'], what: string, remedy?: string): DoctorFinding => ({
  about,
  state: 'note',
  what,
  ...(remedy !== undefined && { remedy }),
})

/**
 * @param clients how the client of an agent's hooks is built, where they use one of this machine
 * @param isNamed whether the user named the one agent: then nothing is known of the others
 */
export function agentFindings(
  statuses: readonly AgentStatus[],
  clients: ReadonlyMap<string, string>,
  isNamed: boolean,
): readonly DoctorFinding[] {
  const shown = isNamed ? statuses : statuses.filter(isRegistered)
  const absent = statuses.filter((status) => !shown.includes(status)).map(({ agent }) => agent)
  const findings = [
    ...shown.flatMap((status) => findingsOf(status, clients.get(status.agent))),
    ...(absent.length === 0 ? [] : [note('agent', `not registered: ${absent.join(', ')}`)]),
  ]
  if (isNamed || shown.length > 0) return findings
  const remedy = 'run `hookgate init`'
  const what = 'no agent asks hookgate, so it guards nothing'
  return [...findings, { about: 'agent', state: 'notSafe', what, remedy }]
}

const isRegistered = ({ scopes }: AgentStatus) => scopes.some(({ state }) => state !== 'absent')

function findingsOf(status: AgentStatus, client: string | undefined): readonly DoctorFinding[] {
  const about = 'agent'
  const { agent, calls, obstacles, held, open } = status
  const present = status.scopes.filter(({ state }) => state !== 'absent')
  if (present.length === 0) {
    const remedy = `run \`hookgate enable ${agent}\``
    return [{ about, state: 'notSafe', what: `${titleOf(agent)} is not registered`, remedy }]
  }
  // What is wrong with a file says how to mend it.
  const isExplained = [obstacles, ...present.map(({ problems }) => problems)].flat().length > 0
  const again = isExplained ? '' : `, and run \`hookgate enable ${agent}\` again`
  return [
    calls
      ? { about, state: 'ok', what: `${titleOf(agent)} asks hookgate${answeredHow(status, client)}` }
      : {
          about,
          state: 'notSafe',
          what: `${titleOf(agent)} does not ask hookgate`,
          remedy: `see \`hookgate status ${agent}\`${again}`,
        },
    ...obstacles.map((what): DoctorFinding => ({ about, state: 'notSafe', what: `${titleOf(agent)}: ${what}` })),
    ...held.map((what): DoctorFinding => ({ about, state: 'ok', what: `${titleOf(agent)}: ${what}` })),
    ...(open ?? []).map((what): DoctorFinding => ({ about, state: 'note', what: `${titleOf(agent)}: ${what}` })),
    ...present.flatMap(({ place, problems, state, canaries }) =>
      [...problems, ...canaries.flatMap(({ problem }) => problem ?? [])].map((what): DoctorFinding => ({
        about,
        state: state === 'unproved' ? 'note' : 'notSafe',
        what: `${titleOf(agent)}, ${place}: ${what}`,
      })),
    ),
  ]
}

function answeredHow({ scopes }: AgentStatus, client: string | undefined): string {
  const first = scopes.flatMap(({ canaries }) => canaries).find(({ answered }) => answered)
  if (first === undefined) return ''
  const by = first.by === 'gate' ? 'the gate' : 'a separate process'
  return `${client === undefined ? '' : ` by the ${client} client`}; ${by} answered in ${first.durationMs} ms`
}

/** The part of a gate's recent events that is needed here, the same in every version. */
const Kept = z.looseObject({
  events: z.array(
    z.looseObject({
      record: z
        .looseObject({
          evaluations: z.array(
            z.looseObject({
              ruleId: z.string(),
              failure: z.looseObject({ code: z.string(), message: z.string() }).optional(),
            }),
          ),
        })
        .optional(),
    }),
  ),
})

/** Finds the hooks and policies that failed lately in the running gate, those in quarantine among them. */
export async function recentFailures(places: GatePaths): Promise<readonly DoctorFinding[]> {
  const events = await keptEvents(places)
  const records = events.flatMap(({ record }) => (record === undefined ? [] : [record]))
  const byRule = Map.groupBy(
    records.flatMap(({ evaluations }) => evaluations.filter(({ failure }) => failure !== undefined)),
    ({ ruleId }) => ruleId,
  )
  return [...byRule].flatMap(([ruleId, failures]) => {
    const last = failures.at(-1)?.failure
    // These broke nothing: the findings about rules name them.
    if (last === undefined || last.code === 'untrusted' || last.code === 'cancelled') return []
    const often = failures.length === 1 ? 'once' : `${failures.length} times`
    const state = last.message.startsWith('quarantined') ? 'notSafe' : 'note'
    const what = `${ruleId} failed ${often} in the last ${counted(records.length, 'event')}: ${firstLine(last.message)}`
    return [{ about: 'failures', state, what, remedy: 'fix it; `hookgate check` may say more' } satisfies DoctorFinding]
  })
}

async function keptEvents(places: GatePaths) {
  try {
    const { isAnswer, stdout } = await askGate(places, { to: 'events' })
    const kept = Kept.safeParse(JSON.parse(stdout))
    return isAnswer && kept.success ? kept.data.events : []
  } catch {
    // `checkGate` reports a gate that does not answer.
    return []
  }
}

/** Says how fresh the signed rules are, if a managed file names some. */
export function bundleNotes(
  state: BundleState | undefined,
): readonly { readonly isFine: boolean; readonly what: string }[] {
  if (state === undefined) return []
  const { channel, freshness, release, problem, switched } = state
  const why = problem === undefined ? '' : `: ${problem}`
  const isFine = freshness === 'fresh' && problem === undefined
  return [
    { isFine, what: `${inForceText(channel, freshness, release)}${why}` },
    ...switched.map((line) => ({ isFine: false, what: line })),
  ]
}

function inForceText(channel: string, freshness: BundleState['freshness'], release: BundleState['release']): string {
  if (freshness === 'missing') return `no signed rules of the channel ${channel} are in force`
  const age = freshness === 'fresh' ? 'fresh' : 'stale: nothing newer came for too long'
  if (release === undefined) return `the channel ${channel} has no release for this machine, and its word is ${age}`
  return `the bundle ${release.name} ${release.revision} (${release.mode}) of the channel ${channel} is ${age}`
}
