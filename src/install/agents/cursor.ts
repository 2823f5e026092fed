import { join } from 'node:path'
import { carries } from '../../agents/cursor/carries.ts'
import type { Registration } from '../hooks-file/registration.ts'

export const cursor: Registration = {
  agent: 'cursor',
  carries,
  files: ({ scope, home, cwd }) => [
    { file: join(scope === 'user' ? home : cwd, '.cursor', 'hooks.json'), at: 'hooks', holds: 'handlers' },
  ],
  beside: { version: 1 },
  // Of its agents this one alone can be told to refuse where a hook fails or is late.
  entry: ({ command, timeoutS, refuses }) => ({ command, timeout: timeoutS, ...(refuses && { failClosed: true }) }),
  steps: ({ scope }) =>
    scope === 'project'
      ? ["Cursor runs a project's hooks only in a trusted workspace"]
      : ["Cursor’s cloud agents do not read a user's hooks: use `--scope project` for them"],
}
