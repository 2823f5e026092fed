import { outcomeOf, shellCall } from '../agents/shell-call.ts'
import type { AgentName } from '../model/agents.ts'
import type { CanaryResponse } from './canary.ts'

/** Reads the reason of a refusal as the agent itself would, had it asked about a shell command. */
export const refusalIn =
  (agent: AgentName, cwd: string) =>
  async ({ exitCode, stdout, stderr }: CanaryResponse): Promise<string | undefined> => {
    if (exitCode === null) return undefined
    const wire = await shellCall(agent, 'true', cwd, 'hookgate')
    const outcome = await outcomeOf(agent, wire, { exitCode, stdout, stderr })
    return outcome.kind === 'applicable' && outcome.effect === 'deny' ? outcome.reason : undefined
  }
