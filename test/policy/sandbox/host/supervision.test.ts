import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { limits } from '../../../../src/model/limits.ts'
import { processPlacement } from '../../../../src/policy/sandbox/host/process-placement.ts'
import type { SandboxPlacement } from '../../../../src/policy/sandbox/host/placement.ts'
import { type PolicyRunner, policyStrikesMax, startRunnerAt } from '../../../../src/policy/sandbox/host/runner.ts'
import {
  aborts,
  callsTo,
  hangs,
  library,
  policyOf,
  requestOf,
  runnerAt,
  sandboxPids,
  echoesPrompt,
  silent,
  outcomesOf,
} from '../written.ts'
import { onlyPid } from '../../../support/processes.ts'
import { kill } from '../../../support/resident.ts'
import { sandboxBackoffMsMax } from '../../../../src/policy/sandbox/host/sandbox-pool.ts'

/** The channels of one sandbox of one thread, and what Node keeps beside them. */
const descriptorsOfSpare = 6

/** Waits for that many sandboxes: the serving one and, once one was lost, a spare. */
const sandboxes = (count: number) => expect.poll(() => sandboxPids().length, { timeout: 120_000 }).toBe(count)

describe('a sandbox that is killed from outside', () => {
  it('costs no request its answer', async () => {
    const runner = runnerAt('process')
    const { id } = await runner.load([echoesPrompt, silent])
    for (const round of [1, 2, 3]) {
      // oxlint-disable-next-line no-await-in-loop -- one loss after the other
      await sandboxes(round === 1 ? 1 : 2)
      const pending = Array.from({ length: 100 }, (_, index) =>
        runner.evaluate(requestOf(callsTo(id, [0, 1, 0]), `${round} ${index}`)),
      )
      for (const pid of sandboxPids().slice(0, 1)) process.kill(pid, 'SIGKILL')
      // oxlint-disable-next-line no-await-in-loop -- one loss after the other
      const outcomes = (await Promise.all(pending)).map(outcomesOf)
      expect(outcomes).toEqual(outcomes.map((_, index) => [`${round} ${index}`, '', `${round} ${index}`]))
    }
  })

  it('is replaced even if the spare one is killed too', async () => {
    const runner = runnerAt('process')
    const { id } = await runner.load([echoesPrompt])
    for (const count of [1, 2]) {
      // oxlint-disable no-await-in-loop -- one loss after the other
      await sandboxes(count)
      for (const pid of sandboxPids()) process.kill(pid, 'SIGKILL')
      expect(outcomesOf(await runner.evaluate(requestOf(callsTo(id, [0]))))).toEqual(['hello'])
      // oxlint-enable no-await-in-loop
    }
  })

  // oxlint-disable no-await-in-loop -- one stop at a time
  it('or only slowed down, fails no policy for the time', async () => {
    const runner = runnerAt('process')
    const works = policyOf(
      'let sum = 0; for (let i = 0; i < 4e7; i += 1) sum += i; return { context: String(sum > 0) }',
    )
    const { id } = await runner.load([works])
    const pid = onlyPid(sandboxPids())
    const pending = runner.evaluate(requestOf(callsTo(id, [0])))
    const answered = pending.then(() => true)
    // Simulates a busy machine: the sandbox runs a little now and then, for longer than the policy's time limit.
    while (!(await Promise.race([answered, sleep(10, false)]))) {
      // Where this process is slow too, the sandbox may be given up while it is stopped, and another answers.
      kill(pid, 'SIGSTOP')
      await sleep(limits.policyCpuMs / 2)
      kill(pid, 'SIGCONT')
    }
    expect(outcomesOf(await pending)).toEqual(['true'])
  })
  // oxlint-enable no-await-in-loop

  it('is abandoned when it is stopped, and another answers', async () => {
    const runner = runnerAt('process')
    const { id } = await runner.load([echoesPrompt])
    const pid = onlyPid(sandboxPids())
    process.kill(pid, 'SIGSTOP')
    await expect.poll(() => stateOf(pid)).toBe('T')
    expect(outcomesOf(await runner.evaluate(requestOf(callsTo(id, [0]))))).toEqual(['hello'])
    await expect.poll(() => sandboxPids()).not.toContain(pid)
  })

  it('exits with its gate', async () => {
    const gate = fork(fileURLToPath(new URL('asking-gate.ts', import.meta.url)), ['process', 'waits'], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    await once(gate, 'message')
    const pids = sandboxPids(gate.pid)
    expect(pids.length).toBeGreaterThan(0)
    gate.kill('SIGKILL')
    await expect.poll(() => pids.filter(isAlive)).toEqual([])
  })

  it('is killed before killAll returns, and none is started after it', async () => {
    const runner = runnerAt('process')
    const { id } = await runner.load([echoesPrompt])
    const pids = sandboxPids()
    const pending = runner.evaluate(requestOf(callsTo(id, [0])))
    runner.killAll()
    expect(outcomesOf(await pending)).toEqual(['cancelled'])
    await expect.poll(() => pids.filter(isAlive)).toEqual([])
    await expect(runner.evaluate(requestOf(callsTo(id, [0])))).rejects.toMatchObject({ code: 'closed' })
    expect(sandboxPids()).toEqual([])
  })
})

describe('a busy machine', () => {
  it('does not fail a policy that stays within its limit', async () => {
    const busy = Array.from({ length: 2 * availableParallelism() }, () =>
      spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
    )
    onTestFinished(() => busy.forEach((one) => one.kill('SIGKILL')))
    const runner = runnerAt('process')
    // Takes some tens of milliseconds of CPU, and many times that on a busy machine.
    const slow = policyOf('let sum = 0; for (let i = 0; i < 1e7; i++) sum += i % 7; return { context: String(sum) }')
    const { id } = await runner.load([echoesPrompt, slow])
    const pending = Array.from({ length: 12 }, (_, index) =>
      runner.evaluate(requestOf(callsTo(id, [0, 1]), String(index))),
    )
    const outcomes = (await Promise.all(pending)).map(outcomesOf)
    expect(outcomes).toEqual(outcomes.map((_, index) => [String(index), '29999994']))
  })
})

describe('a policy that crashes its sandbox', () => {
  it.each([
    ['hangs', hangs, ['policyTimeout']],
    ['aborts', aborts, ['policyOutOfMemory', 'policyTimeout']],
  ])('is the only one to fail when it %s', async (_, culprit, codes) => {
    const runner = runnerAt('process')
    const one = await runner.load([echoesPrompt, culprit, echoesPrompt])
    const two = await runner.load([echoesPrompt])
    const mixed = [...callsTo(one.id, [0, 1, 2]), ...callsTo(two.id, [0])]
    const harmless = [...callsTo(one.id, [0]), ...callsTo(two.id, [0])]
    const pending = Array.from({ length: 40 }, (_none, index) =>
      runner.evaluate(requestOf(index === 7 ? mixed : harmless, String(index))),
    )
    const outcomes = (await Promise.all(pending)).map(outcomesOf)
    const [, code = ''] = outcomes[7] ?? []
    expect(codes).toContain(code)
    expect(outcomes[7]).toEqual(['7', code, '7', '7'])
    expect(outcomes.toSpliced(7, 1)).toEqual(
      outcomes.map((_none, index) => [String(index), String(index)]).toSpliced(7, 1),
    )
    expect(outcomesOf(await runner.evaluate(requestOf(harmless, 'next')))).toEqual(['next', 'next'])
  })

  it('is not confused with one queued behind it, even if its own request was cancelled', async () => {
    const runner = runnerAt('process', 1)
    const { id } = await runner.load([hangs, echoesPrompt])
    const giveUp = new AbortController()
    const givenUp = runner.evaluate(requestOf(callsTo(id, [0])), giveUp.signal)
    const next = runner.evaluate(requestOf(callsTo(id, [1]), 'next'))
    giveUp.abort()
    expect(outcomesOf(await givenUp)).toEqual(['cancelled'])
    expect(outcomesOf(await next)).toEqual(['next'])
  })

  it('is reported with its file', async () => {
    const runner = runnerAt('process')
    const { id } = await runner.load([hangs])
    const [result] = await runner.evaluate(requestOf(callsTo(id, [0])))
    expect(result).toMatchObject({
      failure: { code: 'policyTimeout', message: expect.stringMatching(/^\/policies\/written\.policy\.js: took more/) },
    })
  })

  it('is quarantined after some failures in a row', async () => {
    const runner = runnerAt('process')
    const { id } = await runner.load([hangs, echoesPrompt])
    const ask = () => runner.evaluate(requestOf(callsTo(id, [0, 1])))
    for (let strike = 0; strike < policyStrikesMax; strike += 1) {
      // oxlint-disable-next-line no-await-in-loop -- in a row
      expect(outcomesOf(await ask())).toEqual(['policyTimeout', 'hello'])
    }
    const [spared, answered] = await ask()
    expect(spared).toMatchObject({
      failure: {
        code: 'policyTimeout',
        message: expect.stringContaining('quarantined for 60 s after 3 failures in a row'),
      },
    })
    expect(answered).toMatchObject({ answers: [{ context: 'hello' }] })
  })

  it('is identified when it does so while it is described, and costs no other its description', async () => {
    const runner = runnerAt('process')
    const loops = policyOf('', 'Array.prototype.every.call({ length: 2 ** 53 - 1 }, () => true)')
    const { id, described } = await runner.load([echoesPrompt, loops, silent])
    expect(described.map((one) => ('failure' in one ? one.failure.code : 'described'))).toEqual([
      'described',
      'policyTimeout',
      'described',
    ])
    expect(outcomesOf(await runner.evaluate(requestOf(callsTo(id, [0, 2]))))).toEqual(['hello', ''])
  })

  it('leaks no process and no descriptor, however often', async () => {
    const runner = runnerAt('process', 1)
    const many = Array.from({ length: 7 }, () => hangs)
    const { id } = await runner.load([echoesPrompt, ...many])
    await sandboxes(1)
    const before = readdirSync('/proc/self/fd').length
    for (const culprit of many.keys()) {
      // oxlint-disable-next-line no-await-in-loop -- each is given the whole time that an event may take
      const outcomes = outcomesOf(await runner.evaluate(requestOf(callsTo(id, [0, culprit + 1]))))
      expect(outcomes).toEqual(['hello', 'policyTimeout'])
    }
    await sandboxes(2)
    await expect.poll(() => readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(before + descriptorsOfSpare)
  })
})

describe('a sandbox that cannot be started', () => {
  const failing = (error: () => never): SandboxPlacement => ({ hasSpare: true, start: error })
  const noRoom = failing(() => {
    throw Object.assign(new Error('spawn EAGAIN'), { code: 'EAGAIN' })
  })
  const noProgram = failing(() => {
    throw new Error('spawn ENOENT')
  })

  it.each([
    ['exhausted', noRoom],
    ['workerLost', noProgram],
  ])('is reported as `%s`, every time, and nothing hangs', async (code, placement) => {
    const runner = startRunnerAt(placement, { library, threads: 1 })
    const { id, described } = await runner.load([echoesPrompt, silent])
    expect(described).toMatchObject([{ failure: { code } }, { failure: { code } }])
    for (let again = 0; again < 3; again += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(outcomesOf(await runner.evaluate(requestOf(callsTo(id, [0, 1]))))).toEqual([code, code])
    }
    await runner.close()
  })

  it('is retried until there is room', async () => {
    let starts = 0
    const scarce: SandboxPlacement = {
      hasSpare: true,
      start(threads) {
        starts += 1
        if (starts <= 4) throw new Error('fork EAGAIN')
        return processPlacement.start(threads)
      },
    }
    const runner = startRunnerAt(scarce, { library, threads: 1 })
    const { id } = await runner.load([echoesPrompt])
    const outcome = async () => outcomesOf(await runner.evaluate(requestOf(callsTo(id, [0]))))
    await expect.poll(outcome, { timeout: 120_000 }).toEqual(['hello'])
    await runner.close()
  })
})

describe('a sandbox that waits to be restarted', () => {
  afterEach(() => void vi.useRealTimers())

  it.each([
    ['goes on being tried', 0, () => {}],
    ['is not started once the runner was closed', 1, (runner: PolicyRunner) => void runner.close()],
    ['is not started once all were ended', 1, (runner: PolicyRunner) => runner.killAll()],
  ])('%s', async (_, stopped, end) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let starts = 0
    const runner = startRunnerAt(
      {
        hasSpare: true,
        start() {
          starts += 1
          throw new Error('fork EAGAIN')
        },
      },
      { library, threads: 1 },
    )
    runner.warm()
    const before = starts
    expect(before).toBeGreaterThan(0)
    end(runner)
    await vi.advanceTimersByTimeAsync(2 * sandboxBackoffMsMax)
    expect(Math.sign(starts - before)).toBe(1 - stopped)
    await runner.close()
  })
})

/** A zombie, which waits to be reaped, counts as dead. */
const isAlive = (pid: number) => !['', 'Z', 'X'].includes(stateOf(pid))

function stateOf(pid: number): string {
  try {
    return /^State:\t(\w)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? ''
  } catch {
    return ''
  }
}
