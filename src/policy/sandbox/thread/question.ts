/** One event, as the policies of a domain are asked about it. */
export interface Question {
  /** The time and the values of its facts, with a tab between them. */
  readonly given: string
  /** Who is asked: JSON of a list. */
  readonly asked: string
  /** The event, on one line. */
  readonly input: string
  /** When the answer is of no use any more, on the clock of `performance.now()`. */
  readonly untilMs: number
}

/** As the realm takes it. */
export function questionText({ given, asked, input }: Question): string {
  return `${given}\t${asked}\n${input}\n`
}

/** Takes a question apart for asking its policies one by one. It is of our own making; no schema, for threads start without one. */
export function oneByOne(question: Question): readonly (readonly [policy: number, alone: Question])[] {
  // oxlint-disable-next-line no-unsafe-assignment -- of our own making, as said
  const asked: readonly (readonly [policy: number, ...rest: readonly unknown[]])[] = JSON.parse(question.asked)
  return asked.map((one) => [one[0], { ...question, asked: JSON.stringify([one]) }])
}
