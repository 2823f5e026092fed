// `npm test`: every test, or those of the paths that are named. What is exhaustive runs on a fixed sample of its cases;
// with `--all`, on all of them. `--times` lists the slowest files at the end. `--unit` and `--system` run one of the two
// lanes (`npm run test:unit`, `npm run test:system`).
import { spawn } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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

// Everything that tests make is in one folder, so that nothing of it is left, however the run ends.
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hg-')))
const cache = process.env['HOOKGATE_TEST_CACHE'] ?? join(tmpdir(), 'hookgate-test-compile-cache')
console.log(`tests: building what has changed, then running ${lane()}`)
const run = spawn('vitest', vitest, {
  env: { ...env, TMPDIR: folder, HOOKGATE_TEST_CACHE: cache },
  stdio: 'inherit',
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => run.kill(signal))
run.on('error', (error) => console.error(error.message))
run.on('close', (status) => {
  process.exitCode = status ?? 1
  // Processes that a test has started may still write.
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
})

function lane(): string {
  if (own.some((arg) => !arg.startsWith('-'))) return 'the files that are named'
  if (args.includes('--unit')) return 'those in this process (--unit)'
  return args.includes('--system') ? 'those that start processes and browsers (--system)' : 'all'
}
