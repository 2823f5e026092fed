import { join } from 'node:path'
import type { AgentDescriptor } from '../descriptor.ts'
import { carries } from './carries.ts'

export const vscode: AgentDescriptor<'vscode'> = {
  name: 'vscode',
  title: 'VS Code',
  carries,
  install: {
    kind: 'hooks-file',
    // VS Code reads a person's own hooks from the settings of Claude Code, and from nowhere else.
    files: ({ scope, home, cwd }) =>
      scope === 'user'
        ? [{ file: join(home, '.claude', 'settings.json'), at: 'hooks', holds: 'groups' }]
        : [{ file: join(cwd, '.github', 'hooks', 'hookgate-vscode.json'), at: 'hooks', holds: 'handlers' }],
    entry: ({ command, timeoutS }) => ({ type: 'command', command, timeout: timeoutS }),
    steps: ({ scope }) => [
      'VS Code runs hooks only in a trusted workspace',
      scope === 'user'
        ? 'Claude Code reads the same file, and asks hookgate there too; `--scope project` keeps them apart'
        : 'Copilot CLI reads the same folder, and asks hookgate there too',
    ],
  },
}
