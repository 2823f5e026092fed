import { isAbsolute, join } from 'node:path'
import { HookgateError } from '../../model/errors.ts'
import { boundsOf, type InstallContext } from '../install-context.ts'
import { lookAt, type Looked } from '../files/look-at.ts'
import { isOwnPlugin } from './plugin-text.ts'

/** The plugin as it is now, and whether `enable` wrote it. */
export interface PluginFile {
  readonly file: string
  readonly looked: Looked
  readonly within: string | undefined
  readonly own: 'absent' | 'yes' | 'no'
}

/** @throws HookgateError `usage` where the home folder is no absolute path */
export function pluginPath(context: InstallContext): string {
  const folder = context.scope === 'project' ? join(context.cwd, '.opencode') : configFolder(context)
  // OpenCode takes every file in it for a plugin.
  return join(folder, 'plugins', 'hookgate.js')
}

export function pluginFile(context: InstallContext): PluginFile {
  const file = pluginPath(context)
  const within = boundsOf(context)
  const looked = lookAt(file, within)
  const { present } = looked
  if (present === undefined) return { file, looked, within, own: 'absent' }
  return { file, looked, within, own: isOwnPlugin(present.bytes.toString()) ? 'yes' : 'no' }
}

function configFolder({ env, home }: InstallContext): string {
  const xdg = env['XDG_CONFIG_HOME']
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, 'opencode')
  if (isAbsolute(home)) return join(home, '.config', 'opencode')
  throw new HookgateError('usage', `the home folder \`${home}\` is not an absolute path`, { remedy: 'set `HOME`' })
}
