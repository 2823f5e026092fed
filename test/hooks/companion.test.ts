import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { limits } from '../../src/model/limits.ts'
import { type HookRunner, loadHookRunner } from '../../src/hooks/runner.ts'
import { endlessHooks, hook, shellHook } from '../support/hooks.ts'
import { liveCommands, processTag, survivors, until } from '../support/processes.ts'
import { missing } from '../support/own-folder.ts'

describe('a companion process', () => {
  let tag = ''
  let env: Readonly<Record<string, string>> = {}
  let runner: HookRunner
  const companions = () => liveCommands(tag, 'companion')
  const kill = (signal: NodeJS.Signals) => {
    for (const pid of companions()) process.kill(pid, signal)
  }

  /** Waits until three hooks run that sleep, and the companion has reported so: what it says of a later one comes behind. */
  const haveBegun = async () => {
    expect(await until(() => liveCommands(tag, 'sleep').length === 3)).toBe(true)
    await runner.run(shellHook('true', { env, timeoutMs: limits.hookTimeoutMsMax }))
  }

  beforeEach(async () => {
    ;({ tag, env } = processTag())
    Object.assign(process.env, env)
    const begin = await loadHookRunner({ starter: 'companion', concurrency: 8 })
    runner = begin()
  })
  afterEach(async () => {
    await runner.close()
    delete process.env['HOOKGATE_TEST_TAG']
    delete process.env['NODE_OPTIONS']
    const left = await survivors(tag)
    if (left.length > 0) throw new Error(`processes are left: ${left.join(' ')}`)
  })

  it('is not started before a hook or `warm()` needs it', async () => {
    expect(companions()).toEqual([])
    runner.warm()
    expect(await until(() => companions().length === 1)).toBe(true)
  })

  it('is shared by all hooks', async () => {
    await Promise.all([1, 2, 3].map(() => runner.run(shellHook('true', { env }))))
    const first = companions()
    await runner.run(shellHook('true', { env }))
    expect(first).toHaveLength(1)
    expect(companions()).toEqual(first)
  })

  it('is not started with our own process’s Node options, which could hang it', async () => {
    process.env['NODE_OPTIONS'] = '--inspect-brk=127.0.0.1:0'
    expect(await runner.run(hook('denies', { env }))).toMatchObject({ exitCode: 0 })
  })

  it('that dies is reported for the hooks it was running, and they are killed', async () => {
    const ends = endlessHooks(env).map((one) => runner.run(one))
    await haveBegun()
    kill('SIGKILL')
    const exits = await Promise.all(ends)
    const message = 'the companion process that ran it died'
    expect(exits.map(({ kind, failure }) => [kind, failure])).toEqual(
      ends.map(() => ['failed', { code: 'workerLost', message }]),
    )
    expect(exits.filter(({ durationMs }) => durationMs === 0)).toEqual([])
    expect(await survivors(tag)).toEqual([])
  })

  it('that dies is replaced for the next hook', async () => {
    const lost = runner.run(hook('sleeps-forever', { env, timeoutMs: limits.hookTimeoutMsMax }))
    expect(await until(() => liveCommands(tag, 'sleep').length === 1)).toBe(true)
    kill('SIGTERM')
    // It may die before or after it reports that the hook started.
    expect(['workerLost', 'exhausted']).toContain((await lost).failure?.code)
    expect(await runner.run(hook('denies', { env }))).toMatchObject({ exitCode: 0, failure: undefined })
  })

  it('that dies while it is idle is replaced for the next hook', async () => {
    await runner.run(shellHook('true', { env }))
    kill('SIGKILL')
    expect(await until(() => companions().length === 0)).toBe(true)
    // The hook may start before the exit is noticed; then it is lost, but never the next one.
    const exits = [await runner.run(hook('denies', { env })), await runner.run(hook('denies', { env }))]
    expect(['exited', 'failed']).toContain(exits[0]?.kind)
    expect(exits[1]).toMatchObject({ exitCode: 0, failure: undefined })
  })

  it('that is stuck is abandoned some time after the hook’s last deadline', async () => {
    await runner.run(shellHook('true', { env }))
    kill('SIGSTOP')
    const exit = await runner.run(hook('denies', { env, timeoutMs: 100 }))
    expect(exit).toMatchObject({ kind: 'failed', failure: { code: 'workerLost' } })
    expect(await runner.run(hook('denies', { env }))).toMatchObject({ exitCode: 0, failure: undefined })
  })

  it('that is stuck does not hold up close()', async () => {
    await runner.run(shellHook('true', { env }))
    kill('SIGSTOP')
    await runner.close()
    expect(companions()).toEqual([])
  })

  it('that is stuck while hooks run does not hold up close(), and they are killed', async () => {
    // A silent companion is given as long as these have otherwise, far longer than the test's own timeout.
    const ends = endlessHooks(env).map((one) => runner.run(one))
    await haveBegun()
    kill('SIGSTOP')
    await runner.close()
    const exits = await Promise.all(ends)
    expect(exits.map(({ failure }) => failure?.code)).toEqual(ends.map(() => 'cancelled'))
    expect(await survivors(tag)).toEqual([])
  })

  it.each([0, 1, 2, 4, 8])('that died %i ms ago does not hold up close()', async (ms) => {
    await runner.run(shellHook('true', { env }))
    kill('SIGKILL')
    await sleep(ms)
    await expect(runner.close()).resolves.toBeUndefined()
  })

  it('that cannot be started does not hold up close()', async () => {
    const { execPath } = process
    process.execPath = missing
    runner.warm()
    process.execPath = execPath
    await expect(runner.close()).resolves.toBeUndefined()
  })

  it('that cannot be started is a failure of the hook', async () => {
    const { execPath } = process
    process.execPath = missing
    const exit = await runner.run(hook('denies', { env }))
    process.execPath = execPath
    expect(exit).toMatchObject({ kind: 'failed', durationMs: 0, failure: { code: 'workerLost' } })
    expect(await runner.run(hook('denies', { env }))).toMatchObject({ exitCode: 0, failure: undefined })
  })
})
