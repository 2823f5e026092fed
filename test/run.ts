// `npm test`: every test, or those of the paths that are named. What is exhaustive runs on a fixed sample of its cases;
// with `--all`, on all of them.
import { spawnSync } from 'node:child_process'

const args = process.argv.slice(2)
const env = args.includes('--all') ? { ...process.env, HOOKGATE_TEST_ALL: '1' } : process.env
const own = args.filter((arg) => arg !== '--all')
const vitest = ['run', '--config', 'test/vitest.config.ts', '--root', '.', ...own]
process.exitCode = spawnSync('vitest', vitest, { env, stdio: 'inherit' }).status ?? 1
