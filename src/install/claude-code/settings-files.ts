import { readdirSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { HookgateError } from '../../model/errors.ts'
import type { InstallContext } from '../install-context.ts'

/** @throws HookgateError `usage` where the home folder is no absolute path */
export const settingsFileOf = (context: InstallContext): string =>
  context.scope === 'user'
    ? join(configFolder(context), 'settings.json')
    : join(context.cwd, '.claude', 'settings.json')

function configFolder({ env, cwd, home }: InstallContext): string {
  const named = env['CLAUDE_CONFIG_DIR']
  if (named !== undefined && named !== '') return resolve(cwd, named)
  if (isAbsolute(home)) return join(home, '.claude')
  throw new HookgateError('usage', `the home folder \`${home}\` is not an absolute path`, { remedy: 'set `HOME`' })
}

/** Settings with their name for people, those that win over the others first. */
export function allSettings(context: InstallContext): readonly { readonly name: string; readonly file: string }[] {
  const managed = context.claudeManagedFolder ?? managedFolders[context.platform] ?? '/etc/claude-code'
  return [
    ...dropIns(join(managed, 'managed-settings.d')).map((file) => ({ name: 'managed', file })),
    { name: 'managed', file: join(managed, 'managed-settings.json') },
    { name: 'local', file: join(context.cwd, '.claude', 'settings.local.json') },
    { name: 'project', file: join(context.cwd, '.claude', 'settings.json') },
    { name: 'user', file: join(configFolder(context), 'settings.json') },
  ]
}

const managedFolders: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: '/Library/Application Support/ClaudeCode',
  win32: 'C:\\Program Files\\ClaudeCode',
}

/** The last of them wins. */
function dropIns(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .toSorted()
      .toReversed()
      .map((name) => join(folder, name))
  } catch {
    return []
  }
}
