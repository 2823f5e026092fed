import type { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type HookRunner, loadHookRunner } from '../../src/hooks/runner.ts'
import { limits } from '../../src/model/limits.ts'
import { HookPool, hookThreads } from '../../src/hooks/pool.ts'
import { endlessHooks, hook, shellHook } from '../support/hooks.ts'
import { liveCommands, processTag, survivors, until } from '../support/processes.ts'

describe('a pool of threads', () => {
  let tag = ''
  let env: Readonly<Record<string, string>> = {}
  let runner: HookRunner
  const threads: Worker[] = []
  const remember = (thread: Worker) => void threads.push(thread)

  beforeEach(async () => {
    ;({ tag, env } = processTag())
    process.on('worker', remember)
    const begin = await loadHookRunner({ starter: 'own', concurrency: 8 })
    runner = begin()
  })
  afterEach(async () => {
    process.off('worker', remember)
    threads.length = 0
    await runner.close()
  })

  it('starts none before a hook or `warm()` needs it', async () => {
    expect(threads).toHaveLength(0)
    runner.warm()
    expect(await until(() => threads.length === hookThreads)).toBe(true)
  })

  it('has a limited number of threads, however many hooks run', async () => {
    await Promise.all(Array.from({ length: 16 }, () => runner.run(shellHook('sleep 0.1', { env }))))
    expect(threads).toHaveLength(hookThreads)
  })

  it('reuses its threads', async () => {
    await runner.run(shellHook('true', { env }))
    await runner.run(shellHook('sleep 0.3', { env }))
    await runner.run(shellHook('true', { env }))
    expect(threads).toHaveLength(hookThreads)
  })

  describe.each<[string, (thread: Worker) => unknown]>([
    ['is terminated', (thread) => thread.terminate()],
    // piscina's worker throws an uncaught exception at an unexpected first message.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    ['throws an uncaught exception', (thread) => thread.postMessage('nonsense')],
  ])('of which one %s', (_, kill) => {
    it('reports the hooks it was running as lost, and kills them', async () => {
      const ends = endlessHooks(env).map((one) => runner.run(one))
      expect(await until(() => liveCommands(tag, 'sleep').length === 3)).toBe(true)
      for (const thread of threads) void kill(thread)
      const exits = await Promise.all(ends)
      expect(exits.map(({ kind, failure }) => [kind, failure?.code])).toEqual(ends.map(() => ['failed', 'workerLost']))
      expect(await survivors(tag)).toEqual([])
    })

    it('starts another for the next hook', async () => {
      await runner.run(shellHook('true', { env }))
      const lost = runner.run(hook('sleeps-forever', { env, timeoutMs: limits.hookTimeoutMsMax }))
      expect(await until(() => liveCommands(tag, 'sleep').length === 1)).toBe(true)
      for (const thread of threads) void kill(thread)
      expect((await lost).failure?.message).toContain('the thread that ran it died')
      expect(await runner.run(hook('denies', { env }))).toMatchObject({ exitCode: 0, failure: undefined })
    })

    it('starts another for the next hook after dying idle', async () => {
      await runner.run(shellHook('true', { env }))
      // `once` of node:events would reject with the thread's error.
      const gone = Promise.all(threads.map((thread) => new Promise((exited) => thread.once('exit', exited))))
      for (const thread of threads) void kill(thread)
      await gone
      expect(await runner.run(hook('denies', { env }))).toMatchObject({ exitCode: 0, failure: undefined })
    })
  })

  it('shares one listener of the process’s exit with every other pool, and leaves none behind', async () => {
    const before = process.listenerCount('exit')
    const pools = [new HookPool(1), new HookPool(1)]
    for (const pool of pools) pool.warm()
    const during = process.listenerCount('exit')
    await Promise.all(pools.map((pool) => pool.close()))
    expect([during, process.listenerCount('exit')]).toEqual([before + 1, before])
  })

  it('rejects hooks over its limit: it has no queue', async () => {
    const pool = new HookPool(1)
    const first = pool.start(shellHook('sleep 0.1', { env }))
    expect(() => pool.start(shellHook('true', { env }))).toThrow(expect.objectContaining({ code: 'internal' }))
    await first.exit
    await pool.start(shellHook('true', { env })).exit
    await pool.close()
  })
})
