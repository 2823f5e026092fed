import { errorText, HookgateError } from '../../../model/errors.ts'
import type { Failure } from '../../../model/failure.ts'
import { limits } from '../../../model/limits.ts'
import type { Described } from '../../../model/policy.ts'
import type { PolicyLoad } from '../wire/policy-load.ts'
import { oneByOne, type Question, questionText } from './question.ts'
import { LoadExhausted, type RealmIsolate, realmIsolate } from './realm-isolate.ts'
import { cpuMsHere } from '../wire/thread-cpu.ts'

/** How a call went: its text, or how it ended without one. */
type Ran = { readonly text: string } | { readonly failed: Failed }
type Failed =
  | { readonly code: 'policyTimeout' }
  /** It was never given the CPU time that it may take, which is not its own doing. */
  | { readonly code: 'exhausted' }
  | { readonly code: 'policyOutOfMemory' }
  | { readonly code: 'policyThrew'; readonly why: string }

/**
 * The policies of one trust domain on one thread. Asks all of a call at once and, when that takes too much, one by one,
 * so that only the culprit fails.
 */
export class PolicyIsolate {
  readonly #load: PolicyLoad
  readonly #tooLarge = new Map<number, Failure>()
  #realm: RealmIsolate
  #fullCalls = 0
  /** Events since the last look at the heap. */
  #unlooked = 0

  constructor(load: PolicyLoad) {
    this.#load = load
    this.#realm = this.#build()
  }

  /**
   * What some policies say of themselves.
   * @param onMember called before each of them
   */
  describe(members: readonly number[], onMember?: () => void): readonly Described[] {
    return members.map((index) => {
      onMember?.()
      const file = this.#fileOf(index)
      const broken = this.#realm.broken.get(index)
      if (broken !== undefined) return { failure: broken }
      const ran = this.#run('describe', [index], limits.policyCpuMs, performance.now() + limits.policyAnswerMsMax)
      if ('failed' in ran) return { failure: failureOf(file, ran.failed, limits.policyCpuMs) }
      // oxlint-disable-next-line no-unsafe-assignment -- of the realm's making, which no policy reaches
      const described: Described = JSON.parse(ran.text)
      return described
    })
  }

  /**
   * Decides events, and returns what the policies answered to each as the JSON of an array in the order of `asked`.
   * @param onMember called before everything that may take as long as all of it did
   */
  evaluate(questions: readonly Question[], onMember?: () => void): readonly string[] {
    const [only] = questions
    if (questions.length === 1 && only !== undefined) return [this.#evaluate(only, onMember)]
    const together = this.#evaluateTogether(questions)
    if (together !== undefined) return together
    return questions.map((question) => {
      onMember?.()
      return this.#evaluate(question, onMember)
    })
  }

  /** Within the time and the memory that each of them could have had alone; otherwise they are asked one by one. */
  #evaluateTogether(questions: readonly Question[]): readonly string[] | undefined {
    if (this.#realm.broken.size > 0) return undefined
    const text = questions.map(questionText).join('')
    const ran = this.#run('evaluate', [text], limits.policyCpuMs, performance.now() + 2 * limits.policyCpuMs)
    if (!('text' in ran) || ran.text.startsWith('!')) return undefined
    this.#look(questions.length)
    const answers = ran.text.split('\n')
    return answers.length === questions.length ? answers : undefined
  }

  #evaluate(question: Question, onMember?: () => void): string {
    const text = questionText(question)
    const limitMs = cpuLimitMs(text.length)
    const startedAtMs = performance.now()
    const endsAtMs = Math.min(startedAtMs + limits.policyAnswerMsMax, question.untilMs)
    // Half of the time is kept for asking one by one.
    const halfwayMs = (startedAtMs + endsAtMs) / 2
    const { broken } = this.#realm
    const ran = broken.size === 0 ? this.#run('evaluate', [text], limitMs, halfwayMs) : undefined
    if (ran !== undefined && 'text' in ran) {
      this.#look(1)
      return answersOf(ran.text)
    }
    return this.#oneByOne(question, limitMs, endsAtMs, onMember)
  }

  dispose(): void {
    this.#realm.dispose()
  }

  #oneByOne(question: Question, limitMs: number, deadlineMs: number, onMember?: () => void): string {
    const members = oneByOne(question)
    const startedCpuMs = cpuMsHere()
    // Each of them reads the event.
    const cpuMsMax = limits.policySourceCpuMs + members.length * (limitMs - limits.policyCpuMs)
    let characters = 0
    const texts = members.map(([index, alone]) => {
      onMember?.()
      const file = this.#fileOf(index)
      const broken = this.#realm.broken.get(index)
      if (broken !== undefined) return JSON.stringify({ failure: broken })
      if (performance.now() > deadlineMs) return JSON.stringify({ failure: notAsked(file, 'there was no time left') })
      if (characters > limits.policyAnswersCharactersMax)
        return JSON.stringify({ failure: notAsked(file, 'the answers of earlier policies were too long') })
      if (cpuMsHere() - startedCpuMs > cpuMsMax)
        return JSON.stringify({ failure: notAsked(file, `earlier policies took more than ${cpuMsMax} ms of CPU time`) })
      const ran = this.#run('evaluate', [questionText(alone)], limitMs, deadlineMs)
      // What it leaves behind is not to count as the next one's.
      this.#keepRoom(1)
      if ('failed' in ran) return JSON.stringify({ failure: failureOf(file, ran.failed, limitMs) })
      characters += ran.text.length
      return answersOf(ran.text).slice(1, -1)
    })
    return `[${texts.join(',')}]`
  }

  #fileOf(index: number): string {
    return this.#load.policies[index]?.file ?? 'a policy that is not loaded'
  }

  /**
   * The timeout is one of wall time, and on a loaded machine a call may reach it having done little. As long as it has
   * used less CPU time than it may, it is run again with twice the time.
   */
  #run(name: 'describe' | 'evaluate', args: readonly (string | number)[], limitMs: number, deadlineMs: number): Ran {
    const realm = this.#realm
    for (let timeoutMs = limitMs; ; timeoutMs *= 2) {
      const before = cpuMsHere()
      try {
        const nowMs = performance.now()
        return { text: realm.call(name, args, Math.max(1, Math.min(inStep(timeoutMs, nowMs), deadlineMs - nowMs))) }
      } catch (error) {
        if (realm.isDisposed) {
          this.#rebuild()
          return { failed: { code: 'policyOutOfMemory' } }
        }
        // The realm lets nothing through, but the engine has a few errors that cannot be caught inside: of `import()`.
        if (!isTimeout(error)) return { failed: { code: 'policyThrew', why: errorText(error) } }
        const usedMs = cpuMsHere() - before
        if (usedMs >= limitMs * cpuShare) return { failed: { code: 'policyTimeout' } }
        if (performance.now() >= deadlineMs) return { failed: { code: 'exhausted' } }
      }
    }
  }

  /** A look at the heap takes 2 µs, a third of what an event does. A call that needs the room is asked again on a new one. */
  #look(events: number): void {
    this.#unlooked += events
    if (this.#unlooked < looksEvery) return
    this.#unlooked = 0
    this.#keepRoom(limits.policyHeapFullCallsMax)
  }

  /**
   * What policies leave behind in spite of everything (registered symbols, interned texts) can be seen by none of them,
   * but it takes room. Garbage does too until it is collected, so that one look proves nothing.
   */
  #keepRoom(fullCallsMax: number): void {
    if (this.#realm.fullness < limits.policyHeapFull) this.#fullCalls = 0
    else if (++this.#fullCalls >= fullCallsMax) this.#rebuild()
  }

  #rebuild(): void {
    this.#realm.dispose()
    this.#fullCalls = 0
    this.#realm = this.#build()
  }

  #build(): RealmIsolate {
    for (;;) {
      try {
        return realmIsolate(this.#load, this.#tooLarge)
      } catch (error) {
        if (!(error instanceof LoadExhausted) || this.#tooLarge.has(error.index)) throw error
        this.#tooLarge.set(error.index, failureOf(this.#fileOf(error.index), { code: 'policyOutOfMemory' }, 0))
      }
    }
  }
}

/** Events between two looks at the heap. */
const looksEvery = 16

/**
 * A timeout that ends together with others, up to `timerStepMs` later. isolated-vm has a thread that wakes for each
 * moment at which a timeout would have ended, needed or not; for thousands of calls a second that is a third of the work.
 */
function inStep(timeoutMs: number, nowMs: number): number {
  return timeoutMs + timerStepMs - (nowMs % timerStepMs)
}
const timerStepMs = 50

/** Between the clocks of the timeout and of the CPU lies some time of starting and ending. */
const cpuShare = 0.8

function cpuLimitMs(characters: number): number {
  return limits.policyCpuMs + (limits.policyCpuMsPerMegabyte * characters) / (1024 * 1024)
}

function failureOf(file: string, failed: Failed, limitMs: number): Failure {
  const message = `${file}: ${messageOf(failed, limitMs)}`
  return { code: failed.code, message: message.slice(0, limits.policyErrorCharactersMax) }
}

function messageOf(failed: Failed, limitMs: number): string {
  switch (failed.code) {
    case 'policyTimeout':
      return `took more than ${Math.floor(limitMs)} ms of CPU time: look for a loop, or a slow regular expression`
    case 'exhausted':
      return 'did not get the CPU time that it is allowed: the machine, or an earlier policy, is too busy'
    case 'policyOutOfMemory':
      return `took more than ${limits.policyMemoryMb} MB of memory: look for a list or string that keeps growing`
    case 'policyThrew':
      return `was stopped by the engine: ${failed.why}`
  }
}

function notAsked(file: string, why: string): Failure {
  return { code: 'exhausted', message: `${file}: was not asked: ${why}` }
}

/** What the realm could make nothing of is a defect of ours: the host builds what it reads. */
function answersOf(text: string): string {
  if (text.startsWith('!')) throw new HookgateError('internal', text.slice(1))
  return text
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message.includes('timed out')
}
