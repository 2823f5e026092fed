import { join } from 'node:path'

/** Returns the folder in which hookgate keeps what an administrator has done for the whole machine: root's alone. */
export function machineFolder(
  platform: NodeJS.Platform,
  { ProgramData: data }: Readonly<Record<string, string | undefined>>,
): string {
  if (platform === 'win32') return join(data ?? 'C:\\ProgramData', 'hookgate', 'enabled')
  return platform === 'darwin' ? '/var/db/hookgate' : '/var/lib/hookgate'
}
