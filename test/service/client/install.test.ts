import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { install } from '../../../src/service/client/install.ts'
import { folderWith } from '../../support/workspace.ts'

const systems = ['/usr/bin/cc', '/usr/bin/gcc', '/usr/bin/clang', '/usr/local/bin/cc']

it.runIf(systems.some(existsSync))(
  'a client is compiled without programs that a project puts on the PATH',
  async () => {
    const folder = folderWith({ 'include/stdio.h': '#error "of a project"\n' })
    const ran = join(folder, 'ran')
    const tool = { script: `#!/bin/sh\ntouch ${ran}\nexit 1\n` }
    const tools = folderWith(Object.fromEntries(['as', 'ld', 'cc', 'cc1'].map((name) => [name, tool])))
    vi.stubEnv('PATH', `${tools}${delimiter}${process.env['PATH'] ?? ''}`)
    vi.stubEnv('COMPILER_PATH', tools)
    vi.stubEnv('CPATH', join(folder, 'include'))
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await install('native', join(folder, 'client'), process.execPath)).toEqual({
      command: [expect.stringContaining(join(folder, 'client'))],
      assignments: [],
    })
    expect(existsSync(ran)).toBe(false)
  },
)
