import { limits } from '../../../model/limits.ts'
import { onOwnClock } from '../wire/machine-clock.ts'
import type { Question } from './question.ts'
import { errorMark, frameOf, tags } from '../wire/frames.ts'

/** Events that have come and are not decided yet. */
export interface Pending {
  /** One more, of which the thread was told these two lines. */
  add(header: string, input: string): void
  /** Decides all of them, in the order in which they came. */
  decide(): void
}

interface Event {
  readonly id: string
  /** Of each domain that is asked, in order. */
  readonly asked: readonly { readonly domain: string; readonly question: Question }[]
}

/** Nobody waits longer than this for others that are decided together with him. */
const togetherMsMax = 1

/**
 * Decides several events in one call into an isolate, where they have come together and are quick: a call costs as much as
 * ten policies. Whoever comes alone is decided alone, and at once.
 *
 * @param evaluate what the policies of a domain answer to events
 * @param answer takes the frame that answers an event
 */
export function openPending(
  evaluate: (domain: string, questions: readonly Question[]) => readonly string[],
  answer: (frame: string) => void,
): Pending {
  let events: Event[] = []
  let characters = 0
  /** What an event took of late. */
  let eachMs = togetherMsMax

  function decide(): void {
    while (events.length > 0) {
      const count = Math.min(limits.policyEventsAtOnceMax, Math.max(1, Math.floor(togetherMsMax / eachMs)))
      decideTogether(events.splice(0, count))
    }
    characters = 0
  }

  function decideTogether(some: readonly Event[]): void {
    const startedAtMs = performance.now()
    const said = new Map<Question, string>()
    for (const [domain, asked] of Map.groupBy(
      some.flatMap((one) => one.asked).filter(({ question }) => question.untilMs > startedAtMs),
      (one) => one.domain,
    )) {
      const domainAtMs = performance.now()
      const texts = evaluate(
        domain,
        asked.map(({ question }) => question),
      )
      const ms = ((performance.now() - domainAtMs) / asked.length).toFixed(3)
      for (const [at, { question }] of asked.entries()) said.set(question, `${ms}\t${texts[at] ?? ''}`)
    }
    if (said.size > 0) eachMs = (performance.now() - startedAtMs) / some.length
    for (const { id, asked } of some) {
      answer(frameOf(tags.answer, id, ...asked.map(({ question }) => said.get(question) ?? tooLate)))
    }
  }

  return {
    add(header, input) {
      const [, id = '', until = '', atMs = '', values = '', ...rest] = header.split('\t')
      const untilMs = onOwnClock(Number(until))
      const given = `${atMs}\t${values}`
      const asked: { domain: string; question: Question }[] = []
      for (let at = 0; at + 1 < rest.length; at += 2)
        asked.push({ domain: rest[at] ?? '', question: { given, asked: rest[at + 1] ?? '', input, untilMs } })
      events.push({ id, asked })
      characters += input.length
      // What is large is not the quicker for being decided together, and takes the more memory.
      if (characters > charactersTogetherMax || events.length >= limits.policyEventsAtOnceMax) decide()
    },
    decide,
  }
}

/** Nobody has waited for this: it only keeps the answers in their order. */
const tooLate = `0\t${errorMark}"there was no time left for it"`

/** In UTF-16 units: sixteen events of some kilobytes. */
const charactersTogetherMax = 64 * 1024
