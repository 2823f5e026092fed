import { spawnSync } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { folderWith } from './workspace.ts'

const mount = (folder: string) =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k,mode=700', 'tmpfs', folder]).status === 0
const unmount = (folder: string) => spawnSync('umount', ['-l', folder])

/** Whether this user may mount a file system: root may, unless it is confined. */
export const canMount = process.platform === 'linux' && process.getuid?.() === 0 && mountsAtAll()

function mountsAtAll(): boolean {
  const tried = spawnSync('sh', [
    '-c',
    'd=$(mktemp -d) && mount -t tmpfs tmpfs "$d" && umount "$d"; s=$?; rmdir "$d"; exit $s',
  ])
  return tried.status === 0
}

/** Mounts a disk of 256 KiB until the test ends. */
export function smallDisk(): string {
  const folder = folderWith()
  if (!mount(folder)) throw new Error('there is no mounting here')
  onTestFinished(() => void unmount(folder))
  return folder
}
