import {
  DefaultReporter,
  type TestCase,
  type TestModule,
  type TestSpecification,
  type TestSuite,
  type Vitest,
} from 'vitest/node'

/** Files that the end of a run lists as the slowest; with `--times`, `SlowestFiles` lists more. */
const slowestListed = 10
/** Without a terminal, a line this often shows that the run goes on. */
const lineMs = 30_000
/** On a terminal, the line is written anew at most this often. */
const redrawMs = 200

type Out = Pick<NodeJS.WriteStream, 'write'> & { readonly isTTY?: boolean; readonly columns?: number }

/**
 * Shows how far a run is: a line that moves on a terminal, and a line now and then elsewhere; each failure at once. At the
 * end stand the slowest files and each failure with its place and its difference.
 */
export class Progress extends DefaultReporter {
  readonly #out: Out
  readonly #nowMs: () => number
  #startedMs = 0
  #files = 0
  #ended: TestModule[] = []
  #running = new Set<string>()
  #passed = 0
  #failed = 0
  #shownMs = 0

  #isInterrupted = false

  constructor(out: Out = process.stdout, nowMs: () => number = () => performance.now()) {
    super({ summary: false })
    this.#out = out
    this.#nowMs = nowMs
  }

  override onInit(vitest: Vitest): void {
    super.onInit(vitest)
    process.on('SIGINT', () => this.#interrupted())
  }

  /** The lines of slow and failed tests would hide how far the run is. */
  protected override printTestModule(): void {}

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications)
    this.#startedMs = this.#shownMs = this.#nowMs()
    this.#files = specifications.length
    this.#print(`${counted(this.#files, 'test file')} to run; failures are shown as they happen`)
  }

  onTestModuleStart({ relativeModuleId }: TestModule): void {
    this.#running.add(relativeModuleId)
    this.#show()
  }

  override onTestCaseResult(test: TestCase): void {
    super.onTestCaseResult(test)
    const { state, errors = [] } = test.result()
    if (state === 'passed') this.#passed += 1
    if (state === 'failed') this.#fail(`${test.module.relativeModuleId} > ${test.fullName}`, errors)
    this.#show()
  }

  override onTestSuiteResult(suite: TestSuite): void {
    super.onTestSuiteResult(suite)
    const errors = suite.errors()
    if (errors.length > 0) this.#fail(`${suite.module.relativeModuleId} > ${suite.fullName}`, errors)
  }

  override onTestModuleEnd(module: TestModule): void {
    super.onTestModuleEnd(module)
    this.#running.delete(module.relativeModuleId)
    this.#ended.push(module)
    const errors = module.errors()
    if (errors.length > 0) this.#fail(module.relativeModuleId, errors)
    this.#show()
  }

  override onTestRunEnd(...ended: Parameters<DefaultReporter['onTestRunEnd']>): void {
    this.#ended = [...ended[0]]
    this.#summary()
    super.onTestRunEnd(...ended)
  }

  /** A terminal sends the signal, and so does what has started this process. */
  #interrupted(): void {
    if (this.#isInterrupted) return
    this.#isInterrupted = true
    this.#print('\ninterrupted')
    this.#summary()
    const running = [...this.#running]
    if (running.length > 0) this.#print(`was running: ${running.join(', ')}`)
    process.exit(130)
  }

  #summary(): void {
    const timed = this.#ended.map((module) => {
      const { duration, collectDuration } = module.diagnostic()
      return { file: module.relativeModuleId, s: (duration + collectDuration) / 1000 }
    })
    const slowest = timed.toSorted((a, b) => b.s - a.s).slice(0, slowestListed)
    if (slowest.length > 1) this.#print('the slowest files:')
    if (slowest.length > 1) for (const { file, s } of slowest) this.#print(`${s.toFixed(1).padStart(8)} s  ${file}`)
    this.#print(this.#line())
  }

  #fail(name: string, errors: readonly { readonly message?: string }[]): void {
    this.#failed += 1
    const message = errors[0]?.message ?? 'no message'
    this.#print(`FAILED ${name}\n${message.replaceAll(/^/gm, '       ')}`)
  }

  /** Shows the line if it is time to. */
  #show(): void {
    const every = this.#out.isTTY === true ? redrawMs : lineMs
    if (this.#nowMs() - this.#shownMs < every) return
    this.#shownMs = this.#nowMs()
    if (this.#out.isTTY !== true) this.#out.write(`${this.#line()}\n`)
    else this.#out.write(`\r\u001B[2K${this.#line().slice(0, (this.#out.columns ?? 80) - 1)}`)
  }

  /** Prints lines in the place of the one that moves. */
  #print(text: string): void {
    this.#out.write(`${this.#out.isTTY === true ? '\r\u001B[2K' : ''}${text}\n`)
  }

  #line(): string {
    const done = this.#ended.length
    const spentMs = this.#nowMs() - this.#startedMs
    // Files differ much, so that the first say little.
    const isKnown = done >= 5 && done < this.#files
    const left = isKnown ? `, about ${timeText((spentMs / done) * (this.#files - done))} left` : ''
    const failed = this.#failed === 0 ? 'none failed' : `${this.#failed} failed`
    return `${done} of ${counted(this.#files, 'file')}, ${this.#passed} tests passed, ${failed}, ${timeText(spentMs)}${left}`
  }
}

const counted = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`

const timeText = (ms: number) => (ms < 100_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`)
