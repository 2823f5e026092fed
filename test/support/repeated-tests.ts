import type { Reporter, TestModule } from 'vitest/node'

/** Names the tests that passed only when they were repeated, at the end of the run: each is a defect of the test or of hookgate. */
export class RepeatedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const repeated = modules.flatMap((module) =>
      [...module.children.allTests()].filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0),
    )
    for (const test of repeated) {
      console.log(`repeated ${test.diagnostic()?.retryCount} times: ${test.module.relativeModuleId} > ${test.fullName}`)
    }
  }
}
