import { errorText, HookgateError } from '../../../model/errors.ts'
import type { Failure } from '../../../model/failure.ts'
import { limits } from '../../../model/limits.ts'
import type { Described } from '../../../model/policy.ts'
import { argumentsFor, type DomainQuestion, oneByOne, sizeOf } from './event-queue.ts'
import { type CallOutcome, failureOf, limitedCall, type RealmIsolate, realmIsolate } from './realm-isolate.ts'
import { cpuMsHere, type PolicyLoad } from '../wire/frames.ts'

/** Share of an isolate's memory above which it counts as full: half is left for a policy that needs much. */
const policyHeapFull = 0.5

/** Calls with a full heap after which an isolate is replaced: by then garbage should have been collected. */
const policyHeapFullCallsMax = 8

/**
 * The policies of one trust domain on one thread. Calls all policies of an event at once and, if that exceeds a limit,
 * one by one, so that only the culprit fails.
 */
export class PolicyIsolate {
  readonly #load: PolicyLoad
  /** Failures of policies that could not be loaded; a rebuilt realm does not try them again. */
  readonly #broken = new Map<number, Failure>()
  /** Call lists (see `Question.asked`) whose policies are all loaded. */
  readonly #ready = new Set<string>()
  #realm: RealmIsolate
  #fullCalls = 0
  /** Events since the last check of the heap. */
  #eventsUnchecked = 0

  constructor(load: PolicyLoad) {
    this.#load = load
    this.#realm = realmIsolate(load)
  }

  /** @param onMember called before each policy */
  describe(members: readonly number[], onMember?: () => void): readonly Described[] {
    return members.map((index) => {
      onMember?.()
      const file = this.#fileOf(index)
      const broken = this.#ensureLoaded(index)
      if (broken !== undefined) return { failure: broken }
      const ran = this.#run('describe', [index], limits.policyCpuMs, performance.now() + limits.policyAnswerMsMax)
      if ('failed' in ran) return { failure: failureOf(file, ran.failed, limits.policyCpuMs) }
      // oxlint-disable-next-line no-unsafe-assignment -- written by the realm, which no policy can change
      const described: Described = JSON.parse(ran.value)
      return described
    })
  }

  /**
   * Decides events, and returns for each a JSON array of the policies' answers, in the order of `asked`; behind a tab,
   * the times of the policies that took long, as the realm's `evaluate` reports them.
   * @param onMember called before each step that may take as long as the whole attempt did
   */
  evaluate(questions: readonly DomainQuestion[], onMember?: () => void): readonly string[] {
    const [only] = questions
    if (questions.length === 1 && only !== undefined) return [this.#evaluate(only, onMember)]
    const together = this.#evaluateTogether(questions)
    if (together !== undefined) return together
    return questions.map((question) => {
      onMember?.()
      return this.#evaluate(question, onMember)
    })
  }

  /**
   * Decides several events in one call, within the time and memory that one event has alone. Returns `undefined` if that
   * fails: the events are then decided one by one.
   */
  #evaluateTogether(questions: readonly DomainQuestion[]): readonly string[] | undefined {
    if (!questions.every(({ asked }) => this.#ready.has(asked))) return undefined
    const ran = this.#run(
      'evaluate',
      argumentsFor(questions),
      limits.policyCpuMs,
      performance.now() + 2 * limits.policyCpuMs,
    )
    if (!('value' in ran) || ran.value.startsWith('!')) return undefined
    this.#checkHeap(questions.length)
    const answers = ran.value.split('\n')
    return answers.length === questions.length ? answers : undefined
  }

  #evaluate(question: DomainQuestion, onMember?: () => void): string {
    const limitMs = cpuLimitMs(sizeOf(question))
    const startedAtMs = performance.now()
    const endsAtMs = Math.min(startedAtMs + limits.policyAnswerMsMax, question.untilMs)
    // Half of the time is reserved for calling the policies one by one.
    const halfwayMs = (startedAtMs + endsAtMs) / 2
    const ran = this.#isReady(question, onMember)
      ? this.#run('evaluate', argumentsFor([question]), limitMs, halfwayMs)
      : undefined
    if (ran !== undefined && 'value' in ran) {
      this.#checkHeap(1)
      return answersOf(ran.value)
    }
    return this.#oneByOne(question, limitMs, endsAtMs, onMember)
  }

  dispose(): void {
    this.#realm.dispose()
  }

  #oneByOne(question: DomainQuestion, limitMs: number, deadlineMs: number, onMember?: () => void): string {
    const members = oneByOne(question)
    const startedCpuMs = cpuMsHere()
    // Each policy's call parses the event again.
    const cpuMsMax = policySourceCpuMs + members.length * (limitMs - limits.policyCpuMs)
    let characters = 0
    const times: string[] = []
    const texts = members.map(([index, alone], at) => {
      onMember?.()
      const file = this.#fileOf(index)
      const broken = this.#ensureLoaded(index)
      if (broken !== undefined) return JSON.stringify({ failure: broken })
      if (performance.now() > deadlineMs) return JSON.stringify({ failure: notAsked(file, 'there was no time left') })
      if (characters > limits.policyAnswersCharactersMax)
        return JSON.stringify({ failure: notAsked(file, 'the answers of earlier policies were too long') })
      if (cpuMsHere() - startedCpuMs > cpuMsMax)
        return JSON.stringify({ failure: notAsked(file, `earlier policies took more than ${cpuMsMax} ms of CPU time`) })
      const beforeMs = performance.now()
      const ran = this.#run('evaluate', argumentsFor([alone]), limitMs, deadlineMs)
      times.push(`${at}:${(performance.now() - beforeMs).toFixed(3)}`)
      // The memory that this policy leaves behind must not count against the next one.
      this.#rebuildIfFull(1)
      if ('failed' in ran) return JSON.stringify({ failure: failureOf(file, ran.failed, limitMs) })
      characters += ran.value.length
      return answersOf(ran.value).slice(1, ran.value.lastIndexOf(']'))
    })
    return `[${texts.join(',')}]\t${times.join(',')}`
  }

  /** Loads the policies of a question that are not loaded yet, and returns true if all of them now are. */
  #isReady(question: DomainQuestion, onMember?: () => void): boolean {
    const { asked } = question
    if (this.#ready.has(asked)) return true
    const startedCpuMs = cpuMsHere()
    for (const [index] of oneByOne(question)) {
      if (this.#realm.isLoaded(index)) continue
      if (cpuMsHere() - startedCpuMs > policySourceCpuMs) return false
      onMember?.()
      if (this.#ensureLoaded(index) !== undefined) return false
    }
    if (this.#ready.size >= readyMax) this.#ready.clear()
    this.#ready.add(asked)
    return true
  }

  /** Loads a policy unless it is loaded. @returns why it cannot be loaded */
  #ensureLoaded(index: number): Failure | undefined {
    const known = this.#broken.get(index)
    if (known !== undefined) return known
    const failure = this.#realm.load(index)
    if (this.#realm.isDisposed) this.#rebuild()
    // Lack of CPU time may be temporary, so it is not remembered.
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
  ): CallOutcome<string> {
    const realm = this.#realm
    const isDisposed = () => realm.isDisposed
    const outcome = limitedCall((timeoutMs) => realm.call(name, args, timeoutMs), {
      cpuMs,
      deadlineMs,
      isDisposed,
      // The realm catches all errors. Of a promise that is rejected, as `import()` always is, isolated-vm reports the
      // error after the call, unless the promise was collected by then.
      messageOf: (error) => `was stopped by the engine: ${errorText(error)}`,
    })
    if (realm.isDisposed) this.#rebuild()
    return outcome
  }

  /**
   * Checks the heap every few events only: a check takes 2 µs, a third of an event. A call that runs out of memory
   * meanwhile is made again in a new realm.
   */
  #checkHeap(events: number): void {
    this.#eventsUnchecked += events
    if (this.#eventsUnchecked < heapCheckEvents) return
    this.#eventsUnchecked = 0
    this.#rebuildIfFull(policyHeapFullCallsMax)
  }

  /**
   * Rebuilds the realm after several checks in a row found its heap full. Policies can leave memory behind (registered
   * symbols, interned strings), though none can observe it. Uncollected garbage counts too, so one check proves little.
   */
  #rebuildIfFull(fullCallsMax: number): void {
    if (this.#realm.fullness < policyHeapFull) this.#fullCalls = 0
    else if (++this.#fullCalls >= fullCallsMax) this.#rebuild()
  }

  #rebuild(): void {
    this.#realm.dispose()
    this.#fullCalls = 0
    this.#ready.clear()
    this.#realm = realmIsolate(this.#load)
  }
}
/**
 * CPU time that all policies of one source may take for one event: thirty times `policyCpuMs`. An untrusted source
 * must not be able to occupy a machine with one core for longer.
 */
export const policySourceCpuMs = 3000

/** Call lists that are remembered as ready: there is about one for each kind of event. */
const readyMax = 1000

/** Events between two checks of the heap. */
const heapCheckEvents = 16

function cpuLimitMs(characters: number): number {
  return limits.policyCpuMs + (limits.policyCpuMsPerMegabyte * characters) / (1024 * 1024)
}

function notAsked(file: string, why: string): Failure {
  return { code: 'exhausted', message: `${file}: was not evaluated: ${why}` }
}

/** Throws if the realm reports a malformed request, which is a bug in hookgate: the host builds the requests. */
function answersOf(text: string): string {
  if (text.startsWith('!')) throw new HookgateError('internal', text.slice(1))
  return text
}
