import { z } from 'zod'
import { senderProofOf } from '../../files/proof.ts'
import { readKey } from '../../files/state/keys.ts'
import { checkPlaces } from '../../files/state/own-folder.ts'
import type { GatePaths } from '../../files/state/places.ts'
import { AnswerResult, OpenRequest, type RequestAnswer } from '../../model/approval.ts'
import { codeOf, HookgateError } from '../../model/errors.ts'
import { version } from '../../files/program-files.ts'
import { withWitness } from './answer-sender.ts'
import { askGate, type GateReply, type GateRequest } from './ask-gate.ts'

const OpenRequests = z.strictObject({ requests: z.array(OpenRequest).readonly() })

/**
 * Returns the calls that wait for a person, the oldest first; `undefined` if no gate runs, so that none can wait.
 *
 * @throws HookgateError `unavailable` if a gate runs and does not answer
 */
export async function openRequests(places: GatePaths): Promise<readonly OpenRequest[] | undefined> {
  const reply = await asked(places, { path })
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
  const reply = await withWitness(places, proof, () => asked(places, { path, body }))
  return reply === undefined ? undefined : parsed(AnswerResult, reply)
}

const path = '/v1/approvals'

async function asked(places: GatePaths, question: GateRequest): Promise<GateReply | undefined> {
  checkPlaces(places)
  try {
    return await askGate(places, { ...question, headers: { 'hookgate-version': version() } })
  } catch (cause) {
    const code = codeOf(cause)
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined
    throw unavailable('the gate does not answer', cause)
  }
}

function parsed<T>(schema: z.ZodType<T>, { status, body }: GateReply): T {
  if (status !== 200) throw unavailable(`the gate answers with status ${status}`)
  try {
    return schema.parse(JSON.parse(body.toString()))
  } catch (cause) {
    throw unavailable('the gate’s answer cannot be read', cause)
  }
}

const unavailable = (message: string, cause?: unknown) =>
  new HookgateError('unavailable', message, {
    remedy: 'see `hookgate status`; `hookgate up` replaces a gate that is stuck or of another version',
    cause,
  })
