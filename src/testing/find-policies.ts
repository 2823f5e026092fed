import { readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { HookgateError } from '../model/errors.ts'
import { limits } from '../model/limits.ts'
import { quoted } from '../model/text.ts'
import { isPolicyName } from '../rules/load/policy/policy-file.ts'

/** A policy's file, and the folder that its imports have to stay below. Both absolute. */
export interface PolicyFile {
  readonly file: string
  readonly folder: string
}

/** Where policies are, of a working directory that does not say. */
const usualFolders = ['.hookgate/policies', 'policies']

/**
 * The policies at some paths: files, or folders of them. None given: those of the usual folders of `cwd`.
 *
 * @throws HookgateError `usage` where there is none
 */
export function findPolicies(paths: readonly string[], cwd: string): readonly PolicyFile[] {
  const given = paths.length > 0
  const found = (given ? paths : usualFolders.filter((path) => isThere(resolve(cwd, path)))).flatMap((path) => {
    const at = resolve(cwd, path)
    const stat = statSync(at, { throwIfNoEntry: false })
    if (stat === undefined) throw new HookgateError('usage', `there is nothing at ${quoted(path)}`)
    if (!stat.isDirectory()) return [{ file: at, folder: dirname(at) }]
    const files = below(at, 0).map((file) => ({ file, folder: at }))
    if (files.length > 0) return files
    throw new HookgateError('usage', `there is no policy in ${quoted(path)}`, { remedy: 'name it `….policy.ts`' })
  })
  if (found.length === 0) {
    const places = usualFolders.map((path) => `\`${path}\``).join(' nor in ')
    throw new HookgateError('usage', `there is no policy in ${places}`, { remedy: 'name its file, or its folder' })
  }
  return [...new Map(found.map((one) => [one.file, one])).values()]
}

const isThere = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

function below(folder: string, depth: number): readonly string[] {
  if (depth > limits.policyFolderDepthMax) return []
  const entries = readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : below(path, depth + 1)
    return isPolicyName(entry.name) ? [path] : []
  })
}
