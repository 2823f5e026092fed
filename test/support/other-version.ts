import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { folderWith } from './workspace.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Installs this program again as another version. @returns its entry point */
export function otherVersion(version: string): string {
  const folder = folderWith()
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true })
  cpSync(join(root, 'policies'), join(folder, 'policies'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as object
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, version }))
  return join(folder, 'dist', 'cli', 'bin.js')
}
