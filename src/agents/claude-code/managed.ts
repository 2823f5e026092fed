import { managedPath, switchedOff } from '../install/settings.ts'
import type { ManagedInstall } from '../install/managed.ts'
import { managedDropIns, managedFiles, managedFolders, ownDropIn } from './settings-files.ts'

/** Claude Code's files of administrators, as measured on 2.1.329. */
export const managed: ManagedInstall = {
  binds: 'enforced',
  knownFrom: 'measurement',
  folders: managedFolders,
  file: `${managedDropIns}/${ownDropIn}`,
  isOwnFile: true,
  at: 'hooks',
  holds: 'groups',
  // It goes on when a hook fails or is late, unless it is told not to.
  entry: ({ command, timeoutS, refuses }) => ({
    type: 'command',
    command,
    timeout: timeoutS,
    ...(refuses && { onFailure: 'block' }),
  }),
  onlyManagedHooks: { path: ['allowManagedHooksOnly'], value: true },
  // The profile of a device management; what a server sends is not to be seen from here.
  above: (site) =>
    site.platform === 'darwin'
      ? [managedPath(site, '/Library/Managed Preferences/com.anthropic.claudecode.plist')]
      : [],
  // A managed `true` switches the managed hooks off too, wherever it stands.
  switchedOff: (site) => managedFiles(site).flatMap((file) => switchedOff(site, [file], ['disableAllHooks'], true)),
  staysOpen: [
    'settings that the organisation serves from the cloud are read in place of this file, unless they hold `"managedSourcesBehavior": "merge"`',
    'a mod may start programs and write files by itself, unless `allowManagedModsOnly` is set',
  ],
}
