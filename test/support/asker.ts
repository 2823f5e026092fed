import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { entryFile } from '../../src/files/program-files.ts'
import { compileCache } from './compile-cache.ts'
import type { InstallContext } from '../../src/install/index.ts'
import { placesOf } from '../../src/files/state/places.ts'
import { leaveNativeClient } from './native-client.ts'
import { folderWith, rulesWith } from './workspace.ts'

const bin = entryFile('cli/bin')
/** The reason with which the rules deny every shell command. */
export const guarded = 'no pushing from here'

/** Creates a user with a project, whose rules deny every shell command. No gate runs, and none is started. */
export function installUser(scope: InstallContext['scope'], files: Parameters<typeof folderWith>[0] = {}) {
  const folder = folderWith({
    'project/x': '',
    'bin/hookgate': { script: `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n` },
    'home/.config/hookgate/hooks.json': rulesWith('PreToolUse', `echo '${guarded}' >&2; exit 2`, { matcher: 'shell' }),
    ...files,
  })
  const [home, cwd] = [join(folder, 'home'), join(folder, 'project')]
  const env = {
    HOME: home,
    HOOKGATE_HOME: join(folder, 'state'),
    HOOKGATE_UP_EVERY_S: '0',
    ...compileCache,
    PATH: `${join(folder, 'bin')}:${dirname(process.execPath)}:/usr/bin:/bin`,
  }
  const places = placesOf({ env, platform: process.platform, uid: process.getuid?.(), home })
  leaveNativeClient(join(places.folder, 'clients'))
  const context: InstallContext = {
    scope,
    env,
    cwd,
    home,
    platform: process.platform,
    places,
    launcher: { node: process.execPath, bin },
    via: undefined,
    port: undefined,
    dryRun: false,
  }
  const at = (name: string) => join(scope === 'user' ? home : cwd, name)
  return { folder, home, cwd, env, context, at, read: (name: string) => readFileSync(at(name), 'utf8') }
}
