import { join } from 'node:path'
import type { AgentDescriptor } from '../descriptor.ts'
import { carries } from './carries.ts'

export const cursor: AgentDescriptor<'cursor'> = {
  name: 'cursor',
  title: 'Cursor',
  carries,
  install: {
    kind: 'hooks-file',
    files: ({ scope, home, cwd }) => [
      { file: join(scope === 'user' ? home : cwd, '.cursor', 'hooks.json'), at: 'hooks', holds: 'handlers' },
    ],
    beside: { version: 1 },
    // Cursor alone can be told to refuse where a hook fails or is late.
    entry: ({ command, timeoutS, refuses }) => ({ command, timeout: timeoutS, ...(refuses && { failClosed: true }) }),
    steps: ({ scope }) =>
      scope === 'project'
        ? ["Cursor runs a project's hooks only in a trusted workspace"]
        : ["Cursor’s cloud agents do not read a user's hooks: use `--scope project` for them"],
  },
}
