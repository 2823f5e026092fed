import { managedPath, switchedOff } from '../install/settings.ts'
import type { ManagedInstall } from '../install/managed.ts'
import { managedDropIns, managedFiles, managedFolders, ownDropIn } from './settings-files.ts'

/**
 * Variables of a user's settings with which a hook is not run, or other code before it. An empty value keeps them away.
 * Others of the loader act even if they are empty, so that only the starter helps.
 */
const pinnedVariables = ['CLAUDE_CODE_SHELL_PREFIX', 'LD_PRELOAD', 'LD_AUDIT'] as const

const startOf = (line: string, starter: string | undefined) =>
  starter === undefined
    ? { command: '/bin/sh', args: ['-c', line] }
    : { command: starter, args: ['/bin/sh', '-c', line] }

/** Claude Code's files of administrators, as measured on 2.1.332. */
export const managed: ManagedInstall = {
  binds: 'enforced',
  knownFrom: 'measurement',
  folders: managedFolders,
  file: `${managedDropIns}/${ownDropIn}`,
  isOwnFile: true,
  at: 'hooks',
  holds: 'groups',
  // It goes on when a hook fails or is late, unless it is told not to.
  // Without `args`, `CLAUDE_CODE_SHELL_PREFIX` of a user's settings runs another program in its place.
  entry: ({ command, platform, timeoutS, refuses, starter }) => ({
    type: 'command',
    ...(platform === 'win32' ? { command } : startOf(command, starter)),
    timeout: timeoutS,
    ...(refuses && { onFailure: 'block' }),
  }),
  needsStarter: true,
  pins: pinnedVariables.map((name) => ({ path: ['env', name], value: '' })),
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
