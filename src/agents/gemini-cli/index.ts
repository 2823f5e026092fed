import { join } from 'node:path'
import type { AgentDescriptor } from '../descriptor.ts'
import type { InstallSite } from '../install.ts'
import { firstSetting, switchedOff, untrustedFolder } from '../settings.ts'
import { carries } from './carries.ts'

/** The hook's name in Gemini CLI's own list of hooks. */
const hookName = 'hookgate'

/** Unlike those of other agents, the variable names the folder that holds `.gemini`. */
const folderOf = ({ env, home }: InstallSite) => join(env['GEMINI_CLI_HOME'] || home, '.gemini')
const settingsOf = (site: InstallSite) => [
  '/etc/gemini-cli/settings.json',
  join(site.cwd, '.gemini', 'settings.json'),
  join(folderOf(site), 'settings.json'),
]

export const geminiCli: AgentDescriptor<'gemini-cli'> = {
  name: 'gemini-cli',
  title: 'Gemini CLI',
  carries,
  install: {
    kind: 'hooks-file',
    never: { PreCompress: 'Gemini CLI triggers it before every call of the model' },
    files: (site) => [
      {
        file: join(site.scope === 'user' ? folderOf(site) : join(site.cwd, '.gemini'), 'settings.json'),
        at: 'hooks',
        holds: 'groups',
      },
    ],
    comments: 'allowed',
    // Gemini CLI counts in milliseconds.
    entry: ({ command, timeoutS }) => ({ type: 'command', name: hookName, command, timeout: timeoutS * 1000 }),
    obstacles(site) {
      const files = settingsOf(site)
      const disabled = firstSetting(site.settings, files, 'hooksConfig', 'disabled')
      return [
        ...switchedOff(site, files, ['hooksConfig', 'enabled'], false),
        ...(Array.isArray(disabled?.value) && disabled.value.includes(hookName)
          ? [`${disabled.file}: \`hooksConfig.disabled\` lists it: type \`/hooks enable ${hookName}\` in Gemini CLI`]
          : []),
        ...untrustedFolder(site, 'gemini', folderOf(site), files),
      ]
    },
  },
}
