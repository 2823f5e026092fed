import { sizeOfInput } from '../encoded-input.ts'
import type { EncodedInput } from '../../../model/policy.ts'
import { onOwnClock, errorMark, lineOf, policyEventsAtOnceMax, type SandboxFrame, tags } from '../wire/frames.ts'

/** The events that a thread has received but not decided yet. */
interface EventQueue {
  /** Adds an event, given by its frame. */
  add(frame: SandboxFrame): void
  /** Decides all events, in order of arrival. */
  decide(): void
}

interface Event {
  readonly id: string
  /** One question for each domain that has policies for the event, in order. */
  readonly questions: readonly { readonly domain: string; readonly question: DomainQuestion }[]
}

/** The longest time, in ms, that deciding a batch of events in one call should take. */
const togetherMsMax = 1

/**
 * Creates a queue that decides several events in one call into an isolate if they arrive together and are quick. A call
 * costs as much as ten policies. An event that arrives alone is decided at once.
 *
 * @param evaluate calls the policies of a domain, and returns for each event their answers, a tab, and their times
 * @param answer receives the line that answers an event
 */
export function openEventQueue(
  evaluate: (domain: string, questions: readonly DomainQuestion[]) => readonly string[],
  answer: (line: string) => void,
): EventQueue {
  let events: Event[] = []
  let characters = 0
  /** Mean time of an event in the last batch, ms. */
  let eachMs = togetherMsMax

  function decide(): void {
    while (events.length > 0) {
      const count = Math.min(policyEventsAtOnceMax, Math.max(1, Math.floor(togetherMsMax / eachMs)))
      decideTogether(events.splice(0, count))
    }
    characters = 0
  }

  /** Decides an event for one domain, as most are, with less to do than several take. */
  function decideAlone({ id, questions: [first, ...rest] }: Event): boolean {
    if (first === undefined || rest.length > 0) return false
    const startedAtMs = performance.now()
    const isLate = first.question.untilMs <= startedAtMs
    const [text = ''] = isLate ? [] : evaluate(first.domain, [first.question])
    const ms = performance.now() - startedAtMs
    if (!isLate) eachMs = ms
    answer(lineOf(tags.answer, id, isLate ? tooLate : `${ms.toFixed(3)}\t${text}`))
    return true
  }

  function decideTogether(batch: readonly Event[]): void {
    const [only] = batch
    if (batch.length === 1 && only !== undefined && decideAlone(only)) return
    const startedAtMs = performance.now()
    const answers = new Map<DomainQuestion, string>()
    for (const [domain, group] of Map.groupBy(
      batch.flatMap((one) => one.questions).filter(({ question }) => question.untilMs > startedAtMs),
      (one) => one.domain,
    )) {
      const domainAtMs = performance.now()
      const texts = evaluate(
        domain,
        group.map(({ question }) => question),
      )
      const ms = ((performance.now() - domainAtMs) / group.length).toFixed(3)
      for (const [at, { question }] of group.entries()) answers.set(question, `${ms}\t${texts[at] ?? ''}`)
    }
    if (answers.size > 0) eachMs = (performance.now() - startedAtMs) / batch.length
    for (const { id, questions } of batch) {
      answer(lineOf(tags.answer, id, ...questions.map(({ question }) => answers.get(question) ?? tooLate)))
    }
  }

  return {
    add([line, json = '', ...texts]) {
      const [, id = '', until = '', atMs = '', values = '', ...rest] = line.split('\t')
      const input: EncodedInput = [json, ...texts]
      const untilMs = onOwnClock(Number(until))
      const given = `${atMs}\t${values}`
      const questions: { domain: string; question: DomainQuestion }[] = []
      for (let at = 0; at + 1 < rest.length; at += 2)
        questions.push({ domain: rest[at] ?? '', question: { given, asked: rest[at + 1] ?? '', input, untilMs } })
      events.push({ id, questions })
      characters += sizeOfInput(input)
      // Large events gain nothing by being decided together, and take more memory.
      if (characters > charactersTogetherMax || events.length >= policyEventsAtOnceMax) decide()
    },
    decide,
  }
}

/** Answers an event whose caller has given up, to keep the answers in their order. */
const tooLate = `0\t${errorMark}"there was no time left for it"\t`

/** The most input in one batch, in UTF-16 units: sixteen events of some kilobytes. */
const charactersTogetherMax = 64 * 1024

/** One event to be decided by the policies of one domain. */
export interface DomainQuestion {
  /** The event's time and its fact values, separated by a tab. */
  readonly given: string
  /** The policies to call, with their facts and params: a JSON list. */
  readonly asked: string
  readonly input: EncodedInput
  /** When the answer becomes useless, on the clock of `performance.now()`. */
  readonly untilMs: number
}

/** Counts the UTF-16 units of a question. */
export const sizeOf = ({ given, asked, input }: DomainQuestion): number =>
  given.length + asked.length + sizeOfInput(input)

/** Encodes questions as the arguments of the realm's `evaluate`. */
export function argumentsFor(questions: readonly DomainQuestion[]): readonly string[] {
  const heads = questions.map(({ given, asked }) => `${given}\t${asked}`).join('\n')
  return [heads, ...questions.flatMap(({ input }) => input)]
}

/** Splits a question into one for each policy. Uses no schema: the host wrote the text, and threads load no schemas. */
export function oneByOne(question: DomainQuestion): readonly (readonly [policy: number, alone: DomainQuestion])[] {
  // oxlint-disable-next-line no-unsafe-assignment -- the host wrote it
  const asked: readonly (readonly [policy: number, ...rest: readonly unknown[]])[] = JSON.parse(question.asked)
  return asked.map((one) => [one[0], { ...question, asked: JSON.stringify([one]) }])
}
