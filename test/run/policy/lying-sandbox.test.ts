import { describe, expect, it, onTestFinished } from 'vitest'
import { limits } from '../../../src/model/limits.ts'
import { processPlacement } from '../../../src/run/policy/launch.ts'
import type { Placement, SandboxInstance } from '../../../src/run/policy/placement.ts'
import { type PolicyRunner, startRunnerAt } from '../../../src/run/policy/runner.ts'
import { callsTo, library, requestOf, saysPrompt, toldBy } from './written.ts'

/** What a thread says that somebody has taken over: to loading and describing what it should, to questions this. */
function lying(answerTo: (id: string) => string, onKill: () => void): SandboxInstance {
  let say: (text: string) => void = () => {}
  const answer = (line: string) => {
    const [tag, id = ''] = line.split('\t')
    if (tag === 'L') say(`a\t${id}\t0\tnull\n`)
    if (tag === 'D') say(`a\t${id}\t0\t[{"definition":"{}"}]\n`)
    if (tag === 'E') say(answerTo(id))
  }
  return {
    channels: [
      {
        write: (text) => queueMicrotask(() => text.split('\n').forEach(answer)),
        onText(take) {
          say = take
          queueMicrotask(() => take('r\n'))
        },
      },
    ],
    ended: new Promise(() => {}),
    cpuMs: () => Promise.resolve(0),
    kill: onKill,
    gone: () => Promise.resolve(),
  }
}

function runnerWith(liar: SandboxInstance): PolicyRunner {
  let starts = 0
  const placement: Placement = {
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
    expect(toldBy(await runner.evaluate(requestOf(callsTo(id, [0]))))).toEqual(['workerLost'])
    expect(kills).toBe(1)
    expect(toldBy(await runner.evaluate(requestOf(callsTo(id, [0]))))).toEqual(['hello'])
  })

  it('costs no other request its answer', async () => {
    const runner = runnerWith(
      lying(
        () => 'a\n',
        () => {},
      ),
    )
    const { id } = await runner.load([saysPrompt])
    const asked = ['one', 'two', 'three'].map((prompt) => runner.evaluate(requestOf(callsTo(id, [0]), prompt)))
    expect((await Promise.all(asked)).map(toldBy)).toEqual([['workerLost'], ['two'], ['three']])
  })
})
