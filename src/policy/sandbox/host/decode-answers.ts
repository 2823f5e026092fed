import { z } from 'zod'
import { Failure } from '../../../model/failure.ts'
import { limits } from '../../../model/limits.ts'
import { PolicyAnswer } from '../../../model/policy.ts'
import { errorMark } from '../wire/frames.ts'

/** One policy's answer, on its way out of the sandbox. */
export type Outcome = { readonly answers: readonly PolicyAnswer[] } | { readonly failure: Failure }

export const abstains = Object.freeze({ answers: Object.freeze([]) }) satisfies Outcome

const Reply = z.array(
  z.union([
    z.literal(0).transform((): Outcome => abstains),
    z
      .array(PolicyAnswer)
      .min(1)
      .max(limits.policyAnswersMax)
      .transform((answers): Outcome => ({ answers })),
    z.strictObject({ failure: Failure }),
  ]),
)

/** Reads the answers of one domain to so many calls. @throws where the text is no such answer */
export function decodeAnswers(text: string, calls: number): readonly Outcome[] {
  if (text.startsWith(errorMark)) return failuresOfThread(text, calls)
  const parsed = Reply.safeParse(JSON.parse(text))
  if (!parsed.success) throw new TypeError('an answer is not one that a policy can give')
  const outcomes = parsed.data
  if (outcomes.length !== calls) throw new TypeError(`${calls} calls got ${outcomes.length} answers`)
  return outcomes
}

/** Recognizes the answer in which every policy abstains, by far the most frequent, without parsing it. */
export function isAllAbstain(text: string, calls: number): boolean {
  const silence = (silences[calls] ??= `[${'0,'.repeat(Math.max(0, calls - 1))}0]`)
  return text === silence
}
const silences: string[] = []

/** A thread that cannot ask its isolate sends an error in its place. */
function failuresOfThread(text: string, calls: number): readonly Outcome[] {
  const message = z.string().parse(JSON.parse(text.slice(errorMark.length)))
  const outcome: Outcome = { failure: { code: 'workerLost', message: `its sandbox failed: ${message}` } }
  return Array.from({ length: calls }, () => outcome)
}
