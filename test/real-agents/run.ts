import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv, platform } from 'node:process'
import { homeIn, ownFolderVariable } from '../support/own-folder.ts'

// `npm run agents [VITEST WORDS…]`: the real programs, one at a time, where Linux lets us with no network but a loopback
// of their own. Elsewhere they are told of a proxy that is not there, which those heed that heed proxies.

const vitest = ['vitest', 'run', '--config', 'test/real-agents/vitest.config.ts', '--root', '.', ...argv.slice(2)]
const alone = ['unshare', '--map-root-user', '--net', '--mount', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']
const canBeAlone = platform === 'linux' && spawnSync(alone[0] ?? '', [...alone.slice(1), 'true']).status === 0
const [program = '', ...words] = canBeAlone ? [...alone, ...vitest] : vitest
// With mounts of its own, a test may put files of an administrator where the programs look for them.
const folder = mkdtempSync(join(tmpdir(), 'hookgate-agents-'))
mkdirSync(homeIn(folder))
const env = { ...process.env, [ownFolderVariable]: folder, ...(canBeAlone && { HOOKGATE_AGENTS_ALONE: '1' }) }
process.exitCode = spawnSync(program, words, { stdio: 'inherit', shell: platform === 'win32', env }).status ?? 1
rmSync(folder, { recursive: true, force: true })
