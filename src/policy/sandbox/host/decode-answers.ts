import { z } from 'zod'
import type { Failure } from '../../../model/failure.ts'
import { Failure as FailureSchema } from '../../../model/failure.ts'
import { limits } from '../../../model/limits.ts'
import { PolicyAnswer } from '../../../model/policy.ts'
import { errorMark } from '../wire/frames.ts'

/** What one policy said, on its way out of the sandbox. */
export type Said = { readonly answers: readonly PolicyAnswer[] } | { readonly failure: Failure }

export const saidNothing = Object.freeze({ answers: Object.freeze([]) }) satisfies Said

const Reply = z.array(
  z.union([
    z.literal(0).transform((): Said => saidNothing),
    z
      .array(PolicyAnswer)
      .min(1)
      .max(limits.policyAnswersMax)
      .transform((answers): Said => ({ answers })),
    z.strictObject({ failure: FailureSchema }),
  ]),
)

/** Reads what a domain answered to so many calls. @throws where it is no such answer */
export function readReply(text: string, calls: number): readonly Said[] {
  if (text.startsWith(errorMark)) return lostAll(text, calls)
  const parsed = Reply.safeParse(JSON.parse(text))
  if (!parsed.success) throw new TypeError('an answer is not one that a policy can give')
  const said = parsed.data
  if (said.length !== calls) throw new TypeError(`${calls} calls got ${said.length} answers`)
  return said
}

/** Whether so many policies have nothing to say, which is what they have to say to most events. */
export function isSilence(text: string, calls: number): boolean {
  const silence = (silences[calls] ??= `[${'0,'.repeat(Math.max(0, calls - 1))}0]`)
  return text === silence
}
const silences: string[] = []

/** The thread has answered in the isolate's place. */
function lostAll(text: string, calls: number): readonly Said[] {
  const message = z.string().parse(JSON.parse(text.slice(errorMark.length)))
  const said: Said = { failure: { code: 'workerLost', message: `its sandbox failed: ${message}` } }
  return Array.from({ length: calls }, () => said)
}
