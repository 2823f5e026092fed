/** One event to be decided by the policies of one domain. */
export interface DomainQuestion {
  /** The event's time and its fact values, separated by a tab. */
  readonly given: string
  /** The policies to call, with their facts and params: a JSON list. */
  readonly asked: string
  /** The event, on one line. */
  readonly input: string
  /** When the answer becomes useless, on the clock of `performance.now()`. */
  readonly untilMs: number
}

/** Encodes a question as the realm's `evaluate` reads it. */
export function questionText({ given, asked, input }: DomainQuestion): string {
  return `${given}\t${asked}\n${input}\n`
}

/** Splits a question into one for each policy. Uses no schema: the host wrote the text, and threads load no schemas. */
export function oneByOne(question: DomainQuestion): readonly (readonly [policy: number, alone: DomainQuestion])[] {
  // oxlint-disable-next-line no-unsafe-assignment -- the host wrote it
  const asked: readonly (readonly [policy: number, ...rest: readonly unknown[]])[] = JSON.parse(question.asked)
  return asked.map((one) => [one[0], { ...question, asked: JSON.stringify([one]) }])
}
