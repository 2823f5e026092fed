import { useEffect } from 'preact/hooks'
import { changeCount } from './changes.ts'
import { useWaitingNotices } from './notify-waiting.tsx'
import { project } from './project.ts'
import { useAnswer } from './use-answer.ts'
import { agentKind } from './views/agents/kind.ts'
import { useChecks } from './views/agents/use-checks.ts'
import { protectionOf } from './views/now/protection-state.ts'

export type PageProtection = ReturnType<typeof useProtection>

/** Checks once for all views whether calls are checked: the gate, the agents, and a canary of each enabled agent. */
export function useProtection() {
  const looked = { project: project.started.value }
  const [gate, askGate] = useAnswer('gate', looked)
  const [agents, askAgents] = useAnswer('agents', looked)
  const [turn, checkAgents] = useChecks(
    looked.project,
    agents.answer?.agents.filter((row) => agentKind(row) === 'enabled').map(({ agent }) => agent),
  )
  const again = () => {
    askGate()
    askAgents()
    checkAgents()
  }
  const changes = changeCount.value
  useEffect(() => {
    if (changes > 0) again()
  }, [changes])
  const [approvals, askApprovals] = useAnswer('approvals', {})
  useEffect(() => {
    const timer = setInterval(askApprovals, waitingMs)
    return () => clearInterval(timer)
  }, [])
  const requests = approvals.answer?.requests ?? []
  useWaitingNotices(requests)
  return {
    gate,
    agents,
    turn,
    isBusy: turn.isRunning || agents.state === 'waiting' || gate.state === 'waiting',
    state: protectionOf({ gate: gate.answer, agents: agents.answer?.agents, checks: turn.checks }),
    approvals,
    askApprovals,
    /** The number of calls that wait for a person. */
    waiting: requests.length,
    again,
  }
}

/** Time between two looks for calls that wait, ms: such a call has minutes. */
const waitingMs = 2000
