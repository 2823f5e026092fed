import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AgentDescriptor } from '../agents/descriptor.ts'
import type { KnownAgent } from '../agents/registry.ts'
import type { InstallContext, Installer, RegisteredPlace } from './install-context.ts'
import { registrationsOf } from './status.ts'
import { switchesOf } from './switches.ts'

/** An agent on this machine, as far as reading its files tells. */
export interface AgentHere {
  readonly agent: KnownAgent
  readonly title: string
  /** A folder that an installed agent has; `null` if there is none. */
  readonly folder: string | null
  /** Every place where hookgate is or could be registered. */
  readonly places: readonly RegisteredPlace[]
  /** Settings with which the agent runs no hook of hookgate in the context's folder. */
  readonly obstacles: readonly string[]
}

export async function agentHere(
  agent: AgentDescriptor<KnownAgent>,
  installer: Installer,
  context: InstallContext,
): Promise<AgentHere> {
  const { name, title } = agent
  const places = await registrationsOf(installer, context)
  return {
    agent: name,
    title,
    folder: agentFolder(agent, places, context),
    places,
    obstacles: switchesOf(name, context),
  }
}

/** Finds a folder of the agent: one of those that its program makes, or the one that its settings are in. */
function agentFolder(
  { folders, installedFolders = folders }: AgentDescriptor<KnownAgent>,
  places: readonly RegisteredPlace[],
  { home }: InstallContext,
): string | null {
  // An agent without a folder of its own has its settings in that of another one.
  const own =
    folders.length === 0 ? [] : places.filter(({ scope }) => scope === 'user').map(({ place }) => dirname(place))
  return [...installedFolders.map((name) => join(home, name)), ...own].find((folder) => existsSync(folder)) ?? null
}
