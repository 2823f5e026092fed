import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { folderOf, type Pinned, pins, programOf } from './pins.ts'

/** Fetches one version of a program; false where it cannot be had. */
export function fetched(agent: Pinned, version: string = pins[agent].version): boolean {
  const { name } = pins[agent]
  const folder = folderOf(agent, version)
  mkdirSync(folder, { recursive: true })
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--loglevel', 'error']
  const words = ['install', '--prefix', folder, ...quiet, `${name}@${version}`]
  const { status } = spawnSync('npm', words, { stdio: 'inherit', shell: process.platform === 'win32' })
  const isThere = status === 0 && programOf(agent, version) !== undefined
  if (!isThere) rmSync(folder, { recursive: true, force: true })
  console[isThere ? 'log' : 'error'](`${agent} ${version} ${isThere ? `is in ${folder}` : 'cannot be had'}`)
  return isThere
}
