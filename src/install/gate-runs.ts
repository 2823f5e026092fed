import { type AgentName, titleOf } from '../model/agents.ts'
import { presenceAt } from '../server/presence.ts'
import type { InstallContext, ScopeStatus } from './install-context.ts'

/** Whether a gate is there, to whoever only asks. */
export async function gateRuns({ places }: InstallContext): Promise<boolean> {
  return (await presenceAt(places)).kind === 'answering'
}

/** What a person should know of who answered. */
export function gateNotes(agent: AgentName, runs: boolean, scopes: readonly ScopeStatus[]): readonly string[] {
  if (runs || scopes.every(({ canaries }) => canaries.length === 0)) return []
  const alone = scopes.some(({ canaries }) => canaries.some(({ by }) => by === 'process'))
  const answered = alone ? ', and a process of its own answered' : ', and one that was started for it answered'
  return [
    `the gate is not running${answered}: \`hookgate up\` starts it, and so does the first event of ${titleOf(agent)}`,
  ]
}
