import { isAbsolute, join, relative } from 'node:path'
import { definedVariables, existingFolder } from '../environment.ts'
import type { HookEnvironment, Surroundings } from '../../model/dialect.ts'
import type { HookEvent } from '../../model/event.ts'
import type { CommandHandler } from '../../model/rule.ts'

/**
 * Returns a hook's environment and working directory as Cline sets them.
 *
 * The environment is Cline's own; the working directory is the root that a workspace's hook belongs to, or the primary
 * root for a global hook (since 3.56.0).
 */
export function environment(
  { workspaceRoots, session }: HookEvent,
  handler: CommandHandler,
  inherited: Surroundings['env'],
): HookEnvironment {
  const own = workspaceRoots.filter((root) => isHookOf(root, handler)).slice(0, 1)
  return {
    cwd: existingFolder([...own, ...workspaceRoots.slice(0, 1), session.cwd]),
    env: { ...definedVariables(inherited), ...handler.env },
  }
}

/** Compares whole path segments: Cline compares prefixes, so that its root `/a/app` claims the hooks of `/a/app2`. */
function isHookOf(root: string, { program }: CommandHandler): boolean {
  if (program.form !== 'script') return false
  const within = relative(join(root, '.clinerules', 'hooks'), program.file)
  return within !== '' && within.split(/[/\\]/)[0] !== '..' && !isAbsolute(within)
}
