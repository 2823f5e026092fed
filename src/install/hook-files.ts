import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { AgentName } from '../model/event.ts'
import { installationMark } from '../service/client/index.ts'
import type { InstallContext } from './install-context.ts'
import type { FileChange } from './files/change.ts'
import { lookAt } from './files/look-at.ts'
import { version } from '../files/version.ts'
import { clientFor, type HookCommand, hookFileFor, runCommandFor } from './hook-command.ts'

/** The folder of the files that an agent's hooks run: in hookgate's own. */
export const hookFolderOf = (agent: AgentName, { places }: Pick<InstallContext, 'places'>) =>
  join(places.folder, 'hooks', agent)

export const hookFilesOf = (agent: AgentName, context: InstallContext, events: readonly string[]): readonly string[] =>
  events.map((event) => join(hookFolderOf(agent, context), event))

/** The hook files of an agent, and the commands that run them. */
export interface HookFiles {
  readonly changes: readonly FileChange[]
  /** The commands run a thin client, which asks the gate within milliseconds. */
  readonly byClient: boolean
  /** Asks the gate, or decides by itself where there is no client. */
  commandFor(event: string): HookCommand
}

/**
 * Plans what an agent runs: a file for each event, since each is refused in its own way, or hookgate itself.
 *
 * @param timesOf the time that a client may take to answer before the file gives up on it
 */
export async function hookFiles<Event extends string>(
  agent: AgentName,
  context: InstallContext,
  events: readonly Event[],
  timesOf: (event: Event) => { readonly answerMs: number },
): Promise<HookFiles> {
  const client = await clientFor(context)
  if (client === undefined) {
    return { changes: [], byClient: false, commandFor: () => runCommandFor(agent, context.scope, context.launcher) }
  }
  const [shell = '/bin/sh', ...options] = client.shell
  const fileOf = (event: string) => join(hookFolderOf(agent, context), event)
  return {
    changes: events.map((event) =>
      ownFile(fileOf(event), Buffer.from(hookFileFor(agent, event, client, context, timesOf(event).answerMs)), []),
    ),
    byClient: true,
    commandFor: (event) => ({ command: shell, args: [...options, fileOf(event)] }),
  }
}

export function hookFilesGone(
  agent: AgentName,
  context: InstallContext,
  events: readonly string[],
): readonly FileChange[] {
  const folder = hookFolderOf(agent, context)
  const files = hookFilesOf(agent, context, events).filter((file) => existsSync(file))
  const last = files.at(-1)
  return files.map((file) => ownFile(file, undefined, file === last ? [dirname(folder), folder] : []))
}

/** Reads those of the files that are there. */
export const textsOf = (files: readonly string[]): readonly string[] =>
  files.filter((file) => existsSync(file)).map((file) => readFileSync(file, 'utf8'))

/** Reports hook files of an installation that is gone: they work as long as the present gate. */
export function installationGone(agent: AgentName, texts: readonly string[]): readonly string[] {
  const gone = [...new Set(texts.flatMap(installationIn))].filter((program) => !existsSync(program))
  return gone.length === 0
    ? []
    : [`if no gate runs, its hooks start ${gone.join(' and ')}, which is gone: ${enableAgain(agent)}`]
}

const enableAgain = (agent: AgentName) => `run \`hookgate enable ${agent}\` again`

/** Reports hook files of another version of hookgate: they work, but past the gate, and slowly. */
export function otherVersions(agent: AgentName, texts: readonly string[]): readonly string[] {
  const versions = texts.flatMap((text) => /^(?:#|\/\/) hookgate (\d\S*):/m.exec(text)?.[1] ?? [])
  const others = [...new Set(versions)].filter((one) => one !== version())
  if (others.length === 0) return []
  return [`its hooks were written by hookgate ${others.join(', ')}, and this is ${version()}: ${enableAgain(agent)}`]
}

/** Reads from a hook's file the programs that it runs without a gate; none from any other file. */
function installationIn(text: string): readonly string[] {
  const [, programs = '[]'] = text.split('\n', 2)[1]?.split(installationMark) ?? []
  try {
    return Programs.parse(JSON.parse(programs))
  } catch {
    return []
  }
}

const Programs = z.array(z.string())

function ownFile(file: string, after: Buffer | undefined, foldersToRemove: readonly string[]): FileChange {
  const looked = lookAt(file, undefined)
  return {
    file,
    looked,
    within: undefined,
    after,
    format: 'own',
    mode: 0o700,
    record: undefined,
    foldersToRemove,
    worthKeeping: false,
  }
}
