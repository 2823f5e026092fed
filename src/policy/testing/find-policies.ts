import { lstatSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { HookgateError } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'
import { quoted } from '../../model/text.ts'
import { makeDisk } from '../../files/disk.ts'
import { type Disk, isUnreadable, type Unreadable } from '../../model/disk.ts'
import { isPolicyName } from '../../files/policy-files.ts'

/** A policy's file, and the folder that its imports must stay below, as absolute paths. */
export interface FoundPolicy {
  readonly file: string
  readonly folder: string
}

/** The folders that are searched if no paths are given, relative to the working directory. */
const usualFolders = ['.hookgate/policies', 'policies']

/**
 * Finds the policies at the given paths, of files or folders. Without paths, searches the usual folders of `cwd`.
 *
 * @throws HookgateError `usage` if there is no policy, or if a path cannot be read
 */
export function findPolicies(paths: readonly string[], cwd: string): readonly FoundPolicy[] {
  const disk = makeDisk()
  const isThere = (path: string) => !['absent', 'file'].some((seen) => seen === disk.see(resolve(cwd, path)))
  const found = (paths.length > 0 ? paths : usualFolders.filter(isThere)).flatMap((path) => policiesAt(path, cwd, disk))
  if (found.length === 0) {
    const places = usualFolders.map((path) => `\`${path}\``).join(' nor in ')
    throw new HookgateError('usage', `there is no policy in ${places}`, { remedy: 'name its file or folder' })
  }
  return [...new Map(found.map((one) => [one.file, one])).values()]
}

function policiesAt(path: string, cwd: string, disk: Disk): readonly FoundPolicy[] {
  const at = resolve(cwd, path)
  const seen = disk.see(at)
  if (seen === 'absent') throw new HookgateError('usage', `there is nothing at ${quoted(path)}`)
  if (isUnreadable(seen)) throw unreadable(at, seen)
  if (seen === 'file') return [{ file: at, folder: dirname(at) }]
  const files = below(at, 0, disk).map((file) => ({ file, folder: at }))
  if (files.length > 0) return files
  throw new HookgateError('usage', `there is no policy in ${quoted(path)}`, { remedy: 'name it `….policy.ts`' })
}

function below(folder: string, depth: number, disk: Disk): readonly string[] {
  if (depth > limits.policyFolderDepthMax) return []
  const names = disk.list(folder)
  if (isUnreadable(names)) throw unreadable(folder, names)
  return names.flatMap((name) => {
    const path = join(folder, name)
    if (isOwnFolder(path)) return name === 'node_modules' ? [] : below(path, depth + 1, disk)
    return isPolicyName(name) ? [path] : []
  })
}

/** Returns true for a folder that is no link: links may be circular. A path that cannot be read counts as a file. */
function isOwnFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory()
  } catch {
    return false
  }
}

function unreadable(file: string, { why }: Unreadable): HookgateError {
  const remedy = 'fix it, or name another'
  return new HookgateError('usage', `the policies cannot be read: ${why}`, { place: { file }, remedy })
}
