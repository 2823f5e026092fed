import { agentNames } from '../../../agents/registry.ts'
import type { AgentHere } from '../../../install/index.ts'
import { printable } from '../../../model/text.ts'
import { type CommandOutput, type Invocation, jsonText, printed } from '../../command.ts'
import { installContextFor } from '../../args/install-context.ts'

/** Prints which agents are on this machine and where hookgate is registered, and tries nothing. */
export async function printAgentList(
  invocation: Pick<Invocation, 'env' | 'cwd'>,
  asJson: boolean,
): Promise<CommandOutput> {
  const { agentsHere } = await import('../../../install/index.ts')
  const agents = await agentsHere(installContextFor(invocation))
  return printed(asJson ? jsonText({ agents }, 2) : agents.flatMap(listLines).join(''))
}

const width = Math.max(...agentNames.map((name) => name.length)) + 2

function listLines({ agent, folder, places, obstacles }: AgentHere): readonly string[] {
  const registered = places.filter(({ by }) => by !== undefined)
  const what =
    registered.length > 0
      ? registered.map(({ scope, place, by }) => `registered${by === 'hand' ? ' by hand' : ''} (${scope}): ${place}`)
      : [folder === null ? 'not found on this machine' : `not registered; its folder is ${folder}`]
  const wrong = [...places.flatMap(({ problems }) => problems), ...obstacles].map((why) => `  but ${why}`)
  return [...what, ...wrong].map(
    (text, index) => `${printable(`${(index === 0 ? agent : '').padEnd(width)}${text}`)}\n`,
  )
}
