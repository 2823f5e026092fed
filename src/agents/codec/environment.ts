import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'
import type { HookEnvironment, Surroundings } from '../../model/dialect.ts'
import type { HookEvent } from '../../model/event.ts'
import type { CommandHandler } from '../../model/rule.ts'
import { isFolder } from '../../files/entries.ts'

/** The environment that an agent gives its hooks. */
export interface EnvironmentRules {
  /** Whether hooks run in the session's current folder or in the project's. */
  readonly runsIn: 'session' | 'project'
  /** Returns the variables set in addition to hookgate's own; `root` is the project's folder. */
  readonly variables?: (event: HookEvent, root: string, inherited: Surroundings['env']) => Variables
  /** Returns whether a variable of hookgate's own is kept from the agent's hooks. */
  readonly withholds?: (name: string) => boolean
}
type Variables = Readonly<Record<string, string>>

/** Returns a hook's variables and working directory as its agent would set them. */
export function hookEnvironment(
  { runsIn, variables = () => ({}), withholds = () => false }: EnvironmentRules,
  event: HookEvent,
  handler: CommandHandler,
  inherited: Surroundings['env'],
): HookEnvironment {
  const { session, workspaceRoots } = event
  const [project = session.cwd] = workspaceRoots
  const kept = Object.entries(definedVariables(inherited)).filter(([name]) => !withholds(name))
  return {
    cwd: existingFolder(runsIn === 'project' ? [project, session.cwd] : [session.cwd, project]),
    env: { ...Object.fromEntries(kept), ...variables(event, project, inherited), ...handler.env },
  }
}

export function definedVariables(env: Surroundings['env']): Variables {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** Chooses the first folder that exists: a session's may have been deleted, and no process can be started there. */
export function existingFolder(candidates: readonly string[]): string {
  return candidates.find((folder) => isAbsolute(folder) && isFolder(folder)) ?? homedir()
}
