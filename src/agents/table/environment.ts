import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'
import type { HookEnvironment, Surroundings } from '../../model/dialect.ts'
import type { HookEvent } from '../../model/event.ts'
import type { CommandHandler } from '../../model/rule.ts'
import { isFolder } from '../is-folder.ts'
import type { WireTable } from './table.ts'

/** A hook's process: what hookgate itself was given, the agent's own variables, and the folder it runs them in. */
export function environmentBy(
  table: WireTable,
): (event: HookEvent, handler: CommandHandler, inherited: Surroundings['env']) => HookEnvironment {
  return (event, handler, inherited) => {
    const env: Record<string, string> = {}
    for (const [name, value] of Object.entries(inherited)) if (value !== undefined) env[name] = value
    return { cwd: workingFolder(event, table), env: { ...env, ...table.variables(event), ...handler.env } }
  }
}

/** A session may stand in a folder that was deleted under it; no process can be started there. */
function workingFolder({ session, workspaceRoots }: HookEvent, { runsIn }: WireTable): string {
  const [project = session.cwd] = workspaceRoots
  const candidates = runsIn === 'project' ? [project, session.cwd] : [session.cwd, project]
  return candidates.find((folder) => isAbsolute(folder) && isFolder(folder)) ?? homedir()
}
