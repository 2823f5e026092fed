import { homedir } from 'node:os'
import { isAbsolute, join, relative } from 'node:path'
import type { HookEnvironment, Surroundings } from '../../model/dialect.ts'
import type { HookEvent } from '../../model/event.ts'
import type { CommandHandler } from '../../model/rule.ts'
import { isFolder } from '../is-folder.ts'

/**
 * What Cline gives a hook besides its stdin: its own environment whole, and for working directory the workspace root
 * that a workspace's hook belongs to, the primary root for a global hook (since 3.56.0).
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
    // A hook cannot be started in a folder that is gone.
    cwd: cwd ?? homedir(),
    env: Object.fromEntries(Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]))),
  }
}

/** By whole segments: Cline compares beginnings, so that its root `/a/app` claims the hooks of `/a/app2`. */
function isHookOf(root: string, { program }: CommandHandler): boolean {
  if (program.form !== 'script') return false
  const within = relative(join(root, '.clinerules', 'hooks'), program.file)
  return within !== '' && within.split(/[/\\]/)[0] !== '..' && !isAbsolute(within)
}
