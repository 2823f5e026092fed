import { describe, expect, it, onTestFinished } from 'vitest'
import { limits } from '../../../../src/model/limits.ts'
import { processPlacement } from '../../../../src/policy/sandbox/host/process-placement.ts'
import type { SandboxEnd, SandboxPlacement, SandboxInstance } from '../../../../src/policy/sandbox/host/placement.ts'
import { type PolicyRunner, policyStrikesMax, startRunnerAt } from '../../../../src/policy/sandbox/host/runner.ts'
import { callsTo, library, requestOf, echoesPrompt, silent, outcomesOf } from '../written.ts'

/** Handles one frame from the gate, and may write frames back. */
type FrameHandler = (line: string, write: (text: string) => void) => void

/** Fakes a sandbox of one thread whose frames come from `onFrame`. */
function fakeSandbox(
  onFrame: FrameHandler,
  { ended, kill = () => {} }: { ended?: Promise<SandboxEnd>; kill?: () => void } = {},
) {
  let reply: (text: string) => void = () => {}
  const instance: SandboxInstance = {
    channels: [
      {
        write: (frames) => queueMicrotask(() => frames.forEach((frame) => onFrame(frame.join('\t'), reply))),
        onText(take) {
          reply = take
          queueMicrotask(() => take('r\n'))
        },
      },
    ],
    ended: ended ?? new Promise(() => {}),
    cpuMs: () => Promise.resolve(0),
    kill,
    gone: () => Promise.resolve(),
  }
  return instance
}

/** Fakes a compromised thread: it loads and describes correctly, and answers evaluations with `answerTo`. */
function lying(answerTo: (id: string) => string, kill: () => void = () => {}): SandboxInstance {
  const onFrame: FrameHandler = (line, reply) => {
    const [tag, id = ''] = line.split('\t')
    if (tag === 'L') reply(`a\t${id}\t0\tnull\n`)
    if (tag === 'D') reply(`a\t${id}\t0\t[{"definition":"{}"}]\n`)
    if (tag === 'E') reply(answerTo(id))
  }
  return fakeSandbox(onFrame, { kill })
}

function runnerWith(liar: SandboxInstance): PolicyRunner {
  let starts = 0
  const placement: SandboxPlacement = {
    hasSpare: true,
    start: (threads) => ((starts += 1) === 1 ? liar : processPlacement.start(threads)),
  }
  const runner = startRunnerAt(placement, { library, threads: 1 })
  onTestFinished(() => runner.close())
  return runner
}

describe('a sandbox that sends impossible frames', () => {
  it.each<[string, (id: string) => string]>([
    ['the answer to another question', (id) => `a\t${Number(id) + 1}\t0\t[0]\t\n`],
    ['no JSON', (id) => `a\t${id}\t0\t[0\t\n`],
    ['too few answers', (id) => `a\t${id}\t0\t[]\t\n`],
    ['too many answers', (id) => `a\t${id}\t0\t[0,0]\t\n`],
    ['answers of a domain too many', (id) => `a\t${id}\t0\t[0]\t\t0\t[0]\t\n`],
    ['an answer with a key of its own', (id) => `a\t${id}\t0\t[[{"effect":"allow","sudo":true}]]\t\n`],
    ['an effect that does not exist', (id) => `a\t${id}\t0\t[[{"effect":"grant"}]]\t\n`],
    ['a failure that does not exist', (id) => `a\t${id}\t0\t[{"failure":{"code":"bored","message":""}}]\t\n`],
    ['a duration that is none', (id) => `a\t${id}\tsoon\t[0]\t\n`],
    ['a policy whose time is no number', (id) => `a\t${id}\t9\t[0]\t0:long\n`],
    ['a word that does not exist', () => 'hello\n'],
    ['a line without an end', () => 'x'.repeat(5 * limits.policyAnswerCharactersMax)],
  ])('is killed when it sends %s', async (_, answerTo) => {
    let kills = 0
    const runner = runnerWith(lying(answerTo, () => void (kills += 1)))
    const { id } = await runner.load([echoesPrompt])
    expect(outcomesOf(await runner.evaluate(requestOf(callsTo(id, [0]))))).toEqual(['hello'])
    expect(kills).toBe(1)
    expect(outcomesOf(await runner.evaluate(requestOf(callsTo(id, [0]))))).toEqual(['hello'])
  })

  it('costs no request its answer', async () => {
    const runner = runnerWith(lying(() => 'a\n'))
    const { id } = await runner.load([echoesPrompt])
    const pending = ['one', 'two', 'three'].map((prompt) => runner.evaluate(requestOf(callsTo(id, [0]), prompt)))
    expect((await Promise.all(pending)).map(outcomesOf)).toEqual([['one'], ['two'], ['three']])
  })
})

it('a policy whose answers end every sandbox is quarantined', async () => {
  let starts = 0
  // Alone in a sandbox, it is the only policy that can have answered.
  const liar = () => lying((id) => `a\t${id}\t0\t[[{"effect":"grant"}]]\t\n`)
  const start = () => {
    starts += 1
    return liar()
  }
  const runner = startRunnerAt({ hasSpare: true, start }, { library, threads: 1 })
  onTestFinished(() => runner.close())
  const { id } = await runner.load([echoesPrompt])
  const outcomes = []
  for (let at = 0; at < policyStrikesMax; at += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one failure after the other
    outcomes.push(...outcomesOf(await runner.evaluate(requestOf(callsTo(id, [0])))))
  }
  expect(outcomes).toEqual(outcomes.map(() => 'badOutput'))
  const startsBefore = starts
  const [quarantined] = await runner.evaluate(requestOf(callsTo(id, [0])))
  expect(quarantined).toMatchObject({ failure: { code: 'badOutput', message: expect.stringContaining('quarantined') } })
  expect(starts).toBe(startsBefore)
})

it('a policy that is retried alone is not blamed for what others load meanwhile', async () => {
  const { promise: retriedAlone, resolve: markRetried } = Promise.withResolvers<void>()
  const { promise: isLoaded, resolve: loaded } = Promise.withResolvers<void>()
  const bomb = { ...silent, definition: '{"bomb":true}', file: '/policies/bomb.policy.js' }
  const placement: SandboxPlacement = {
    hasSpare: true,
    start() {
      const { promise: ended, resolve: end } = Promise.withResolvers<SandboxEnd>()
      const abort = () => end({ kind: 'aborted', why: 'SIGABRT' })
      const onFrame: FrameHandler = (line, reply) => {
        const [tag, id = ''] = line.split('\t')
        if (tag === 'L' && line.includes('bomb')) abort()
        else if (tag === 'L') reply(`a\t${id}\t0\tnull\n`)
        // Evaluated together, one of the two crashes the sandbox; alone, both would answer.
        else if (tag === 'E' && line.includes('],[')) abort()
        else if (tag === 'E') {
          markRetried()
          void isLoaded.then(() => setTimeout(() => reply(`a\t${id}\t0\t[[{"context":"alone"}]]\t\n`), 100))
        }
      }
      return fakeSandbox(onFrame, { ended })
    },
  }
  const runner = startRunnerAt(placement, { library, threads: 1 })
  onTestFinished(() => runner.close())
  const described = { ...silent, definition: '{}' }
  const { id } = await runner.load([described, described])
  const pending = runner.evaluate(requestOf(callsTo(id, [0, 1])))
  await retriedAlone
  void runner.load([bomb])
  loaded()
  expect(outcomesOf(await pending)).toEqual(['alone', 'alone'])
})
