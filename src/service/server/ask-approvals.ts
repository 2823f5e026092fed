import { z } from 'zod'
import { senderProofOf } from '../../files/proof.ts'
import { readKey } from '../../files/state/keys.ts'
import { checkPlaces } from '../../files/state/own-folder.ts'
import type { GatePaths } from '../../files/state/places.ts'
import { AnswerResult, OpenRequest, type RequestAnswer } from '../../model/approval.ts'
import { codeOf, HookgateError } from '../../model/errors.ts'
import { withWitness } from './answer-sender.ts'
import { askGate, type GateQuestion, type GateReply } from './ask-gate.ts'

const OpenRequests = z.strictObject({ requests: z.array(OpenRequest).readonly() })

/**
 * Returns the calls that wait for a person, the oldest first; `undefined` if no gate runs, so that none can wait.
 *
 * @throws HookgateError `unavailable` if a gate runs and does not answer
 */
export async function openRequests(places: GatePaths): Promise<readonly OpenRequest[] | undefined> {
  const reply = await asked(places, { to: 'approvals' })
  return reply === undefined ? undefined : parsed(OpenRequests, reply).requests
}

/**
 * Sends a person's answer to the gate; `undefined` if no gate runs.
 *
 * @throws HookgateError `unavailable` if a gate runs and does not take it
 */
export async function answerRequest(places: GatePaths, answer: RequestAnswer): Promise<AnswerResult | undefined> {
  const text = JSON.stringify(answer)
  const proof = senderProofOf(readKey(places) ?? '', text)
  const body = JSON.stringify({ answer: text, proof, pid: process.pid })
  const reply = await withWitness(places, proof, () => asked(places, { to: 'answer', body }))
  return reply === undefined ? undefined : parsed(AnswerResult, reply)
}

async function asked(places: GatePaths, question: GateQuestion): Promise<GateReply | undefined> {
  checkPlaces(places)
  try {
    return await askGate(places, question)
  } catch (cause) {
    const code = codeOf(cause)
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined
    throw unavailable('the gate does not answer', cause)
  }
}

function parsed<T>(schema: z.ZodType<T>, { isAnswer, stdout }: GateReply): T {
  if (!isAnswer) throw unavailable(`the gate refuses: ${messageIn(stdout)}`)
  try {
    return schema.parse(JSON.parse(stdout))
  } catch (cause) {
    throw unavailable('the gate’s answer cannot be read', cause)
  }
}

const Refusal = z.looseObject({ error: z.looseObject({ message: z.string() }) })
const messageIn = (text: string) => Refusal.parse(JSON.parse(text)).error.message

const unavailable = (message: string, cause?: unknown) =>
  new HookgateError('unavailable', message, {
    remedy: 'see `hookgate status`; `hookgate up` replaces a gate that is stuck or of another version',
    cause,
  })
