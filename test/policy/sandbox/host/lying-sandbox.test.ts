import { describe, expect, it, onTestFinished } from 'vitest'
import { limits } from '../../../../src/model/limits.ts'
import { processPlacement } from '../../../../src/policy/sandbox/host/process-placement.ts'
import type { SandboxEnd, SandboxPlacement, SandboxInstance } from '../../../../src/policy/sandbox/host/placement.ts'
import { type PolicyRunner, startRunnerAt } from '../../../../src/policy/sandbox/host/runner.ts'
import { callsTo, library, requestOf, saysPrompt, silent, toldBy } from '../written.ts'

/** What was loaded into it, and what it was asked, by the frames of the gate. */
type Heard = (line: string, say: (text: string) => void) => void

/** A sandbox of one thread that says what this makes of the gate's frames. */
function played(hear: Heard, { ended, kill = () => {} }: { ended?: Promise<SandboxEnd>; kill?: () => void } = {}) {
  let say: (text: string) => void = () => {}
  const instance: SandboxInstance = {
    channels: [
      {
        write: (text) => queueMicrotask(() => text.split('\n').forEach((line) => hear(line, say))),
        onText(take) {
          say = take
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

/** What a thread says that somebody has taken over: to loading and describing what it should, to questions this. */
function lying(answerTo: (id: string) => string, kill: () => void = () => {}): SandboxInstance {
  const hear: Heard = (line, say) => {
    const [tag, id = ''] = line.split('\t')
    if (tag === 'L') say(`a\t${id}\t0\tnull\n`)
    if (tag === 'D') say(`a\t${id}\t0\t[{"definition":"{}"}]\n`)
    if (tag === 'E') say(answerTo(id))
  }
  return played(hear, { kill })
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

describe('a sandbox that says what it cannot have said', () => {
  it.each<[string, (id: string) => string]>([
    ['the answer to another question', (id) => `a\t${Number(id) + 1}\t0\t[0]\n`],
    ['no JSON', (id) => `a\t${id}\t0\t[0\n`],
    ['too few answers', (id) => `a\t${id}\t0\t[]\n`],
    ['too many answers', (id) => `a\t${id}\t0\t[0,0]\n`],
    ['answers of a domain too many', (id) => `a\t${id}\t0\t[0]\t0\t[0]\n`],
    ['an answer with a key of its own', (id) => `a\t${id}\t0\t[[{"effect":"allow","sudo":true}]]\n`],
    ['an effect that does not exist', (id) => `a\t${id}\t0\t[[{"effect":"grant"}]]\n`],
    ['a failure that does not exist', (id) => `a\t${id}\t0\t[{"failure":{"code":"bored","message":""}}]\n`],
    ['a duration that is none', (id) => `a\t${id}\tsoon\t[0]\n`],
    ['a word that does not exist', () => 'hello\n'],
    ['a line without an end', () => 'x'.repeat(5 * limits.policyAnswerCharactersMax)],
  ])('is ended when it says %s', async (_, answerTo) => {
    let kills = 0
    const runner = runnerWith(lying(answerTo, () => void (kills += 1)))
    const { id } = await runner.load([saysPrompt])
    expect(toldBy(await runner.evaluate(requestOf(callsTo(id, [0]))))).toEqual(['hello'])
    expect(kills).toBe(1)
    expect(toldBy(await runner.evaluate(requestOf(callsTo(id, [0]))))).toEqual(['hello'])
  })

  it('costs no request its answer', async () => {
    const runner = runnerWith(lying(() => 'a\n'))
    const { id } = await runner.load([saysPrompt])
    const asked = ['one', 'two', 'three'].map((prompt) => runner.evaluate(requestOf(callsTo(id, [0]), prompt)))
    expect((await Promise.all(asked)).map(toldBy)).toEqual([['one'], ['two'], ['three']])
  })
})

it('a policy that ends every sandbox by what it says is found out, and not asked for a while', async () => {
  let starts = 0
  // Whoever is heard alone is the only one that is asked.
  const liar = () => lying((id) => `a\t${id}\t0\t[[{"effect":"grant"}]]\n`)
  const start = () => {
    starts += 1
    return liar()
  }
  const runner = startRunnerAt({ hasSpare: true, start }, { library, threads: 1 })
  onTestFinished(() => runner.close())
  const { id } = await runner.load([saysPrompt])
  const told = []
  for (let at = 0; at < limits.policyStrikesMax; at += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one failure after the other
    told.push(...toldBy(await runner.evaluate(requestOf(callsTo(id, [0])))))
  }
  expect(told).toEqual(told.map(() => 'badOutput'))
  const startsBefore = starts
  const [quarantined] = await runner.evaluate(requestOf(callsTo(id, [0])))
  expect(quarantined).toMatchObject({ failure: { code: 'badOutput', message: expect.stringContaining('quarantined') } })
  expect(starts).toBe(startsBefore)
}, 20_000)

it('whoever is heard alone is not blamed for what others load meanwhile', async () => {
  const { promise: heardAlone, resolve: isHeard } = Promise.withResolvers<void>()
  const { promise: isLoaded, resolve: loaded } = Promise.withResolvers<void>()
  const bomb = { ...silent, definition: '{"bomb":true}', file: '/policies/bomb.policy.js' }
  const placement: SandboxPlacement = {
    hasSpare: true,
    start() {
      const { promise: ended, resolve: end } = Promise.withResolvers<SandboxEnd>()
      const abort = () => end({ kind: 'aborted', why: 'SIGABRT' })
      const hear: Heard = (line, say) => {
        const [tag, id = ''] = line.split('\t')
        if (tag === 'L' && line.includes('bomb')) abort()
        else if (tag === 'L') say(`a\t${id}\t0\tnull\n`)
        // Of two that are asked together, one brings the sandbox down; alone, both would answer.
        else if (tag === 'E' && line.includes('],[')) abort()
        else if (tag === 'E') {
          isHeard()
          void isLoaded.then(() => setTimeout(() => say(`a\t${id}\t0\t[[{"context":"alone"}]]\n`), 100))
        }
      }
      return played(hear, { ended })
    },
  }
  const runner = startRunnerAt(placement, { library, threads: 1 })
  onTestFinished(() => runner.close())
  const told = { ...silent, definition: '{}' }
  const { id } = await runner.load([told, told])
  const asked = runner.evaluate(requestOf(callsTo(id, [0, 1])))
  await heardAlone
  void runner.load([bomb])
  loaded()
  expect(toldBy(await asked)).toEqual(['alone', 'alone'])
}, 20_000)
