import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Reaper, reaperAfterMs } from '../../src/hooks/reaper.ts'
import { startHook, type RunningHook } from '../../src/hooks/spawn.ts'
import { hook } from '../support/hooks.ts'
import { liveCommands, processTag, survivors, until } from '../support/processes.ts'

describe('the reaper', () => {
  let tag = ''
  let env: Readonly<Record<string, string>> = {}
  let reaper: Reaper
  const running: RunningHook[] = []
  const reapers = () => liveCommands(tag, 'hookgate-reaper')

  /** Starts a sleeping hook that the reaper watches. */
  function watched(name = 'sleeps-forever') {
    let pid: number | undefined
    const started = startHook(hook(name, { env }), (its) => (pid = its))
    running.push(started)
    return { pid, unwatch: reaper.watch(() => pid), exit: started.exit }
  }

  beforeEach(() => {
    ;({ tag, env } = processTag())
    Object.assign(process.env, env)
    reaper = new Reaper()
  })
  afterEach(async () => {
    reaper.close()
    for (const one of running.splice(0)) one.cancel()
    delete process.env['HOOKGATE_TEST_TAG']
    const left = await survivors(tag)
    if (left.length > 0) throw new Error(`processes are left: ${left.join(' ')}`)
  })

  it('is not started for hooks that have already exited', async () => {
    reaper.watch(() => process.pid)()
    expect(await until(() => reapers().length > 0, 400)).toBe(false)
  })

  it('kills only the groups that are still running when its stdin closes', async () => {
    const [first, second, third] = [watched(), watched(), watched()]
    expect(await until(() => reapers().length === 1)).toBe(true)
    // By then it also knows the other two.
    await sleep(10 * reaperAfterMs)
    second.unwatch()
    reaper.close()
    const exits = await Promise.all([first.exit, third.exit])
    expect(exits.map(({ failure }) => failure?.code)).toEqual(['signalled', 'signalled'])
    expect(liveCommands(tag, 'sleep')).toEqual([second.pid])
  })

  it('exits by itself when nothing is left to watch', async () => {
    const { unwatch } = watched()
    expect(await until(() => reapers().length === 1)).toBe(true)
    unwatch()
    reaper.close()
    expect(await until(() => reapers().length === 0)).toBe(true)
    // A shell that starts a program is one more process until the program has taken its place.
    expect(await until(() => liveCommands(tag, 'sleep').length === 1)).toBe(true)
  })

  it('also watches a hook that a slow thread starts late', async () => {
    let pid: number | undefined
    reaper.watch(() => pid)
    await sleep(1.5 * reaperAfterMs)
    const started = startHook(hook('sleeps-forever', { env }), (its) => (pid = its))
    running.push(started)
    expect(await until(() => reapers().length === 1)).toBe(true)
    reaper.close()
    expect((await started.exit).failure?.code).toBe('signalled')
  })

  it('is replaced when it is killed, by one that watches the same hooks', async () => {
    const first = watched()
    expect(await until(() => reapers().length === 1)).toBe(true)
    const [pid = 0] = reapers()
    process.kill(pid, 'SIGKILL')
    expect(await until(() => reapers().length === 0)).toBe(true)
    const second = watched()
    expect(await until(() => reapers().length === 1)).toBe(true)
    reaper.close()
    const exits = await Promise.all([first.exit, second.exit])
    expect(exits.map(({ failure }) => failure?.code)).toEqual(['signalled', 'signalled'])
  })

  it('can be closed before it was ever started', () => {
    reaper.close()
    expect(reapers()).toEqual([])
  })
})
