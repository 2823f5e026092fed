import type { JSX } from 'preact'
import type { AnswerOf, PartOf } from '../../../api.ts'
import { Moment } from '../../parts/moment.tsx'
import { Text } from '../../parts/text.tsx'
import { TextList } from '../../parts/text-list.tsx'
import { AgentSwitch } from './agent-switch.tsx'
import { CheckResult } from './check-result.tsx'
import { FaultTrial } from './fault-trial.tsx'
import { agentKind, type AgentRow } from './kind.ts'

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
            {scope === 'user' ? 'for you' : 'for everybody in this project'},{' '}
            {by === 'hand' ? 'by hand' : 'by hookgate'}, at{' '}
            {events.length === 1 ? 'one event' : `${events.length} events`}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Figures of the agent's recorded calls. */
function Asked({ row: { figures, lastAt } }: { readonly row: AgentRow }): JSX.Element | null {
  if (figures === undefined && lastAt === undefined) return null
  const { decided, refused, asked, observed } = figures ?? { decided: 0, refused: 0, asked: 0, observed: 0 }
  return (
    <p class="row figures">
      <span>{decided === 1 ? 'One decision' : `${decided.toLocaleString('en')} decisions`} in 30 days</span>
      {refused > 0 && <span class="badge refused">{refused} refused</span>}
      {asked > 0 && <span class="badge asked">{asked} asked</span>}
      {observed > 0 && <span class="badge observed">{observed} observed</span>}
      {lastAt !== undefined && (
        <span class="faint">
          last recorded <Moment at={lastAt} />
        </span>
      )}
    </p>
  )
}
