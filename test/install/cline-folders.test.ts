import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { InstallContext } from '../../src/install/install-context.ts'
import { hookFolders } from '../../src/install/hook-folders.ts'
import { placesFor, readRules } from '../../src/rules/index.ts'
import { testPolicies } from '../support/sandbox.ts'
import { folderWith } from '../support/workspace.ts'

/** Does what `xdg-user-dir` does on Linux, since a test cannot rely on it. */
const xdgUserDir = `#!/bin/sh
test -f "\${XDG_CONFIG_HOME:-$HOME/.config}/user-dirs.dirs" && . "\${XDG_CONFIG_HOME:-$HOME/.config}/user-dirs.dirs"
eval echo "\\\${XDG_\${1}_DIR:-$HOME}"
`

describe('the folders that Cline’s hooks are written to', () => {
  it.runIf(process.platform === 'linux').each([
    ['there is no such file', undefined],
    ['it names the usual one', 'XDG_DOCUMENTS_DIR="$HOME/Documents"\n'],
    ['it names another', 'XDG_DOCUMENTS_DIR="$HOME/Meine Dokumente"\n'],
    ['it names the home itself', 'XDG_DOCUMENTS_DIR="$HOME/"\n'],
    ['it names another kind alone', 'XDG_MUSIC_DIR="$HOME/Music"\n'],
  ])('are among the folders that rules are read from, even if %s', async (_what, dirs) => {
    const folder = folderWith({ 'home/x': '', 'bin/xdg-user-dir': { script: xdgUserDir } })
    const home = join(folder, 'home')
    if (dirs !== undefined) {
      mkdirSync(join(home, '.config'))
      writeFileSync(join(home, '.config', 'user-dirs.dirs'), dirs)
    }
    const env = { PATH: `${join(folder, 'bin')}:/usr/bin:/bin` }
    const context = { scope: 'user', cwd: folder, home, env, platform: 'linux' } as unknown as InstallContext
    const folders = (await hookFolders(context)).folders.map((one) => one.folder)
    for (const one of folders) {
      mkdirSync(one, { recursive: true })
      writeFileSync(join(one, 'PreToolUse'), '#!/bin/sh\ntrue\n', { mode: 0o755 })
    }
    const places = placesFor({ home, managedFolder: join(folder, 'managed'), env: {}, platform: 'linux', cwd: folder })
    const { ruleSet } = await readRules(places, [], testPolicies())
    expect(ruleSet.rules.map(({ source }) => source.file).toSorted()).toEqual(folders.toSorted())
    expect(folders).toContain(join(home, 'Documents', 'Cline', 'Hooks'))
  })

  it.runIf(process.platform === 'linux').each([
    ['nothing of Cline’s extension is there', {}, false],
    ['another editor’s extension is there', { 'home/.vscode/extensions/other.cline-1.0.0/package.json': '{}' }, false],
    ['it is installed', { 'home/.vscode-server/extensions/saoudrizwan.claude-dev-4.1.11/package.json': '{}' }, true],
    ['it has run', { 'home/Cline/Rules/x': '' }, true],
  ])(
    'are in the home itself, without a folder of documents, only where the extension reads them: %s',
    async (_what, files, isThere) => {
      const folder = folderWith({ 'home/x': '', 'bin/xdg-user-dir': { script: xdgUserDir }, ...files })
      const home = join(folder, 'home')
      const env = { PATH: `${join(folder, 'bin')}:/usr/bin:/bin` }
      const context = { scope: 'user', cwd: folder, home, env, platform: 'linux' } as unknown as InstallContext
      const { folders, unread } = await hookFolders(context)
      const own = join(home, 'Cline', 'Hooks')
      expect({ isWritten: folders.some((one) => one.folder === own), unread }).toEqual({
        isWritten: isThere,
        unread: isThere ? undefined : own,
      })
      expect(folders.map((one) => one.folder)).toContain(join(home, 'Documents', 'Cline', 'Hooks'))
    },
  )
})
