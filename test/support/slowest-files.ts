import type { Reporter, TestModule } from 'vitest/node'

/** Files that `npm test -- --times` lists: those in which half a minute can still be found. */
const listed = 20

/** Lists the slowest files at the end of the run, with their tests and seconds; the seconds of all files come first. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const timed = modules.map((module) => {
      const { duration, collectDuration } = module.diagnostic()
      return { file: module.relativeModuleId, s: (duration + collectDuration) / 1000, tests: testsOf(module) }
    })
    const total = timed.reduce((sum, { s }) => sum + s, 0)
    console.log(`\n${total.toFixed(0)} s in ${timed.length} files; the slowest:`)
    for (const { file, s, tests } of timed.toSorted((a, b) => b.s - a.s).slice(0, listed)) {
      console.log(`${s.toFixed(1).padStart(7)} s ${String(tests).padStart(6)} tests  ${file}`)
    }
  }
}

const testsOf = (module: TestModule) => [...module.children.allTests()].length
