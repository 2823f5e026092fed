import { spawnSync } from 'node:child_process'
import { argv, platform } from 'node:process'

// `npm run agents [VITEST WORDS…]`: the real programs, one at a time, where Linux lets us with no network but a loopback
// of their own. Elsewhere they are told of a proxy that is not there, which those heed that heed proxies.

const vitest = ['vitest', 'run', '--config', 'test/real-agents/vitest.config.ts', '--root', '.', ...argv.slice(2)]
const alone = ['unshare', '--map-root-user', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']
const canBeAlone = platform === 'linux' && spawnSync(alone[0] ?? '', [...alone.slice(1), 'true']).status === 0
const [program = '', ...words] = canBeAlone ? [...alone, ...vitest] : vitest
process.exitCode = spawnSync(program, words, { stdio: 'inherit', shell: platform === 'win32' }).status ?? 1
