import { dirname, isAbsolute, join } from 'node:path'
import { limits } from '../../model/limits.ts'
import { type Disk, isUnreadable } from '../../model/disk.ts'
import type { Places } from '../places.ts'

/**
 * Returns the folders that Cline may take for the user's documents folder, in which it keeps global hooks.
 *
 * These are `~/Documents`, where Cline's settings put them on every system, and on Linux also what `xdg-user-dir`
 * answers to Cline's extension: the home folder itself if none is configured. That program is not started here, since
 * every event would wait for it: its answer is read from its configuration file.
 */
export function documentFolders({ home, configFolder, platform }: Places, disk: Disk): readonly string[] {
  const usual = join(home, 'Documents')
  if (platform !== 'linux') return [usual]
  const named = namedIn(join(dirname(configFolder), 'user-dirs.dirs'), home, disk)
  return [...new Set([usual, named ?? home])]
}

/** Reads the last `XDG_DOCUMENTS_DIR` as the shell would: relative to `$HOME`, or an absolute path. */
function namedIn(file: string, home: string, disk: Disk): string | undefined {
  if (disk.see(file) !== 'file') return undefined
  const bytes = disk.read(file, limits.userDirsBytesMax)
  if (isUnreadable(bytes)) return undefined
  const value = [...new TextDecoder().decode(bytes).matchAll(line)].at(-1)?.[1]
  if (value === undefined) return undefined
  const path = value.replace(/\\(.)/g, '$1').replace(/^\$(?:HOME|\{HOME\})(?=\/|$)/, () => home)
  return isAbsolute(path) ? join(path) : undefined
}

const line = /^[ \t]*XDG_DOCUMENTS_DIR="?((?:[^"\\\n]|\\.)*)"?[ \t]*$/gm
