import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { limits } from '../../src/model/limits.ts'
import { companionFromBytes, type HookRunner, loadHookRunner, starterFor } from '../../src/hooks/runner.ts'
import { hook, shellHook } from '../support/hooks.ts'
import { liveCommands, liveProcesses, processTag, survivors, until } from '../support/processes.ts'

const denial = '{"cancel":true,"errorMessage":"no","decision":"block","reason":"no"}\n'
const emptyFolder = () => mkdtempSync(join(tmpdir(), 'hookgate-runner-'))

describe('the starter of hooks', () => {
  it('is the process itself until it is large: each start would copy its page tables', () => {
    expect([0, companionFromBytes - 1, companionFromBytes, 8 * companionFromBytes].map(starterFor)).toEqual([
      'own',
      'own',
      'companion',
      'companion',
    ])
  })
})

describe.each(['own', 'companion'] as const)('a hook runner whose hooks the %s process starts', (starter) => {
  let tag = ''
  let env: Readonly<Record<string, string>> = {}
  const runners: HookRunner[] = []
  const start = async (concurrency?: number) => {
    const begin = await loadHookRunner({ starter, ...(concurrency !== undefined && { concurrency }) })
    const runner = begin()
    runners.push(runner)
    return runner
  }
  const sleeping = () => liveCommands(tag, 'sleep 600').length

  beforeEach(() => {
    ;({ tag, env } = processTag())
    // Inherited by the companion and the reaper; hooks have it in their own environment.
    Object.assign(process.env, env)
  })
  afterEach(async () => {
    await Promise.all(runners.splice(0).map((runner) => runner.close()))
    delete process.env['HOOKGATE_TEST_TAG']
    const left = await survivors(tag)
    if (left.length > 0) throw new Error(`processes are left: ${left.join(' ')}`)
  })

  it('returns how a hook exited', async () => {
    const exit = await (await start()).run(hook('denies', { env }))
    expect(exit).toEqual({
      kind: 'exited',
      exitCode: 0,
      stdout: denial,
      stderr: '',
      failure: undefined,
      durationMs: exit.durationMs,
    })
    expect(exit.durationMs).toBeGreaterThan(0)
  })

  it('never rejects because of a hook', async () => {
    const runner = await start()
    const names = ['exits-1', 'killed-by-signal', 'not-executable', 'missing-interpreter', 'nothing', 'floods-stdout']
    const exits = await Promise.all(names.map((name) => runner.run(hook(name, { env }))))
    expect(exits.map(({ failure }) => failure?.code)).toEqual([
      'nonzeroExit',
      'signalled',
      'notExecutable',
      'interpreterMissing',
      'commandNotFound',
      'outputTooLarge',
    ])
  })

  it('transfers long events and long answers', async () => {
    const stdin = `${'€'.repeat(limits.hookOutputBytesMax / 4)}\u2028\0"`
    expect(await (await start()).run(hook('echo-event', { env, stdin }))).toMatchObject({ exitCode: 0, stdout: stdin })
  })

  it('may be warmed up more than once', async () => {
    const runner = await start()
    runner.warm()
    runner.warm()
    expect(await runner.run(hook('denies', { env }))).toMatchObject({ stdout: denial })
  })

  it('runs as many concurrent hooks as its limit, and no more', async () => {
    const runner = await start(2)
    const cwd = emptyFolder()
    const exits = await Promise.all(
      Array.from({ length: 64 }, () => runner.run(hook('marks-its-running', { env, cwd }))),
    )
    expect(exits.filter(({ failure }) => failure !== undefined)).toEqual([])
    const marks = readFileSync(join(cwd, 'running'), 'utf8').trim().split('\n')
    expect(marks).toHaveLength(128)
    let running = 0
    const atOnce = marks.map((mark) => (running += mark === '+' ? 1 : -1))
    expect(Math.max(...atOnce)).toBe(2)
  })

  it('does not count waiting for other hooks towards a hook’s time', async () => {
    const runner = await start(1)
    await runner.run(shellHook('true', { env }))
    const startedAt = performance.now()
    const exits = await Promise.all([1, 2, 3].map(() => runner.run(shellHook('sleep 0.2', { env }))))
    const elapsed = performance.now() - startedAt
    const total = exits.reduce((sum, { durationMs }) => sum + durationMs, 0)
    expect(total).toBeLessThanOrEqual(elapsed)
  })

  it('gives a hook its whole time, however long it was queued', async () => {
    const runner = await start(1)
    const [, second] = await Promise.all([
      runner.run(shellHook('sleep 1.2', { env })),
      runner.run(shellHook('sleep 0.1; echo in time', { env, timeoutMs: 1000 })),
    ])
    expect(second).toMatchObject({ kind: 'exited', stdout: 'in time\n' })
  })

  describe('when a hook is cancelled', () => {
    it('kills every process of the event, even those that ignore signals', async () => {
      const runner = await start(8)
      const controller = new AbortController()
      const names = ['sleeps-forever', 'ignores-sigterm', 'cleans-up-on-sigterm', 'sleeps-forever']
      const ends = names.map((name) => runner.run(hook(name, { env, cwd: emptyFolder() }), controller.signal))
      const bystander = runner.run(shellHook('sleep 1.5; echo untouched', { env }))
      expect(await until(() => sleeping() === 3)).toBe(true)
      controller.abort()
      const exits = await Promise.all(ends)
      expect(exits.map(({ failure }) => failure?.code)).toEqual(names.map(() => 'cancelled'))
      expect(await bystander).toMatchObject({ stdout: 'untouched\n' })
    })

    it('starts nothing if the signal is already aborted', async () => {
      const cwd = emptyFolder()
      const exit = await (await start()).run(hook('marks-its-running', { env, cwd }), AbortSignal.abort())
      expect(exit).toMatchObject({ kind: 'failed', durationMs: 0, failure: { code: 'cancelled' } })
      expect(readdirSync(cwd)).toEqual([])
    })

    it('settles a queued hook at once, and never starts it', async () => {
      const runner = await start(1)
      const first = runner.run(shellHook('sleep 0.5; echo done', { env }))
      const controller = new AbortController()
      const cwd = emptyFolder()
      const second = runner.run(hook('marks-its-running', { env, cwd }), controller.signal)
      controller.abort()
      const order: string[] = []
      await Promise.all([
        first.then(() => order.push('first')),
        second.then(({ failure }) => order.push(`second ${failure?.code}`)),
      ])
      await runner.run(shellHook('true', { env }))
      expect(order).toEqual(['second cancelled', 'first'])
      expect(readdirSync(cwd)).toEqual([])
    })

    it('cancels a hook that was started in the same tick', async () => {
      const runner = await start()
      await runner.run(shellHook('true', { env }))
      const controller = new AbortController()
      const running = runner.run(hook('sleeps-forever', { env }), controller.signal)
      await Promise.resolve()
      await Promise.resolve()
      controller.abort()
      expect((await running).failure?.code).toBe('cancelled')
    })

    it('does not affect later hooks', async () => {
      const runner = await start(1)
      const controller = new AbortController()
      const running = runner.run(hook('sleeps-forever', { env }), controller.signal)
      expect(await until(() => sleeping() === 1)).toBe(true)
      controller.abort()
      await running
      controller.abort()
      expect(await runner.run(hook('denies', { env }))).toMatchObject({ stdout: denial })
    })

    it('removes its listener from the signal when a hook is done', async () => {
      const controller = new AbortController()
      const listeners = new Set<unknown>()
      const { signal } = controller
      const add = signal.addEventListener.bind(signal)
      const remove = signal.removeEventListener.bind(signal)
      signal.addEventListener = (...args: Parameters<typeof add>) => {
        listeners.add(args[1])
        add(...args)
      }
      signal.removeEventListener = (...args: Parameters<typeof remove>) => {
        listeners.delete(args[1])
        remove(...args)
      }
      const running = (await start()).run(hook('denies', { env }), signal)
      expect(listeners.size).toBe(1)
      await running
      expect(listeners.size).toBe(0)
    })
  })

  describe('when it is closed', () => {
    it('cancels running and queued hooks, and leaves no process', async () => {
      const runner = await start(2)
      const ends = ['sleeps-forever', 'ignores-sigterm', 'sleeps-forever', 'denies'].map((name) =>
        runner.run(hook(name, { env })),
      )
      expect(await until(() => liveProcesses(tag).length > 2)).toBe(true)
      await runner.close()
      const exits = await Promise.all(ends)
      expect(exits.map(({ failure }) => failure?.code)).toEqual(ends.map(() => 'cancelled'))
      expect(await survivors(tag)).toEqual([])
    })

    it('rejects further hooks', async () => {
      const runner = await start()
      await runner.run(hook('denies', { env }))
      const closing = runner.close()
      await expect(runner.run(hook('denies', { env }))).rejects.toMatchObject({ code: 'closed' })
      await closing
      await expect(runner.run(hook('denies', { env }))).rejects.toMatchObject({ code: 'closed' })
    })

    it('may be closed twice, and unused', async () => {
      const runner = await start()
      await Promise.all([runner.close(), runner.close()])
      await expect(runner.close()).resolves.toBeUndefined()
    })

    it('leaves no listener on the process', async () => {
      const before = process.eventNames().map((name) => [name, process.listenerCount(name)])
      const runner = await start()
      await runner.run(hook('denies', { env }))
      await runner.close()
      expect(process.eventNames().map((name) => [name, process.listenerCount(name)])).toEqual(before)
    })
  })

  it('kills everything at once on request, and can be used again', async () => {
    const runner = await start(2)
    const ends = ['ignores-sigterm', 'sleeps-forever', 'denies'].map((name) => runner.run(hook(name, { env })))
    expect(await until(() => sleeping() === 1 && liveCommands(tag, 'ignores-sigterm').length === 1)).toBe(true)
    runner.killAll()
    const exits = await Promise.all(ends)
    expect(exits.map(({ failure }) => failure?.code)).toContain('cancelled')
    expect(exits.filter(({ failure }) => failure === undefined)).toEqual([])
    expect(await until(() => sleeping() === 0)).toBe(true)
    expect(await runner.run(hook('denies', { env }))).toMatchObject({ stdout: denial })
  })
})
