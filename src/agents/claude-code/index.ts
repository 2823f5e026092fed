import type { AgentDescriptor } from '../descriptor.ts'
import { carriesTable as carries } from './carries.ts'

export const claudeCode: AgentDescriptor<'claude-code'> = {
  name: 'claude-code',
  title: 'Claude Code',
  carries,
  install: {
    kind: 'http-groups',
    never: { WorktreeCreate: 'its hook creates the folder instead of Claude Code' },
    needsMore: {
      FileChanged:
        'Claude Code watches only the files that its own settings name; add an entry of your own there with such a `matcher`',
    },
    // Only Cline has sessions end so.
    foreign: ['TaskCancel'],
  },
}
