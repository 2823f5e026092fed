import { sizeOfInput } from '../encoded-input.ts'
import type { EncodedInput } from '../../../model/policy.ts'

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
