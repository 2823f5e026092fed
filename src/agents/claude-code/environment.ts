import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'
import type { HookEnvironment, Surroundings } from '../../model/dialect.ts'
import type { HookEvent } from '../../model/event.ts'
import type { CommandHandler } from '../../model/rule.ts'
import { isFolder } from '../is-folder.ts'

/**
 * Returns a hook's folder and variables as Claude Code sets them (measured on 2.1.329).
 *
 * These are its own environment without the telemetry settings, so that a hook does not report as the agent, and the
 * session's variables.
 */
export function environment(
  event: HookEvent,
  handler: CommandHandler,
  inherited: Surroundings['env'],
): HookEnvironment {
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(inherited)) {
    if (value !== undefined && !name.startsWith('OTEL_')) env[name] = value
  }
  env['CLAUDECODE'] = '1'
  env['CLAUDE_PROJECT_DIR'] = projectFolder(event, inherited)
  env['CLAUDE_CODE_SESSION_ID'] = event.session.id
  if (event.session.effort !== undefined) env['CLAUDE_EFFORT'] = event.session.effort
  else delete env['CLAUDE_EFFORT']
  return { cwd: workingFolder(event), env: { ...env, ...handler.env } }
}

/**
 * Returns the project's folder. Other agents' variable is ignored: five export it, and it may be a parent session's.
 */
function projectFolder({ agent, workspaceRoots, session }: HookEvent, inherited: Surroundings['env']): string {
  const named = inherited['CLAUDE_PROJECT_DIR']
  if (agent === 'claude-code' && named !== undefined && isAbsolute(named)) return named
  return workspaceRoots[0] ?? session.cwd
}

/** Chooses an existing folder: a session's folder may have been deleted, and no process can be started there. */
function workingFolder({ session, workspaceRoots }: HookEvent): string {
  const candidates = [session.cwd, ...workspaceRoots.slice(0, 1)]
  return candidates.find((folder) => isAbsolute(folder) && isFolder(folder)) ?? homedir()
}
