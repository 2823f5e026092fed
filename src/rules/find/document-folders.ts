import { dirname, isAbsolute, join } from 'node:path'
import { limits } from '../../model/limits.ts'
import { type Disk, isUnreadable } from '../../model/disk.ts'
import type { Places } from '../places.ts'

/**
 * The folders that Cline may take for the user's documents, in which it keeps global hooks: `~/Documents`, where its
 * settings put them on every system, and on Linux what its extension is told by `xdg-user-dir`. That program says the home
 * itself where nobody has named a folder. It is not asked here, since whoever waits for an event would wait for it: its
 * answer is in a file.
 */
export function documentFolders({ home, configFolder, platform }: Places, disk: Disk): readonly string[] {
  const usual = join(home, 'Documents')
  if (platform !== 'linux') return [usual]
  const named = namedIn(join(dirname(configFolder), 'user-dirs.dirs'), home, disk)
  return [...new Set([usual, named ?? home])]
}

/** What the file says last, as the shell that reads it would understand it: a path below the home, or a whole one. */
function namedIn(file: string, home: string, disk: Disk): string | undefined {
  if (disk.see(file) !== 'file') return undefined
  const bytes = disk.read(file, limits.userDirsBytesMax)
  if (isUnreadable(bytes)) return undefined
  const said = [...new TextDecoder().decode(bytes).matchAll(line)].at(-1)?.[1]
  if (said === undefined) return undefined
  const path = said.replace(/\\(.)/g, '$1').replace(/^\$(?:HOME|\{HOME\})(?=\/|$)/, () => home)
  return isAbsolute(path) ? join(path) : undefined
}

const line = /^[ \t]*XDG_DOCUMENTS_DIR="?((?:[^"\\\n]|\\.)*)"?[ \t]*$/gm
