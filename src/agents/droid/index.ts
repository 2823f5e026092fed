import { join } from 'node:path'
import type { AgentDescriptor } from '../descriptor.ts'
import type { HooksFile, InstallSite } from '../install.ts'
import { switchedOff } from '../settings.ts'
import { carries } from './carries.ts'

/**
 * The files in which droid keeps hooks, the one that it reads first. It reads no hooks of the settings beside a `hooks.json`,
 * so none is put before the hooks that a person keeps in the settings.
 */
function filesOf(site: InstallSite): readonly [HooksFile, HooksFile] {
  const folder = join(site.scope === 'user' ? site.home : site.cwd, '.factory')
  const own: HooksFile = { file: join(folder, 'hooks.json'), at: 'top', holds: 'groups' }
  const settings: HooksFile = { file: join(folder, 'settings.json'), at: 'hooks', holds: 'groups' }
  return !site.settings.exists(own.file) && hasHooks(site, settings) ? [settings, own] : [own, settings]
}

const hasHooks = ({ settings }: InstallSite, { file }: HooksFile) => settings.json(file, 'hooks') !== undefined

export const droid: AgentDescriptor<'droid'> = {
  name: 'droid',
  title: 'droid',
  carries,
  install: {
    kind: 'hooks-file',
    files: filesOf,
    wins: { position: 'first', since: 'droid takes the first answer' },
    entry: ({ command, timeoutS }) => ({ type: 'command', command, timeout: timeoutS }),
    obstacles: (site) =>
      switchedOff(
        site,
        [site.cwd, site.home].map((folder) => join(folder, '.factory', 'settings.json')),
        ['hooksDisabled'],
        true,
      ),
    notes: (site) =>
      (['user', 'project'] as const).flatMap((scope) => {
        const [own, settings] = filesOf({ ...site, scope })
        return own.at === 'top' && site.settings.exists(own.file) && hasHooks(site, settings)
          ? [`droid does not run the hooks in ${settings.file}, because ${own.file} exists`]
          : []
      }),
    steps: () => ['droid reads its hooks when a session starts: running sessions continue without it'],
  },
}
