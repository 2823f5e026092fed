// `npm test`: every test, or those of the paths that are named. What is exhaustive runs on a fixed sample of its cases;
// with `--all`, on all of them. `--times` lists the slowest files at the end. `--unit` and `--system` run one of the two
// lanes (`npm run test:unit`, `npm run test:system`).
import { spawnSync } from 'node:child_process'

const args = process.argv.slice(2)
const flags = {
  '--all': 'HOOKGATE_TEST_ALL',
  '--times': 'HOOKGATE_TEST_TIMES',
  '--unit': 'HOOKGATE_TEST_UNIT',
  '--system': 'HOOKGATE_TEST_SYSTEM',
}
const given = Object.entries(flags).filter(([flag]) => args.includes(flag))
const env = { ...process.env, ...Object.fromEntries(given.map(([, variable]) => [variable, '1'])) }
const own = args.filter((arg) => !(arg in flags))
const vitest = ['run', '--config', 'test/vitest.config.ts', '--root', '.', ...own]
process.exitCode = spawnSync('vitest', vitest, { env, stdio: 'inherit' }).status ?? 1
