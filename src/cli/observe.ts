import { invocationOf, type Printed } from './command.ts'
import { emitFor } from './emit.ts'
import { readEvent } from './read-event.ts'

/** Runs a command that only forwards an event, without loading the code of other commands. */
export function observe(name: string, argv: readonly string[], isFolderGone: boolean): Promise<Printed> {
  const command = emitFor(name, agents.get(name))
  return command.run(invocationOf(argv, readEvent(), isFolderGone))
}

const agents: ReadonlyMap<string, string> = new Map([
  ['cline-hook', 'cline'],
  ['claude-hook', 'claude-code'],
])
