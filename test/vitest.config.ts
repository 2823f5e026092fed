import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { compileCache } from './support/compile-cache.ts'
import { Progress } from './support/progress.ts'
import { RepeatedTests } from './support/repeated-tests.ts'
import { SlowestFiles } from './support/slowest-files.ts'

/** Tests that change what a process has once, such as its environment, its clock or its workers. */
const ownModules = [
  'test/hooks/**/*.test.ts',
  'test/policy/sandbox/**/*.test.ts',
  'test/service/client/install.test.ts',
]

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Tests of what a person or an agent starts: commands, the page, installations. Each starts processes or browsers. */
const system = [
  'test/{bundle,cli,container,docs,hooks,install,service,ui}/**/*.test.ts',
  'test/{package,prepare}.test.ts',
]

/** Real agents, which are fetched first and take minutes: `npm run agents`. */
const fetched = ['test/real-agents/**']

const workersPerCore = 1.5

const isSet = (variable: string) => process.env[variable] !== undefined
const inSystem = new Set(globSync(system))
/** Returns the files of the lane that is to run; without one, the patterns as they are. */
function ofLane(patterns: string[]): string[] {
  if (!isSet('HOOKGATE_TEST_UNIT') && !isSet('HOOKGATE_TEST_SYSTEM')) return patterns
  return globSync(patterns).filter((file) => inSystem.has(file) === isSet('HOOKGATE_TEST_SYSTEM'))
}

export default defineConfig({
  // The library as it is, and not as it was last built.
  resolve: {
    alias: [
      { find: 'hookgate/policy', replacement: pathOf('../src/library/policy.ts') },
      // Processes and worker threads are started from the build, since they would spend half of their time on stripping
      // types. `globalSetup` makes sure that it is of these sources.
      { find: /^\.\.?\/.*\bprogram-files\.ts$/, replacement: pathOf('../dist/files/program-files.js') },
    ],
  },
  test: {
    globalSetup: ['test/support/own-environment.ts', 'test/support/build.ts'],
    env: compileCache,
    // Tests start real processes, beside a load of 20 for each core too. No time is an assertion: these only end a test that
    // waits for what never comes.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    // More than cores: a third of the time of tests is waiting, for a limit or for a process that does.
    maxWorkers: Math.ceil(availableParallelism() * workersPerCore),
    // Hundreds of real processes and signals on a shared machine: what is broken fails three times in a row.
    projects: [
      { extends: true, test: { name: 'own module cache', include: ofLane(ownModules), exclude: fetched } },
      {
        extends: true,
        test: {
          name: 'shared',
          include: ofLane(['test/**/*.test.ts']),
          exclude: [...ownModules, ...fetched],
          isolate: false,
        },
      },
    ],
    reporters: [
      new Progress(),
      new RepeatedTests(),
      ...(process.env['HOOKGATE_TEST_TIMES'] === undefined ? [] : [new SlowestFiles()]),
    ],
    retry: process.env['CI'] === undefined ? 0 : 2,
  },
})
