import { lstatSync } from 'node:fs'
import type { AgentStatus } from '../index.ts'
import { AgentName } from '../../model/agents.ts'
import { errorText } from '../../model/errors.ts'
import { choiceOf } from '../../model/text.ts'
import { isError, placesFor, problemText, readRules } from '../../rules/index.ts'
import { openToolFacts } from '../../facts/tool-call.ts'
import { openPolicyLoader } from '../../policy/compile/policy-loader.ts'
import { openSandbox } from '../../policy/open-sandbox.ts'
import { askStatus } from '../../server/ask-status.ts'
import type { Places } from '../../server/places.ts'
import { checkPlaces } from '../../server/private-folder.ts'
import { readToken } from '../../server/token.ts'
import type { Finding } from './finding.ts'

export interface Installed {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly home: string
  readonly places: Places
  readonly version: string
}

export function checkNode(node: string): Finding {
  return { about: 'node', state: 'ok', what: `Node ${process.versions.node}: ${node}` }
}

export async function checkGate({ places, version }: Installed): Promise<readonly Finding[]> {
  const about = 'gate'
  try {
    const status = await askStatus(places)
    if (!status.running) {
      if (status.why !== null) return [{ about, state: 'notSafe', what: `the gate: ${status.why}` }]
      const what = 'the gate is not running; until then, each event is decided by a separate process'
      return [{ about, state: 'note', what, remedy: 'run `hookgate up`' }]
    }
    const { pid, http, rules, warnings } = status
    const other = status.version !== version
    return [
      {
        about,
        state: other ? 'notSafe' : 'ok',
        what: `the gate is running: pid ${pid}, version ${status.version}${http === null ? '' : `, at ${http}`}`,
        ...(other && { remedy: `this is ${version}: run \`hookgate up\`` }),
      },
      ...[...(typeof rules === 'number' ? [] : [`its rules: ${rules.problem}`]), ...warnings].map((what): Finding => ({
        about,
        state: 'note',
        what,
      })),
    ]
  } catch (error) {
    return [{ about, state: 'notSafe', what: errorText(error) }]
  }
}

/** What others could get at: the folder, its socket's, and the token. */
export function checkPrivacy({ places }: Installed): readonly Finding[] {
  const { folder, token } = places
  const checks: readonly (readonly [what: string, check: () => unknown])[] = [
    ...(isThere(folder)
      ? [[`nobody else can reach the gate's socket: ${folder}`, () => checkPlaces(places)] as const]
      : []),
    ...(isThere(token) ? [[`nobody else can read the token: ${token}`, () => readToken(places)] as const] : []),
  ]
  return checks.map(([what, check]) => {
    try {
      check()
      return { about: 'privacy', state: 'ok', what }
    } catch (error) {
      return { about: 'privacy', state: 'notSafe', what: errorText(error) }
    }
  })
}

const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined

/** The rules that hold where the doctor is called, the workspace's among them. */
export async function checkRules({ env, cwd, home }: Installed): Promise<readonly Finding[]> {
  const about = 'rules'
  const sandbox = openSandbox('process', openToolFacts())
  try {
    const read = await readRules(placesFor({ env, cwd, home }), [cwd], openPolicyLoader(sandbox))
    const errors = read.problems.filter(isError)
    if (errors.length > 0) return errors.map((error) => ({ about, state: 'notSafe', what: problemText(error) }))
    const { rules } = read.ruleSet
    const distrusted = rules.filter(({ distrust }) => distrust !== undefined).length
    const warnings = read.problems.length
    return [
      rules.length === 0
        ? { about, state: 'note', what: 'there are no rules here', remedy: 'see `hookgate new --help`' }
        : { about, state: 'ok', what: rules.length === 1 ? 'one rule loads' : `${rules.length} rules load` },
      ...(distrusted > 0
        ? [note(about, `${distrusted} of them came with this folder and are not trusted`, 'see `hookgate trust`')]
        : []),
      ...(warnings > 0 ? [note(about, `there is more to report about them`, 'run `hookgate check`')] : []),
    ]
  } catch (error) {
    return [{ about, state: 'notSafe', what: errorText(error) }]
  } finally {
    await sandbox.close()
  }
}

const note = (about: Finding['about'], what: string, remedy: string): Finding => ({
  about,
  state: 'note',
  what,
  remedy,
})

/** @param demanded whether somebody asked about one agent by its name: then nothing is known of the others */
export function agentFindings(statuses: readonly AgentStatus[], demanded: boolean): readonly Finding[] {
  const found = statuses.flatMap((status) => findingsOf(status, demanded))
  const isAsked = statuses.some(({ scopes }) => scopes.some(({ state }) => state !== 'absent'))
  if (demanded || isAsked) return found
  const remedy = `run \`hookgate enable AGENT\`, where AGENT is ${choiceOf(AgentName.options)}`
  return [...found, { about: 'agent', state: 'notSafe', what: 'no agent asks hookgate, so it guards nothing', remedy }]
}

function findingsOf({ agent, calls, scopes, obstacles }: AgentStatus, demanded: boolean): readonly Finding[] {
  const about = 'agent'
  const present = scopes.filter(({ state }) => state !== 'absent')
  if (present.length === 0) {
    const remedy = `run \`hookgate enable ${agent}\``
    return [{ about, state: demanded ? 'notSafe' : 'note', what: `${agent} is not registered`, remedy }]
  }
  const works = calls ? present.flatMap(({ canaries }) => canaries).filter(({ answered }) => answered) : []
  const [first] = works
  const by = first?.by === 'gate' ? 'the gate' : 'a separate process'
  const how = first === undefined ? '' : `; ${by} answered in ${first.durationMs} ms`
  return [
    {
      about,
      state: calls ? 'ok' : 'notSafe',
      what: calls ? `${agent} asks hookgate${how}` : `${agent} does not ask hookgate`,
      ...(!calls && { remedy: `see \`hookgate status ${agent}\`, and run \`hookgate enable ${agent}\` again` }),
    },
    ...obstacles.map((what): Finding => ({ about, state: 'notSafe', what: `${agent}: ${what}` })),
    ...present.flatMap(({ place, problems, state, canaries }) =>
      [...problems, ...canaries.flatMap(({ problem }) => problem ?? [])].map((what): Finding => ({
        about,
        state: state === 'unproved' ? 'note' : 'notSafe',
        what: `${agent}, ${place}: ${what}`,
      })),
    ),
  ]
}
