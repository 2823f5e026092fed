import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { argv } from 'node:process'
import { folderOf, type Pinned, pinned, pins, programOf } from './pins.ts'

// `npm run agents:fetch [AGENT…]`: fetches the programs that `npm run agents` starts, some 2 GB, into a folder outside of
// the repository. No script of theirs is run: what they would unpack is found where npm has put it.

const wanted = argv.length > 2 ? argv.slice(2) : pinned
let failed = false
for (const agent of wanted) {
  if (!isPinned(agent)) {
    console.error(`${agent} is none of ${pinned.join(', ')}`)
    failed = true
  } else if (programOf(agent) === undefined) failed = !fetched(agent) || failed
  else console.log(`${agent} ${pins[agent].version} is here`)
}
process.exitCode = failed ? 1 : 0

function isPinned(agent: string): agent is Pinned {
  return pinned.some((one) => one === agent)
}

function fetched(agent: Pinned): boolean {
  const { name, version } = pins[agent]
  const folder = folderOf(agent)
  mkdirSync(folder, { recursive: true })
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--loglevel', 'error']
  const words = ['install', '--prefix', folder, ...quiet, `${name}@${version}`]
  const { status } = spawnSync('npm', words, { stdio: 'inherit', shell: process.platform === 'win32' })
  const isThere = status === 0 && programOf(agent) !== undefined
  if (!isThere) rmSync(folder, { recursive: true, force: true })
  console[isThere ? 'log' : 'error'](`${agent} ${version} ${isThere ? `is in ${folder}` : 'cannot be had'}`)
  return isThere
}
