import { z } from 'zod'
import { Failure } from '../../../model/failure.ts'
import { limits } from '../../../model/limits.ts'
import { PolicyAnswer } from '../../../model/policy.ts'
import { errorMark } from '../wire/frames.ts'

/** One policy's result, as decoded from the sandbox's reply. */
type PolicyReply = { readonly answers: readonly PolicyAnswer[] } | { readonly failure: Failure }

export const abstains = Object.freeze({ answers: Object.freeze([]) }) satisfies PolicyReply

const Replies = z.array(z.unknown())
/** The reply of a policy that does not abstain. */
const Reply = z.union([
  z
    .array(PolicyAnswer)
    .min(1)
    .max(limits.policyAnswersMax)
    .transform((answers): PolicyReply => ({ answers })),
  z.strictObject({ failure: Failure }),
])

/** Decodes one domain's answers. @param calls how many are expected @throws if the text is malformed */
export function decodeAnswers(text: string, calls: number): readonly PolicyReply[] {
  if (text.startsWith(errorMark)) return failuresOfThread(text, calls)
  const replies = Replies.safeParse(JSON.parse(text)).data ?? []
  if (replies.length !== calls) throw new TypeError(`${calls} calls got ${replies.length} answers`)
  return replies.map(replyOf)
}

/** Most replies are `0`, which needs no schema. */
function replyOf(reply: unknown): PolicyReply {
  if (reply === 0) return abstains
  const parsed = Reply.safeParse(reply)
  if (!parsed.success) throw new TypeError('an answer is not one that a policy can give')
  return parsed.data
}

/** Recognizes the answer in which every policy abstains, by far the most frequent, without parsing it. */
export function isAllAbstain(text: string, calls: number): boolean {
  const allAbstain = (allAbstainTexts[calls] ??= `[${'0,'.repeat(Math.max(0, calls - 1))}0]`)
  return text === allAbstain
}
const allAbstainTexts: string[] = []

/** Decodes the error that a thread sends when its isolate cannot be used, as the failure of every call. */
function failuresOfThread(text: string, calls: number): readonly PolicyReply[] {
  const message = z.string().parse(JSON.parse(text.slice(errorMark.length)))
  const outcome: PolicyReply = { failure: { code: 'workerLost', message: `its sandbox failed: ${message}` } }
  return Array.from({ length: calls }, () => outcome)
}
