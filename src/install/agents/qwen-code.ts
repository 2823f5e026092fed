import { join } from 'node:path'
import { carries } from '../../agents/qwen-code/carries.ts'
import type { InstallContext } from '../install-context.ts'
import { ownFolder } from '../hooks-file/command-line.ts'
import { distrustOf } from '../hooks-file/folder-trust.ts'
import { switchedOff } from '../hooks-file/read-json.ts'
import type { Registration } from '../hooks-file/registration.ts'

const folderOf = (context: InstallContext) => ownFolder(context, 'QWEN_HOME', '.qwen')
const settingsOf = (context: InstallContext) => [
  '/etc/qwen-code/settings.json',
  join(context.cwd, '.qwen', 'settings.json'),
  join(folderOf(context), 'settings.json'),
]

export const qwenCode: Registration = {
  agent: 'qwen-code',
  carries,
  files: (context) => [
    {
      file: join(context.scope === 'user' ? folderOf(context) : join(context.cwd, '.qwen'), 'settings.json'),
      at: 'hooks',
      holds: 'groups',
    },
  ],
  comments: 'allowed',
  wins: { position: 'last', since: 'Qwen Code takes the last answer' },
  // It takes a thousand and more for milliseconds.
  entry: ({ command, timeoutS }) => ({ type: 'command', name: 'hookgate', command, timeout: timeoutS }),
  steps: ({ scope, cwd }) =>
    scope === 'project'
      ? [`newer versions of Qwen Code ask you to approve a project's hooks: start \`qwen\` in ${cwd}`]
      : [],
  obstacles: (context) => [
    ...switchedOff(settingsOf(context), ['disableAllHooks'], true),
    ...switchedOff(settingsOf(context), ['hooksConfig', 'enabled'], false),
    ...distrustOf('qwen', folderOf(context), settingsOf(context), context.cwd),
  ],
}
