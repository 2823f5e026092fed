import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sessionStores } from '../../../src/agents/cline/transcript.ts'

describe('the sessions of Cline', () => {
  it('are looked for in editors that have its extension, and in no other folder of settings', () => {
    const extension = 'saoudrizwan.claude-dev'
    const names: Readonly<Record<string, readonly string[]>> = {
      '/h': ['.cursor-server', '.config', 'src'],
      '/h/.config': ['Code', 'VSCodium', 'gtk-3.0', 'git', 'Slack', 'Cursor'],
      '/h/.config/Code/User/globalStorage': ['other', extension],
      '/h/.config/VSCodium/User/globalStorage': [extension],
      '/h/.config/Cursor/User/globalStorage': ['other'],
      '/h/.cursor-server/data/User/globalStorage': [extension],
    }
    const site = { home: '/h', env: {}, platform: 'linux' } as const
    const all = sessionStores.flatMap(({ folders }) => folders(site, (folder) => names[folder] ?? []))
    expect(all.filter((folder) => basename(join(folder, '..')) === extension)).toEqual([
      `/h/.config/Code/User/globalStorage/${extension}/tasks`,
      `/h/.config/VSCodium/User/globalStorage/${extension}/tasks`,
      `/h/.cursor-server/data/User/globalStorage/${extension}/tasks`,
    ])
  })
})
