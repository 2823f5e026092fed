import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { type BundleDocument, rulesText } from '../bundle/document.ts'
import type { Disk, Unreadable } from '../model/disk.ts'
import { isBelow } from '../words/machine-paths.ts'

/**
 * Returns the folder that a bundle's files seem to be in. It is below the managed folder, where nobody but an administrator
 * can put a link or another file in their place, and need not exist.
 */
export const bundleRoot = (managedFolder: string, { revision }: Pick<BundleDocument, 'revision'>) =>
  join(managedFolder, 'bundle', revision)

/**
 * Shows the files of a verified bundle in a folder, and all others as they are on the disk.
 *
 * INVARIANT: no file of a bundle is read from a disk, where others may have changed it since it was verified.
 */
export function bundleDisk(disk: Disk, root: string, bundle: BundleDocument): Disk {
  // A bundle may have policies only.
  const hasRules = Object.keys(bundle.rules).length > 0
  const texts = { ...bundle.files, ...(hasRules && { 'hooks.json': rulesText(bundle) }) }
  const files = new Map(Object.entries(texts).map(([path, text]) => [join(root, path), Buffer.from(text)]))
  const isOurs = (path: string) => path === root || isBelow(path, root)
  const isFolder = (path: string) => path === root || [...files.keys()].some((file) => isBelow(file, path))
  const namesIn = (folder: string) => [
    ...new Set(
      [...files.keys()].flatMap((file) =>
        isBelow(file, folder) ? (file.slice(folder.length + 1).split(/[\\/]/)[0] ?? []) : [],
      ),
    ),
  ]
  const none: Unreadable = { kind: 'unreadable', why: 'it does not exist' }
  return {
    searched: disk.searched,
    see(path) {
      if (!isOurs(path)) return disk.see(path)
      if (files.has(path)) return 'file'
      return isFolder(path) ? 'folder' : 'absent'
    },
    executable: (path) => (isOurs(path) ? false : disk.executable(path)),
    names: (folder) => (isOurs(folder) ? namesIn(folder) : disk.names(folder)),
    list: (folder) => (isOurs(folder) ? namesIn(folder).toSorted() : disk.list(folder)),
    read: (path, bytesMax) => {
      if (!isOurs(path)) return disk.read(path, bytesMax)
      const bytes = files.get(path) ?? none
      const isLong = bytes instanceof Uint8Array && bytes.length > bytesMax
      return isLong ? { kind: 'unreadable', why: `it is larger than ${bytesMax} bytes` } : bytes
    },
    sha256: (path, bytesMax) => {
      if (!isOurs(path)) return disk.sha256(path, bytesMax)
      const bytes = files.get(path)
      return bytes === undefined ? none : createHash('sha256').update(bytes).digest('hex')
    },
    writableByOthers: (path) => (isOurs(path) ? false : disk.writableByOthers(path)),
    unchanged: () => disk.unchanged(),
  }
}
