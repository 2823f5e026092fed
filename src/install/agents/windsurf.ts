import { join } from 'node:path'
import { carries } from '../../agents/windsurf/carries.ts'
import type { Registration } from '../hooks-file/registration.ts'

export const windsurf: Registration = {
  agent: 'windsurf',
  carries,
  files: ({ scope, home, cwd }) => [
    {
      file: join(scope === 'user' ? join(home, '.codeium', 'windsurf') : join(cwd, '.windsurf'), 'hooks.json'),
      at: 'hooks',
      holds: 'handlers',
    },
  ],
  // It documents no time limit. What a hook says is shown, so that a person sees why something was refused.
  entry: ({ command, platform }) => ({
    ...(platform === 'win32' ? { powershell: command } : { command }),
    show_output: true,
  }),
}
