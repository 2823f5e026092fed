import { join } from 'node:path'
import type { AgentDescriptor } from '../descriptor.ts'
import { carries } from './carries.ts'

export const windsurf: AgentDescriptor<'windsurf'> = {
  name: 'windsurf',
  title: 'Windsurf',
  carries,
  install: {
    kind: 'hooks-file',
    files: ({ scope, home, cwd }) => [
      {
        file: join(scope === 'user' ? join(home, '.codeium', 'windsurf') : join(cwd, '.windsurf'), 'hooks.json'),
        at: 'hooks',
        holds: 'handlers',
      },
    ],
    // Windsurf documents no time limit. A hook's output is shown, so that a person sees why something was refused.
    entry: ({ command, platform }) => ({
      ...(platform === 'win32' ? { powershell: command } : { command }),
      show_output: true,
    }),
  },
}
