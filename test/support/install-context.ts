import { join } from 'node:path'
import type { InstallContext } from '../../src/install/install-context.ts'
import { placesOf } from '../../src/files/state/places.ts'
import { folderWith, writeFiles } from './workspace.ts'

/**
 * A user with a home and a project, with files; what administrators settle is below `managed/`.
 *
 * @param files by their paths; `FOLDER` in their texts, and in `env`, stands for the folder of all
 */
export function installContextIn(
  files: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): InstallContext {
  const folder = folderWith()
  const filled = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.replaceAll('FOLDER', folder)]))
  writeFiles(folder, filled(files))
  const home = join(folder, 'home')
  return {
    scope: 'user',
    env: filled(env),
    cwd: join(folder, 'project'),
    home,
    platform: 'linux',
    places: placesOf({ env: {}, platform: 'linux', uid: 0, home }),
    launcher: { node: process.execPath, bin: '/bin.js' },
    via: undefined,
    port: undefined,
    dryRun: false,
    managedRoot: join(folder, 'managed'),
  }
}
