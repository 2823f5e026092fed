import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { carries } from '../../agents/droid/carries.ts'
import type { InstallContext } from '../install-context.ts'
import { jsonAt, switchedOff } from '../hooks-file/read-json.ts'
import type { HookFile, Registration } from '../hooks-file/registration.ts'

const folderOf = ({ scope, home, cwd }: InstallContext) => join(scope === 'user' ? home : cwd, '.factory')

/** Where there is a `hooks.json`, droid reads no hooks of the settings beside it, so one is not put before a person's own. */
function files(context: InstallContext): readonly [HookFile, HookFile] {
  const folder = folderOf(context)
  const own: HookFile = { file: join(folder, 'hooks.json'), at: 'top', holds: 'groups' }
  const settings: HookFile = { file: join(folder, 'settings.json'), at: 'hooks', holds: 'groups' }
  return !existsSync(own.file) && hasHooks(settings) ? [settings, own] : [own, settings]
}

const hasHooks = ({ file }: HookFile) => jsonAt(file, 'hooks') !== undefined

export const droid: Registration = {
  agent: 'droid',
  carries,
  files,
  wins: { position: 'first', since: 'droid takes the first answer' },
  entry: ({ command, timeoutS }) => ({ type: 'command', command, timeout: timeoutS }),
  obstacles: (context) =>
    switchedOff(
      [context.cwd, context.home].map((folder) => join(folder, '.factory', 'settings.json')),
      ['hooksDisabled'],
      true,
    ),
  notes: (context) =>
    (['user', 'project'] as const).flatMap((scope) => {
      const [own, settings] = files({ ...context, scope })
      return existsSync(own.file) && own.at === 'top' && hasHooks(settings)
        ? [`droid does not run the hooks in ${settings.file}, because ${own.file} exists`]
        : []
    }),
  steps: () => ['droid reads its hooks when a session starts: running sessions continue without it'],
}
