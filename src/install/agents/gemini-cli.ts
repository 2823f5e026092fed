import { join } from 'node:path'
import { carries } from '../../agents/gemini-cli/carries.ts'
import type { Asked } from '../asked.ts'
import { distrustOf } from '../hooks-file/folder-trust.ts'
import { firstSaid, switchedOff } from '../hooks-file/read-json.ts'
import type { Registration } from '../hooks-file/registration.ts'

/** What the hook is called in Gemini CLI's own list of hooks. */
const name = 'hookgate'

/** Unlike the others, the variable names what `.gemini` lies in. */
const folderOf = ({ env, home }: Asked) => join(env['GEMINI_CLI_HOME'] || home, '.gemini')
const settingsOf = (asked: Asked) => [
  '/etc/gemini-cli/settings.json',
  join(asked.cwd, '.gemini', 'settings.json'),
  join(folderOf(asked), 'settings.json'),
]

export const geminiCli: Registration = {
  agent: 'gemini-cli',
  carries,
  never: { PreCompress: 'Gemini CLI triggers it before every call of the model' },
  files: (asked) => [
    {
      file: join(asked.scope === 'user' ? folderOf(asked) : join(asked.cwd, '.gemini'), 'settings.json'),
      at: 'hooks',
      holds: 'groups',
    },
  ],
  comments: 'allowed',
  // It counts in milliseconds.
  entry: ({ command, timeoutS }) => ({ type: 'command', name, command, timeout: timeoutS * 1000 }),
  obstacles(asked) {
    const settings = settingsOf(asked)
    const disabled = firstSaid(settings, 'hooksConfig', 'disabled')
    return [
      ...switchedOff(settings, ['hooksConfig', 'enabled'], false),
      ...(Array.isArray(disabled?.value) && disabled.value.includes(name)
        ? [`${disabled.file}: \`hooksConfig.disabled\` lists it: type \`/hooks enable ${name}\` in Gemini CLI`]
        : []),
      ...distrustOf('gemini', folderOf(asked), settings, asked.cwd),
    ]
  },
}
