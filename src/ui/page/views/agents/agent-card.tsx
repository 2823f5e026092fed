import { counted, numberText } from '../../parts/counted.ts'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { AnswerOf, AskedOf, PartOf } from '../../../api.ts'
import { agentKind, type AgentRow, durationText } from '../../parts/text-parts.ts'
import { offerChange } from '../../changes.ts'
import { ask, failureOf, type RequestFailed } from '../../fetch.ts'
import { project } from '../../location.ts'
import { CommandLine, Moment, Text, TextList } from '../../parts/text.tsx'
import { Failed } from '../../parts/states.tsx'

/** One agent: its registrations, its decisions, and whether a canary proved that it asks. */
export function AgentCard({
  row,
  check,
  presets,
}: {
  readonly row: AgentRow
  /** `undefined` until it is checked. */
  readonly check: PartOf<'checkAgents'> | undefined
  /** The presets to choose from; empty if there are rules. */
  readonly presets: AnswerOf<'agents'>['presets']
}): JSX.Element {
  const isEnabled = agentKind(row) === 'enabled'
  const registered = row.places.filter(({ by }) => by !== undefined)
  return (
    <li class="card agent" aria-label={row.title}>
      <div class="row">
        <h3>{row.title}</h3>
        <StateBadge row={row} check={check} />
      </div>
      <Places row={row} />
      <Asked row={row} />
      {isEnabled && <CheckResult check={check} obstacles={row.obstacles} />}
      {!isEnabled && (
        <TextList kind="complaints" texts={[...row.places.flatMap(({ problems }) => problems), ...row.obstacles]} />
      )}
      <div class="row actions">
        <AgentSwitch row={row} presets={presets} />
        {registered.some(({ by }) => by === 'enable') && <FaultTrial agent={row.agent} />}
      </div>
    </li>
  )
}

function StateBadge({
  row,
  check,
}: {
  readonly row: AgentRow
  readonly check: PartOf<'checkAgents'> | undefined
}): JSX.Element {
  if (agentKind(row) === 'installed') return <span class="badge">not enabled</span>
  if (agentKind(row) === 'absent') return <span class="badge">not found</span>
  if (check === undefined) return <span class="badge">checking …</span>
  if ('problem' in check) return <span class="badge refused">cannot be checked</span>
  if (!check.check.calls) return <span class="badge refused">does not ask hookgate</span>
  const { length } = check.check.uncoveredEvents
  return length === 0 ? (
    <span class="badge allowed">proved: it asks hookgate</span>
  ) : (
    <span class="badge asked">asks, but not at every event with rules</span>
  )
}

/** Lists the files that register the agent or, if none does, the agent's own folder. */
function Places({ row: { places, folder } }: { readonly row: AgentRow }): JSX.Element | null {
  const registered = places.filter(({ by }) => by !== undefined)
  if (registered.length === 0) {
    if (folder === null) return null
    return (
      <p class="faint">
        Its folder is <Text text={folder} />
      </p>
    )
  }
  return (
    <ul class="places">
      {registered.map(({ scope, place, by, events }) => (
        <li key={place}>
          <Text text={place} />{' '}
          <span class="faint">
            {forWhom[scope]}, {byWhom[by ?? 'enable']}, at {counted(events.length, 'event')}
          </span>
        </li>
      ))}
    </ul>
  )
}

const forWhom = {
  managed: 'for everybody on this machine',
  user: 'for you',
  project: 'for everybody in this project',
} as const
const byWhom = { enable: 'by hookgate', hand: 'by hand', administrator: 'by an administrator' } as const

/** Figures of the agent's recorded calls. */
function Asked({ row: { figures, lastAt } }: { readonly row: AgentRow }): JSX.Element | null {
  if (figures === undefined && lastAt === undefined) return null
  const { decided, refused, asked, observed } = figures ?? { decided: 0, refused: 0, asked: 0, observed: 0 }
  return (
    <p class="row figures">
      <span>{counted(decided, 'decision')} in 30 days</span>
      {refused > 0 && <span class="badge refused">{numberText(refused)} refused</span>}
      {asked > 0 && <span class="badge asked">{numberText(asked)} asked</span>}
      {observed > 0 && <span class="badge observed">{numberText(observed)} observed</span>}
      {lastAt !== undefined && (
        <span class="faint">
          last recorded <Moment at={lastAt} />
        </span>
      )}
    </p>
  )
}

/** Enables or disables an agent, or says who does if the page cannot. */
function AgentSwitch({
  row: { agent, title, places },
  presets,
}: {
  readonly row: AgentRow
  /** The presets to choose from; empty if there are rules. */
  readonly presets: AnswerOf<'agents'>['presets']
}): JSX.Element {
  const [preset, setPreset] = useState('')
  const own = places.find(({ scope, by }) => scope === 'user' && by !== undefined)
  const isInProject = places.some(({ scope, by }) => scope === 'project' && by === 'enable')
  const isManaged = places.some(({ by }) => by === 'administrator')
  const enable = () => offerChange(`Enable ${title}`, { kind: 'enable', agent, ...(preset !== '' && { preset }) })
  return (
    <>
      {own === undefined && !isManaged && presets.length > 0 && (
        <label class="row">
          Rules to begin with
          <select value={preset} onChange={(event) => setPreset(event.currentTarget.value)}>
            <option value="">as hookgate suggests</option>
            {presets.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
            <option value="none">none yet</option>
          </select>
        </label>
      )}
      {own === undefined && isManaged && (
        <p class="faint">An administrator has registered it for everybody on this machine: only root can disable it</p>
      )}
      {own === undefined && !isManaged && (
        <button type="button" class="main" onClick={enable}>
          Enable {title}
        </button>
      )}
      {own?.by === 'enable' && (
        <button type="button" onClick={() => offerChange(`Disable ${title}`, { kind: 'disable', agent })}>
          Disable {title}
        </button>
      )}
      {own?.by === 'hand' && (
        <p class="faint">
          It was registered by hand: to disable it, remove hookgate from <Text text={own.place} />
        </p>
      )}
      {isInProject && (
        <CommandLine
          line={`hookgate disable ${agent} --scope project`}
          does="disables it for everybody who works on this project"
        />
      )}
    </>
  )
}

type CheckedAgent = Extract<PartOf<'checkAgents'>, { readonly check: unknown }>['check']

/** The result of a canary: a harmless event, sent as the agent sends its own. */
function CheckResult({
  check,
  obstacles,
}: {
  readonly check: PartOf<'checkAgents'> | undefined
  /** Obstacles that are known before the check. */
  readonly obstacles: readonly string[]
}): JSX.Element {
  if (check === undefined) {
    return (
      <>
        <p class="faint">A harmless event is sent as the agent would send it …</p>
        <TextList kind="complaints" texts={obstacles} />
      </>
    )
  }
  if ('problem' in check) return <TextList kind="complaints" texts={[check.problem]} />
  const { scopes, uncoveredEvents, notes } = check.check
  const wrong = [...check.check.obstacles, ...scopes.flatMap(({ problems }) => problems)]
  return (
    <>
      <Canaries scopes={scopes} />
      <TextList kind="complaints" texts={wrong} />
      {uncoveredEvents.length > 0 && (
        <p>
          It does not ask at <Text text={uncoveredEvents.join(', ')} />, though rules are about these events.
        </p>
      )}
      <TextList kind="remarks faint" texts={notes} />
    </>
  )
}

function Canaries({ scopes }: Pick<CheckedAgent, 'scopes'>): JSX.Element | null {
  const canaries = scopes.flatMap((scope) => scope.canaries)
  if (canaries.length === 0) return null
  return (
    <ul class="canaries">
      {canaries.map(({ way, answered, by, durationMs, problem }) => (
        <li key={way}>
          <details>
            <summary class={answered ? '' : 'wrong'}>
              {answered ? (
                `Answered in ${durationText(durationMs)} by ${by === 'gate' ? 'the resident gate' : 'a process of its own'}`
              ) : (
                <>
                  No answer: <Text text={problem ?? 'it is not known why'} />
                </>
              )}
            </summary>
            <span class="faint">Asked by</span> <Text text={way} />
          </details>
        </li>
      ))}
    </ul>
  )
}

type Faults = AnswerOf<'tryFaults'>
type Trial =
  | { readonly state: 'idle' | 'running' }
  | { readonly state: 'done'; readonly faults: Faults }
  | { readonly state: 'failed'; readonly error: RequestFailed }

/** Tries what an agent sees when the gate, the rules or the client fail: on demand, since it takes some seconds. */
function FaultTrial({ agent }: { readonly agent: AskedOf<'tryFaults'>['agent'] }): JSX.Element {
  const [trial, setTrial] = useState<Trial>({ state: 'idle' })
  async function run(): Promise<void> {
    setTrial({ state: 'running' })
    try {
      setTrial({ state: 'done', faults: await ask('tryFaults', { project: project.current.value, agent }) })
    } catch (cause) {
      setTrial({ state: 'failed', error: failureOf(cause) })
    }
  }
  return (
    <>
      <button type="button" disabled={trial.state === 'running'} onClick={() => void run()}>
        {trial.state === 'running' ? 'Testing failure modes …' : 'Test failure modes'}
      </button>
      <div class="trial" role="status">
        {trial.state === 'failed' && <Failed error={trial.error} />}
        {trial.state === 'done' && <FaultTable faults={trial.faults} />}
      </div>
    </>
  )
}

function FaultTable({ faults: { rows } }: { readonly faults: Faults }): JSX.Element {
  if (rows.length === 0) return <p>There is nothing to try: its hooks are not those of hookgate.</p>
  return (
    <div class="scroll">
      <table class="cards">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">It must see</th>
            <th scope="col">Result</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, what, seen, results }) => (
            <tr key={id}>
              <td>{what}</td>
              <td data-label="It must see">{seen}</td>
              <td data-label="Result">
                {results.map(({ kind, why }, index) => (
                  <span key={index}>
                    <span class={`badge ${kind === 'ok' ? 'allowed' : 'refused'}`}>{resultWords[kind]}</span>{' '}
                    {why !== undefined && <Text text={why} />}
                  </span>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const resultWords: Readonly<Record<Faults['rows'][number]['results'][number]['kind'], string>> = {
  ok: 'as it should be',
  notSafe: 'not safe',
  wrong: 'stopped for another reason',
}
