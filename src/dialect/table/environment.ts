import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'
import type { HookEnvironment, Surroundings } from '../../model/dialect.ts'
import type { HookEvent } from '../../model/event.ts'
import type { CommandHandler } from '../../model/rule.ts'
import { isFolder } from '../is-folder.ts'
import type { WireTable } from './table.ts'

/** A hook's process: what hookgate itself was given, the agent's own variables, and the session's folder. */
export function environmentBy(
  table: WireTable,
): (event: HookEvent, handler: CommandHandler, inherited: Surroundings['env']) => HookEnvironment {
  return (event, handler, inherited) => {
    const env: Record<string, string> = {}
    for (const [name, value] of Object.entries(inherited)) if (value !== undefined) env[name] = value
    return { cwd: workingFolder(event), env: { ...env, ...table.variables(event), ...handler.env } }
  }
}

/** A session may stand in a folder that was deleted under it; no process can be started there. */
function workingFolder({ session, workspaceRoots }: HookEvent): string {
  const candidates = [session.cwd, ...workspaceRoots.slice(0, 1)]
  return candidates.find((folder) => isAbsolute(folder) && isFolder(folder)) ?? homedir()
}
