import { homedir } from 'node:os'
import { isAbsolute, join, relative } from 'node:path'
import type { HookEnvironment, Surroundings } from '../../model/dialect.ts'
import type { HookEvent } from '../../model/event.ts'
import type { CommandHandler } from '../../model/rule.ts'
import { isFolder } from '../is-folder.ts'

/**
 * Returns a hook's environment and working directory as Cline sets them.
 *
 * The environment is Cline's own; the working directory is the root that a workspace's hook belongs to, or the primary
 * root for a global hook (since 3.56.0).
 */
export function environment(
  event: HookEvent,
  handler: CommandHandler,
  inherited: Surroundings['env'],
): HookEnvironment {
  const own = event.workspaceRoots.find((root) => isHookOf(root, handler))
  const cwd = [own, event.workspaceRoots[0], event.session.cwd].find((path) => path !== undefined && isFolder(path))
  const env = { ...inherited, ...handler.env }
  return {
    // A process cannot be started in a folder that is gone.
    cwd: cwd ?? homedir(),
    env: Object.fromEntries(Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]))),
  }
}

/** Compares whole path segments: Cline compares prefixes, so that its root `/a/app` claims the hooks of `/a/app2`. */
function isHookOf(root: string, { program }: CommandHandler): boolean {
  if (program.form !== 'script') return false
  const within = relative(join(root, '.clinerules', 'hooks'), program.file)
  return within !== '' && within.split(/[/\\]/)[0] !== '..' && !isAbsolute(within)
}
