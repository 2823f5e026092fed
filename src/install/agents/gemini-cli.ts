import { join } from 'node:path'
import { carries } from '../../agents/gemini-cli/carries.ts'
import type { InstallContext } from '../install-context.ts'
import { distrustOf } from '../hooks-file/folder-trust.ts'
import { firstSaid, switchedOff } from '../hooks-file/read-json.ts'
import type { Registration } from '../hooks-file/registration.ts'

/** What the hook is called in Gemini CLI's own list of hooks. */
const name = 'hookgate'

/** Unlike the others, the variable names what `.gemini` lies in. */
const folderOf = ({ env, home }: InstallContext) => join(env['GEMINI_CLI_HOME'] || home, '.gemini')
const settingsOf = (context: InstallContext) => [
  '/etc/gemini-cli/settings.json',
  join(context.cwd, '.gemini', 'settings.json'),
  join(folderOf(context), 'settings.json'),
]

export const geminiCli: Registration = {
  agent: 'gemini-cli',
  carries,
  never: { PreCompress: 'Gemini CLI triggers it before every call of the model' },
  files: (context) => [
    {
      file: join(context.scope === 'user' ? folderOf(context) : join(context.cwd, '.gemini'), 'settings.json'),
      at: 'hooks',
      holds: 'groups',
    },
  ],
  comments: 'allowed',
  // It counts in milliseconds.
  entry: ({ command, timeoutS }) => ({ type: 'command', name, command, timeout: timeoutS * 1000 }),
  obstacles(context) {
    const settings = settingsOf(context)
    const disabled = firstSaid(settings, 'hooksConfig', 'disabled')
    return [
      ...switchedOff(settings, ['hooksConfig', 'enabled'], false),
      ...(Array.isArray(disabled?.value) && disabled.value.includes(name)
        ? [`${disabled.file}: \`hooksConfig.disabled\` lists it: type \`/hooks enable ${name}\` in Gemini CLI`]
        : []),
      ...distrustOf('gemini', folderOf(context), settings, context.cwd),
    ]
  },
}
