import type { ComponentChildren, JSX } from 'preact'
import type { AnswerOf } from '../../api.ts'
import { agentKind, type AgentRow } from '../parts/text-parts.ts'
import { CommandLine, Moment, RecordState, Text, TextList } from '../parts/text.tsx'
import { Failed, StartGate, Waiting } from '../parts/states.tsx'
import type { PageProtection } from '../use-protection.tsx'
import { AgentCard } from './agents/agent-card.tsx'
import { ProtectionReasons } from './now/protection.tsx'

/** The resident gate, and every agent that hookgate knows. */
export function AgentsView({ protection }: { readonly protection: PageProtection }): JSX.Element {
  const { gate, agents, turn, isBusy, again } = protection
  return (
    <>
      <div class="row agents-head">
        <h1>Agents</h1>
        <span role="status" class="faint">
          {turn.isRunning ? `Checking: ${turn.checks.size} of ${turn.total} done` : ''}
        </span>
        <button type="button" disabled={isBusy} onClick={again}>
          Check again
        </button>
      </div>
      <ProtectionReasons reasons={protection.state.reasons} />
      {gate.state === 'failed' && <Failed error={gate.error} onRetry={again} />}
      {gate.answer !== undefined && <GateCard gate={gate.answer} onStarted={again} />}
      {gate.state === 'waiting' && gate.answer === undefined && <Waiting what="Asking the resident gate" />}
      {agents.state === 'failed' && <Failed error={agents.error} onRetry={again} />}
      {agents.state === 'waiting' && agents.answer === undefined && <Waiting what="Looking at your agents" />}
      {agents.answer !== undefined && (
        <AllAgents answer={agents.answer} checks={turn.checks} isUnruled={gate.answer?.protection === 'none'} />
      )}
    </>
  )
}

function AllAgents({
  answer: { agents, presets },
  checks,
  isUnruled,
}: {
  readonly answer: AnswerOf<'agents'>
  readonly checks: PageProtection['turn']['checks']
  readonly isUnruled: boolean
}): JSX.Element {
  const enabled = agents.filter((row) => agentKind(row) === 'enabled')
  const installed = agents.filter((row) => agentKind(row) === 'installed')
  const others = agents.filter((row) => agentKind(row) === 'absent')
  const cards = (rows: readonly AgentRow[]) => (
    <ul class="agents">
      {rows.map((row) => (
        <AgentCard key={row.agent} row={row} check={checks.get(row.agent)} presets={isUnruled ? presets : []} />
      ))}
    </ul>
  )
  return (
    <>
      {enabled.length > 0 && <h2>Enabled</h2>}
      {cards(enabled)}
      {installed.length > 0 && <h2>On this machine, not enabled</h2>}
      {cards(installed)}
      {others.length > 0 && (
        <details class="others" open={enabled.length + installed.length === 0}>
          <summary>
            <h2>Not found on this machine ({others.length})</h2>
          </summary>
          {cards(others)}
        </details>
      )}
    </>
  )
}

type ShownGate = AnswerOf<'gate'>

/** The gate that answers all agents. */
function GateCard({ gate, onStarted }: { readonly gate: ShownGate; readonly onStarted: () => void }): JSX.Element {
  return (
    <section class="card gate" aria-labelledby="gate-title">
      <div class="row">
        <h2 id="gate-title">Resident gate</h2>
        {gate.running ? (
          <span class="badge allowed">running</span>
        ) : (
          <span class={`badge ${gate.why === null ? '' : 'refused'}`}>not running</span>
        )}
      </div>
      <Warnings gate={gate} />
      <dl class="facts">
        {gate.running && <RunningFacts gate={gate} />}
        <Fact name="Socket">
          <Text text={gate.socket} />
        </Fact>
        <Fact name="Log">
          <Text text={gate.log} />
        </Fact>
        <Fact name="Record">
          <RecordState record={gate.record} />
        </Fact>
      </dl>
      {gate.running ? (
        <CommandLine line="hookgate down" does="stops it; your agents are then answered by a process for each event" />
      ) : (
        <div class="row">
          <StartGate onStarted={onStarted} />
          <span class="faint">The first event of an agent does so, too.</span>
        </div>
      )}
    </section>
  )
}

function RunningFacts({ gate }: { readonly gate: ShownGate & { readonly running: true } }): JSX.Element {
  const { pid, version, startedAt, http, tokenFile, inFlight, rules, export: exported } = gate
  return (
    <>
      <Fact name="Version">
        <Text text={version} />
      </Fact>
      <Fact name="Running since">
        <Moment at={startedAt} /> <span class="faint">(process {pid})</span>
      </Fact>
      <Fact name="HTTP">
        {http === null ? (
          'off'
        ) : (
          <>
            <Text text={http} /> <span class="faint">with the token in</span> <Text text={tokenFile ?? ''} />
          </>
        )}
      </Fact>
      <Fact name="Events in flight">{inFlight}</Fact>
      {typeof rules === 'number' && <Fact name="Rules for all projects">{rules}</Fact>}
      {exported.map(({ name, sent, refused, removed }) => (
        <Fact key={name} name="Export">
          <Text text={name} />: {sent} sent{refused + removed > 0 && `, ${refused + removed} dropped`}
        </Fact>
      ))}
    </>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Warnings({ gate }: { readonly gate: ShownGate }): JSX.Element {
  const { why, record, notAsking } = { why: null, ...gate }
  const rules = gate.running && typeof gate.rules !== 'number' ? [`Its rules do not load: ${gate.rules.problem}`] : []
  const all = [
    ...(why === null ? [] : [why]),
    ...rules,
    ...(gate.running ? gate.warnings : []),
    ...(record.problem === undefined ? [] : [record.problem]),
    ...notAsking,
  ]
  return <TextList kind="complaints" texts={all} />
}
