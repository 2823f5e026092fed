import { outcomeOf, shellCall } from '../agents/shell-call.ts'
import type { AgentName } from '../model/agents.ts'
import type { Heard } from './canary.ts'

/** The reason that an agent would take for its own from what came back, where it was told of a shell command. */
export const toldRefusal =
  (agent: AgentName, cwd: string) =>
  async ({ exitCode, stdout, stderr }: Heard): Promise<string | undefined> => {
    if (exitCode === null) return undefined
    const wire = await shellCall(agent, 'true', cwd, 'hookgate')
    const outcome = await outcomeOf(agent, wire, { exitCode, stdout, stderr })
    return outcome.kind === 'applicable' && outcome.effect === 'deny' ? outcome.reason : undefined
  }
