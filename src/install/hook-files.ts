import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AgentName } from '../model/agents.ts'
import type { InstallContext } from './install-context.ts'
import type { FileChange } from './files/change.ts'
import { lookAt } from './files/look-at.ts'
import { clientFor, type HookCommand, hookFileFor, runCommandFor } from './hook-command.ts'

/** Where the files lie that an agent's hooks run: in hookgate's own folder. */
export const hookFolderOf = (agent: AgentName, { places }: Pick<InstallContext, 'places'>) =>
  join(places.folder, 'hooks', agent)

export interface HookFiles {
  readonly changes: readonly FileChange[]
  /** Asks the gate, or decides by itself where there is no client. */
  commandFor(event: string): HookCommand
}

/**
 * What an agent runs: a file for each event, since each is refused in its own way, or hookgate itself.
 *
 * @param timesOf how long a client may take to answer before it is given up
 */
export async function hookFiles<Event extends string>(
  agent: AgentName,
  context: InstallContext,
  events: readonly Event[],
  timesOf: (event: Event) => { readonly answerMs: number },
): Promise<HookFiles> {
  const client = await clientFor(context)
  if (client === undefined) {
    return { changes: [], commandFor: () => runCommandFor(agent, context.scope, context.launcher) }
  }
  const [shell = '/bin/sh', ...options] = client.shell
  const fileOf = (event: string) => join(hookFolderOf(agent, context), event)
  return {
    changes: events.map((event) =>
      ownFile(fileOf(event), Buffer.from(hookFileFor(agent, event, client, context, timesOf(event).answerMs)), []),
    ),
    commandFor: (event) => ({ command: shell, args: [...options, fileOf(event)] }),
  }
}

export function hookFilesGone(
  agent: AgentName,
  context: InstallContext,
  events: readonly string[],
): readonly FileChange[] {
  const folder = hookFolderOf(agent, context)
  const files = events.map((event) => join(folder, event)).filter((file) => existsSync(file))
  const last = files.at(-1)
  return files.map((file) => ownFile(file, undefined, file === last ? [dirname(folder), folder] : []))
}

function ownFile(file: string, after: Buffer | undefined, foldersToRemove: readonly string[]): FileChange {
  const looked = lookAt(file, undefined)
  return {
    file,
    looked,
    within: undefined,
    after,
    mode: 0o700,
    record: undefined,
    foldersToRemove,
    worthKeeping: false,
  }
}
