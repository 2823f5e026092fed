import { invocationOf, type Printed } from './command.ts'
import { emitFor } from './emit.ts'
import { readEvent } from './read-event.ts'

/** Runs one of the commands that only hand an event on, without what the others need. */
export function observe(name: string, argv: readonly string[], isFolderGone: boolean): Promise<Printed> {
  const command = emitFor(name, agents.get(name))
  return command.run(invocationOf(argv, readEvent(), isFolderGone))
}

const agents: ReadonlyMap<string, string> = new Map([
  ['cline-hook', 'cline'],
  ['claude-hook', 'claude-code'],
])
