import { join } from 'node:path'
import type { AgentDescriptor } from '../descriptor.ts'
import type { InstallSite } from '../install.ts'
import { ownFolder, switchedOff, untrustedFolder } from '../settings.ts'
import { carries } from './carries.ts'

const folderOf = (site: InstallSite) => ownFolder(site, 'QWEN_HOME', '.qwen')
const settingsOf = (site: InstallSite) => [
  '/etc/qwen-code/settings.json',
  join(site.cwd, '.qwen', 'settings.json'),
  join(folderOf(site), 'settings.json'),
]

export const qwenCode: AgentDescriptor<'qwen-code'> = {
  name: 'qwen-code',
  title: 'Qwen Code',
  carries,
  install: {
    kind: 'hooks-file',
    files: (site) => [
      {
        file: join(site.scope === 'user' ? folderOf(site) : join(site.cwd, '.qwen'), 'settings.json'),
        at: 'hooks',
        holds: 'groups',
      },
    ],
    comments: 'allowed',
    wins: { position: 'last', since: 'Qwen Code takes the last answer' },
    // Qwen Code takes a thousand and more for milliseconds.
    entry: ({ command, timeoutS }) => ({ type: 'command', name: 'hookgate', command, timeout: timeoutS }),
    steps: ({ scope, cwd }) =>
      scope === 'project'
        ? [`newer versions of Qwen Code ask you to approve a project's hooks: start \`qwen\` in ${cwd}`]
        : [],
    obstacles: (site) => [
      ...switchedOff(site, settingsOf(site), ['disableAllHooks'], true),
      ...switchedOff(site, settingsOf(site), ['hooksConfig', 'enabled'], false),
      ...untrustedFolder(site, 'qwen', folderOf(site), settingsOf(site)),
    ],
  },
}
