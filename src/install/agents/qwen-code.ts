import { join } from 'node:path'
import { carries } from '../../agents/qwen-code/carries.ts'
import type { Asked } from '../asked.ts'
import { ownFolder } from '../hooks-file/command-line.ts'
import { distrustOf } from '../hooks-file/folder-trust.ts'
import { switchedOff } from '../hooks-file/read-json.ts'
import type { Registration } from '../hooks-file/registration.ts'

const folderOf = (asked: Asked) => ownFolder(asked, 'QWEN_HOME', '.qwen')
const settingsOf = (asked: Asked) => [
  '/etc/qwen-code/settings.json',
  join(asked.cwd, '.qwen', 'settings.json'),
  join(folderOf(asked), 'settings.json'),
]

export const qwenCode: Registration = {
  agent: 'qwen-code',
  carries,
  files: (asked) => [
    {
      file: join(asked.scope === 'user' ? folderOf(asked) : join(asked.cwd, '.qwen'), 'settings.json'),
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
  obstacles: (asked) => [
    ...switchedOff(settingsOf(asked), ['disableAllHooks'], true),
    ...switchedOff(settingsOf(asked), ['hooksConfig', 'enabled'], false),
    ...distrustOf('qwen', folderOf(asked), settingsOf(asked), asked.cwd),
  ],
}
