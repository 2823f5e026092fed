import { join } from 'node:path'
import type { AgentDescriptor } from '../descriptor.ts'
import type { InstallSite } from '../install.ts'
import { isBelow, ownFolder, switchedOff } from '../settings.ts'
import { carries } from './carries.ts'

const folderOf = (site: InstallSite) => ownFolder(site, 'COPILOT_HOME', '.copilot')

export const copilotCli: AgentDescriptor<'copilot-cli'> = {
  name: 'copilot-cli',
  title: 'Copilot CLI',
  carries,
  install: {
    kind: 'hooks-file',
    files: (site) => [
      {
        file: join(site.scope === 'user' ? folderOf(site) : join(site.cwd, '.github'), 'hooks', 'hookgate.json'),
        at: 'hooks',
        holds: 'handlers',
      },
    ],
    beside: { version: 1 },
    // Without a `matcher`: `*` would match no tool at all.
    entry: ({ command, platform, timeoutS }) => ({
      type: 'command',
      ...(platform === 'win32' ? { powershell: command } : { bash: command }),
      timeoutSec: timeoutS,
    }),
    obstacles: (site) =>
      switchedOff(
        site,
        [
          join(site.cwd, '.github', 'copilot', 'settings.local.json'),
          join(site.cwd, '.github', 'copilot', 'settings.json'),
          join(folderOf(site), 'settings.json'),
          join(folderOf(site), 'config.json'),
          join(folderOf(site), 'hooks', 'hookgate.json'),
          join(site.cwd, '.github', 'hooks', 'hookgate.json'),
        ],
        ['disableAllHooks'],
        true,
      ),
    problems: (site) =>
      site.scope === 'user' || isTrusted(site)
        ? []
        : [`Copilot CLI does not run hooks of an untrusted folder: start \`copilot\` in ${site.cwd} and trust it`],
    steps: ({ scope, cwd }) =>
      scope === 'project'
        ? [`Copilot CLI runs them only in a trusted folder: start \`copilot\` in ${cwd} and trust it`]
        : [],
  },
}

/** Checks the folders that a person has trusted for good. */
function isTrusted(site: InstallSite): boolean {
  const files = ['config.json', 'settings.json'].map((name) => join(folderOf(site), name))
  const lists = files.flatMap((file) =>
    ['trusted_folders', 'trustedFolders'].map((key) => site.settings.json(file, key)),
  )
  return lists.some(
    (list) => Array.isArray(list) && list.some((root) => typeof root === 'string' && isBelow(site.cwd, root)),
  )
}
