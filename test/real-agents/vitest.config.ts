import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/real-agents/**/*.test.ts'],
    // A conversation of a real program takes seconds, and minutes on a machine that does other things.
    testTimeout: 240_000,
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
