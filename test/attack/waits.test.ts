import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createGate } from '../../src/library/index.ts'
import { limits } from '../../src/model/limits.ts'
import type { SandboxEnd, SandboxInstance } from '../../src/policy/sandbox/host/placement.ts'
import { startRunnerAt } from '../../src/policy/sandbox/host/runner.ts'
import { tags } from '../../src/policy/sandbox/wire/frames.ts'
import {
  callsTo,
  echoesPrompt,
  library,
  outcomesOf,
  policyOf,
  requestOf,
  runnerAt,
  silent,
} from '../policy/sandbox/written.ts'
import { claudeShell } from '../support/wire.ts'

// The law: while any one event is decided, an everyday call of another session waits for one piece of its work at most, and
// is refused by none. Nothing here measures time: what is counted are the calls that are answered meanwhile, and the
// questions that a sandbox gets.

const many = (times: number, one: (at: number) => string, between = '; ') =>
  Array.from({ length: times }, (_, at) => one(at)).join(between)
/** Runs a command a million times, by values that each run the one before twice. */
const doubled = (command: string) =>
  `s0='${command}'; ${many(20, (at) => `s${at + 1}='eval "$s${at}"; eval "$s${at}"'`)}; eval "$s20"`

const costly: Readonly<Record<string, string>> = {
  'values that run each other': doubled('rm -rf x y z'),
  'values that run a container': doubled('docker run -v /:/a -v /b:/c x'),
  'containers of many volumes': many(300, () => `docker run -v /:/h -v $HOME:/h -v ~/.ssh:/k x sh -c 'rm -rf /h'`),
  'one container of thousands of volumes': `docker run ${many(6000, (at) => `-v /a${at}:/b`, ' ')} x`,
  'scripts that run each other': `${many(30, (at) => `echo 'bash s${at + 1}; bash s${at + 1}' > s${at}`)}; bash s0`,
  'a file of many redirections': `cat ${many(2000, (at) => `<>f${at}`, ' ')}`,
  'many paths of a home': `tee ${many(1900, (at) => `~/.x${at}`, ' ')}`,
}

describe('while a call is decided that takes long', () => {
  const home = mkdtempSync(join(tmpdir(), 'hookgate-waits-'))
  const policies = fileURLToPath(new URL('../../policies', import.meta.url))
  const packs = readdirSync(policies).filter((name) => existsSync(join(policies, name, 'pack.json')))
  const rules = packs.map((name) => join(policies, name))
  const gate = createGate({ rules, discover: false, home, env: { HOME: home } })
  afterAll(async () => {
    await gate.close()
    rmSync(home, { recursive: true })
  })
  const decide = async (command: string, session: string) =>
    gate.decide(await gate.decode(claudeShell(command, home, { session_id: session })))
  const everyday = ['git status', 'ls -la src', 'npm test -- a', 'rg foo src | head', 'cat a.txt']

  it.each(Object.entries(costly))('%s: calls of another session are answered', async (_, command) => {
    await Promise.all(everyday.map((one) => decide(one, 'other')))
    const session = { isDecided: false }
    const deciding = decide(command, 'costly').finally(() => (session.isDecided = true))
    const verdicts = []
    // oxlint-disable-next-line no-await-in-loop -- one call after the other, as a session makes them
    while (!session.isDecided) verdicts.push(await decide(everyday[verdicts.length % everyday.length] ?? '', 'other'))
    expect((await deciding).decision).not.toBe('allow')
    // A gate that did nothing else meanwhile would answer the first only after the costly call.
    expect(verdicts.length).toBeGreaterThan(1)
    expect(verdicts.flatMap(({ evaluations }) => evaluations.filter(({ kind }) => kind === 'indeterminate'))).toEqual(
      [],
    )
  })
})

describe('an event that is costly for the sandbox', () => {
  const large = 'x'.repeat(4 * limits.policyCostlyCharacters)
  const loops = policyOf('if (event.prompt.length > 1000) for (;;);')

  it('leaves the other thread to everybody else, also after it was slow', async () => {
    const runner = runnerAt('process')
    const { id } = await runner.load([loops, echoesPrompt])
    const ask = (prompt: string) => runner.evaluate(requestOf(callsTo(id, [0, 1]), prompt))
    await ask(large)
    const order: string[] = []
    const deciding = ask(large).then(() => order.push('costly'))
    const prompts = Array.from({ length: 10 }, (_, at) => `prompt ${at}`)
    for (const prompt of prompts) {
      // oxlint-disable-next-line no-await-in-loop -- one call after the other, as a session makes them
      expect(outcomesOf(await ask(prompt))).toEqual(['', prompt])
      order.push(prompt)
    }
    await deciding
    expect(order).toEqual([...prompts, 'costly'])
  })
})

/** A sandbox of one thread that answers nothing until it is told how. */
function openFake() {
  const asked: { readonly id: string; readonly members: number }[] = []
  let reply: (text: string) => void = () => {}
  let answers = false
  const end = Promise.withResolvers<SandboxEnd>()
  const answer = ({ id, members }: (typeof asked)[number]) =>
    reply(`a\t${id}\t0\t[${'0,'.repeat(members).slice(0, -1)}]\t\n`)
  const instance: SandboxInstance = {
    channels: [
      {
        write: (frames) =>
          queueMicrotask(() => {
            for (const [line] of frames) {
              const [tag, id = '', ...rest] = line.split('\t')
              if (tag === tags.load) reply(`a\t${id}\t0\tnull\n`)
              if (tag !== tags.ask) continue
              const calls: unknown = JSON.parse(rest.at(-1) ?? '[]')
              const one = { id, members: Array.isArray(calls) ? calls.length : 0 }
              asked.push(one)
              if (answers) answer(one)
            }
          }),
        onText(take) {
          reply = take
          queueMicrotask(() => take(`${tags.ready}\n`))
        },
      },
    ],
    ended: end.promise,
    cpuMs: () => Promise.resolve(performance.now()),
    kill: () => {},
    gone: () => Promise.resolve(),
  }
  return {
    instance,
    asked,
    tellAlive: () => reply(`${tags.alive}\n`),
    die: () => end.resolve({ kind: 'aborted', why: 'it was killed by SIGABRT' }),
    answerAll() {
      answers = true
      asked.forEach(answer)
    },
  }
}

it('of the events that a lost sandbox had, only those that it may have worked on are retried policy by policy', async () => {
  const [first, ...others] = [openFake(), openFake(), openFake(), openFake()]
  const fakes = [first, ...others].values()
  const runner = startRunnerAt(
    { hasSpare: true, start: () => fakes.next().value?.instance ?? openFake().instance },
    { library, threads: 1 },
  )
  onTestFinished(() => runner.close())
  for (const fake of others) fake.answerAll()
  const known = { ...silent, definition: '{}' }
  const { id } = await runner.load([known, known, known])
  const pending = Array.from({ length: 30 }, () => runner.evaluate(requestOf(callsTo(id, [0, 1, 2]))))
  await expect.poll(() => first?.asked.length).toBe(30)
  first?.die()
  expect((await Promise.all(pending)).flatMap(outcomesOf)).toEqual(Array.from({ length: 90 }, () => ''))
  const again = others.flatMap(({ asked }) => asked.map(({ members }) => members))
  expect(again.filter((members) => members === 3)).toHaveLength(14)
  expect(again.filter((members) => members === 1)).toHaveLength(48)
})

it('an event that waits for another costly one has its own time once that is over', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const fake = openFake()
  const runner = startRunnerAt({ hasSpare: false, start: () => fake.instance }, { library, threads: 1 })
  onTestFinished(() => runner.close())
  const { id } = await runner.load([{ ...silent, definition: '{}' }])
  const costlyOne = () => runner.evaluate(requestOf(callsTo(id, [0]), 'x'.repeat(2 * limits.policyCostlyCharacters)))
  const [tooLong, next] = [costlyOne(), costlyOne()]
  const alive = setInterval(() => fake.tellAlive(), 50)
  await vi.advanceTimersByTimeAsync(limits.policyWaitMsMax - 1000)
  expect(outcomesOf(await tooLong)).toEqual(['workerLost'])
  clearInterval(alive)
  fake.answerAll()
  expect(outcomesOf(await next)).toEqual([''])
})
