import { isAbsolute, join } from 'node:path'
import { HookgateError } from '../../model/errors.ts'
import type { InstallContext } from '../install-context.ts'
import { lookAt, type Looked } from '../files/look-at.ts'
import { isOwnPlugin } from './plugin-text.ts'

export interface PluginFile {
  readonly file: string
  readonly looked: Looked
  readonly within: string | undefined
  readonly own: 'absent' | 'yes' | 'no'
}

/** Every file in that folder is a plugin. */
export function pluginFile(context: InstallContext): PluginFile {
  const { scope, cwd } = context
  const file = join(scope === 'project' ? join(cwd, '.opencode') : configFolder(context), 'plugins', 'hookgate.js')
  const within = scope === 'project' ? cwd : undefined
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
