import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { challengeBytes, digestOf, proofOf } from '../../files/proof.ts'
import { readKey } from '../../files/state/keys.ts'
import type { GatePaths } from '../../files/state/places.ts'
import { version } from '../../files/program-files.ts'
import { limits } from '../../model/limits.ts'
import { parseReply, type ProvableAnswer, refusedCode, requestHead } from '../frames.ts'
import type { CommandQuestion } from './framed.ts'

/** What a command reads of a gate's answer: all kept events, with each character escaped. */
const replyBytesMax = 128 * 1024 * 1024

export type GateQuestion = (
  | { readonly to: CommandQuestion }
  /** An event, as a thin client sends it. */
  | { readonly to: 'hook'; readonly agent: string; readonly callerBytes?: number }
) & {
  readonly body?: string | Uint8Array
  /** The version that asks. Default: this one. */
  readonly asVersion?: string
  /** From the first byte to the last. Default: `limits.gateAnswerMs`. */
  readonly timeoutMs?: number
}

export interface GateReply {
  /** False if the gate refused to answer: `stdout` is a `{"error": …}` then. */
  readonly isAnswer: boolean
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

/**
 * Sends one request to the gate behind a socket, on a new connection. Rejects with the system error if the gate cannot
 * be reached, with `ETIMEDOUT`, or with `EUNPROVED`; resolves with any complete answer of the gate.
 */
export function askGate(places: Pick<GatePaths, 'socket' | 'key'>, question: GateQuestion): Promise<GateReply> {
  const { body = '', timeoutMs = limits.gateAnswerMs, asVersion = version() } = question
  const { promise, resolve, reject } = Promise.withResolvers<GateReply>()
  const common = { to: question.to, version: asVersion, challenge: randomBytes(challengeBytes).toString('hex') }
  const own = question.to === 'hook' ? { agent: question.agent, callerBytes: question.callerBytes ?? 0 } : {}
  const bytes = Buffer.from(body)
  const head = requestHead({ ...common, ...own }, bytes.length)
  const socket = connect(places.socket)
  let key: string | undefined
  let reply = Buffer.alloc(0)
  const isProved = (answer: ProvableAnswer) =>
    key !== undefined && answer.proof === proofOf(key, digestOf(head, bytes), answer)
  const late = setTimeout(() => socket.destroy(timedOut(timeoutMs)), timeoutMs)
  socket.on('error', reject)
  socket.on('connect', () => {
    // Once connected: what listens after the gate of an older key cannot answer here.
    key = readKey(places)
    socket.write(head)
    socket.write(bytes)
  })
  socket.on('data', (chunk) => {
    reply = Buffer.concat([reply, chunk])
    const answer = parseReply(reply, replyBytesMax)
    if (answer === 'silent' || answer === 'partial') return
    if (answer === 'garbage' || !isProved(answer)) return void socket.destroy(notProved())
    resolve({
      isAnswer: answer.exitCode !== refusedCode,
      stdout: Buffer.from(answer.stdout).toString(),
      stderr: Buffer.from(answer.stderr).toString(),
      exitCode: answer.exitCode,
    })
    socket.destroy()
  })
  socket.on('close', () => reject(cutOff()))
  return promise.finally(() => clearTimeout(late))
}

const notProved = () => Object.assign(new Error('it does not prove that it is the gate'), { code: 'EUNPROVED' })
const cutOff = () => Object.assign(new Error('it ended the connection without an answer'), { code: 'ECONNRESET' })
const timedOut = (timeoutMs: number) =>
  Object.assign(new Error(`the gate did not answer within ${timeoutMs / 1000} s`), { code: 'ETIMEDOUT' })
