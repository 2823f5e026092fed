import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/real-agents/**/*.test.ts'],
    // Longer than `programMs` of the world, so that what a program has said until then is shown.
    testTimeout: 900_000,
    hookTimeout: 240_000,
    // The programs run hookgate as it is built.
    globalSetup: 'test/support/build.ts',
    // Which programs are not here is to be read as well.
    reporters: ['verbose'],
    // One program at a time.
    fileParallelism: false,
    maxWorkers: 1,
  },
})
