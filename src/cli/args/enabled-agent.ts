import { firstAgent, type KnownAgent, titleOf } from '../../agents/registry.ts'
import { HookgateError } from '../../model/errors.ts'
import type { Invocation } from '../command.ts'
import { installContextFor } from './install-context.ts'

/** An agent that a command assumes because none was named. */
interface AssumedAgent {
  readonly agent: KnownAgent
  /** The reason for this one, as a phrase: `the agent that is enabled here`. */
  readonly why: string
}

const another = '`--agent NAME` takes another'

/** Finds the agent that is enabled here: of several, the first in the order of `--help`; of none, the first of all. */
export async function assumedAgent(invocation: Pick<Invocation, 'env' | 'cwd'>): Promise<AssumedAgent> {
  const [first, ...others] = await enabledAgents(invocation)
  if (first === undefined) return { agent: firstAgent, why: `since no agent is enabled here; ${another}` }
  if (others.length === 0) return { agent: first, why: 'the agent that is enabled here' }
  const titles = [first, ...others].map(titleOf).join(', ')
  return { agent: first, why: `the first of the agents that are enabled here (${titles}); ${another}` }
}

/** Returns the agents that are enabled here, in the order of `--help`. */
async function enabledAgents(invocation: Pick<Invocation, 'env' | 'cwd'>): Promise<readonly KnownAgent[]> {
  try {
    const { registeredAgents } = await import('../../install/index.ts')
    return await registeredAgents(installContextFor(invocation))
  } catch (error) {
    // Without a home folder, no agent can be enabled.
    if (error instanceof HookgateError) return []
    throw error
  }
}
