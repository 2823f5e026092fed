import { errorText, HookgateError } from '../../../model/errors.ts'
import type { Failure } from '../../../model/failure.ts'
import { limits } from '../../../model/limits.ts'
import type { Described } from '../../../model/policy.ts'
import type { PolicyLoad } from '../wire/policy-load.ts'
import { oneByOne, type Question, questionText } from './question.ts'
import { type RealmIsolate, realmIsolate } from './realm-isolate.ts'
import { failureOf, limitedCall, type Outcome } from './limited-call.ts'
import { cpuMsHere } from '../wire/thread-cpu.ts'

/**
 * The policies of one trust domain on one thread. Asks all of a call at once and, when that takes too much, one by one,
 * so that only the culprit fails.
 */
export class PolicyIsolate {
  readonly #load: PolicyLoad
  /** Policies that could not be loaded, and will not be if the realm is built again. */
  readonly #broken = new Map<number, Failure>()
  /** What was asked of policies that are all loaded. */
  readonly #ready = new Set<string>()
  #realm: RealmIsolate
  #fullCalls = 0
  /** Events since the last look at the heap. */
  #unlooked = 0

  constructor(load: PolicyLoad) {
    this.#load = load
    this.#realm = realmIsolate(load)
  }

  /**
   * What some policies say of themselves.
   * @param onMember called before each of them
   */
  describe(members: readonly number[], onMember?: () => void): readonly Described[] {
    return members.map((index) => {
      onMember?.()
      const file = this.#fileOf(index)
      const broken = this.#loaded(index)
      if (broken !== undefined) return { failure: broken }
      const ran = this.#run('describe', [index], limits.policyCpuMs, performance.now() + limits.policyAnswerMsMax)
      if ('failed' in ran) return { failure: failureOf(file, ran.failed, limits.policyCpuMs) }
      // oxlint-disable-next-line no-unsafe-assignment -- of the realm's making, which no policy reaches
      const described: Described = JSON.parse(ran.value)
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
    if (!questions.every(({ asked }) => this.#ready.has(asked))) return undefined
    const text = questions.map(questionText).join('')
    const ran = this.#run('evaluate', [text], limits.policyCpuMs, performance.now() + 2 * limits.policyCpuMs)
    if (!('value' in ran) || ran.value.startsWith('!')) return undefined
    this.#look(questions.length)
    const answers = ran.value.split('\n')
    return answers.length === questions.length ? answers : undefined
  }

  #evaluate(question: Question, onMember?: () => void): string {
    const text = questionText(question)
    const limitMs = cpuLimitMs(text.length)
    const startedAtMs = performance.now()
    const endsAtMs = Math.min(startedAtMs + limits.policyAnswerMsMax, question.untilMs)
    // Half of the time is kept for asking one by one.
    const halfwayMs = (startedAtMs + endsAtMs) / 2
    const ran = this.#isReady(question, onMember) ? this.#run('evaluate', [text], limitMs, halfwayMs) : undefined
    if (ran !== undefined && 'value' in ran) {
      this.#look(1)
      return answersOf(ran.value)
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
      const broken = this.#loaded(index)
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
      characters += ran.value.length
      return answersOf(ran.value).slice(1, -1)
    })
    return `[${texts.join(',')}]`
  }

  /** Whether all policies that are asked are loaded now. With the first question that needs it, each is. */
  #isReady(question: Question, onMember?: () => void): boolean {
    const { asked } = question
    if (this.#ready.has(asked)) return true
    const startedCpuMs = cpuMsHere()
    for (const [index] of oneByOne(question)) {
      if (this.#realm.isLoaded(index)) continue
      if (cpuMsHere() - startedCpuMs > limits.policySourceCpuMs) return false
      onMember?.()
      if (this.#loaded(index) !== undefined) return false
    }
    if (this.#ready.size >= readyMax) this.#ready.clear()
    this.#ready.add(asked)
    return true
  }

  /** Loads a policy, unless it is loaded. @returns why it cannot be */
  #loaded(index: number): Failure | undefined {
    const known = this.#broken.get(index)
    if (known !== undefined) return known
    const failure = this.#realm.load(index)
    if (this.#realm.isDisposed) this.#rebuild()
    // Whether there is CPU time may be different the next time.
    if (failure !== undefined && failure.code !== 'exhausted') this.#broken.set(index, failure)
    return failure
  }

  #fileOf(index: number): string {
    return this.#load.policies[index]?.file ?? 'a policy that is not loaded'
  }

  #run(
    name: 'describe' | 'evaluate',
    args: readonly (string | number)[],
    cpuMs: number,
    deadlineMs: number,
  ): Outcome<string> {
    const realm = this.#realm
    const isDisposed = () => realm.isDisposed
    const outcome = limitedCall((timeoutMs) => realm.call(name, args, timeoutMs), {
      cpuMs,
      deadlineMs,
      isDisposed,
      // The realm lets nothing through, but the engine has a few errors that cannot be caught inside: of `import()`.
      messageOf: (error) => `was stopped by the engine: ${errorText(error)}`,
    })
    if (realm.isDisposed) this.#rebuild()
    return outcome
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
    this.#ready.clear()
    this.#realm = realmIsolate(this.#load)
  }
}

/** Texts of what is asked: one for each kind of event. */
const readyMax = 1000

/** Events between two looks at the heap. */
const looksEvery = 16

function cpuLimitMs(characters: number): number {
  return limits.policyCpuMs + (limits.policyCpuMsPerMegabyte * characters) / (1024 * 1024)
}

function notAsked(file: string, why: string): Failure {
  return { code: 'exhausted', message: `${file}: was not asked: ${why}` }
}

/** What the realm could make nothing of is a defect of ours: the host builds what it reads. */
function answersOf(text: string): string {
  if (text.startsWith('!')) throw new HookgateError('internal', text.slice(1))
  return text
}
