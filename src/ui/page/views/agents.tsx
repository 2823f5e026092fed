import type { JSX } from 'preact'
import type { AnswerOf } from '../../api.ts'
import { Failed, Waiting } from '../parts/states.tsx'
import type { PageProtection } from '../use-protection.ts'
import { AgentCard } from './agents/agent-card.tsx'
import { GateCard } from './agents/gate-card.tsx'
import { agentKind, type AgentRow } from './agents/kind.ts'
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
