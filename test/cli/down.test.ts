import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { askHook } from '../support/ask-hook.ts'
import { liveProcesses, onlyPid } from '../support/processes.ts'
import { descendants, isAlive, kill, residentUser } from '../support/resident.ts'
import { policyText } from '../support/policies.ts'
import { rulesWith } from '../support/workspace.ts'

describe('hookgate down', () => {
  it('reports that no gate was running, and creates nothing', async () => {
    const user = residentUser()
    expect(await user.cli(['down'])).toEqual({ stdout: 'no gate was running\n', stderr: '', exitCode: 0 })
    expect(existsSync(user.places.folder)).toBe(false)
  })

  it('stops the gate and all that it started, and leaves no socket and no state', async () => {
    const user = residentUser({
      'home/.config/hookgate/hooks.json': rulesWith('PreToolUse', 'exit 0'),
      'home/.config/hookgate/policies/a.policy.ts': policyText('a'),
    })
    await user.cli(['up'])
    expect((await askHook(user.places)).exitCode).toBe(2)
    const pid = onlyPid(user.gates())
    // The sandbox.
    await expect.poll(() => descendants(pid).length).toBeGreaterThanOrEqual(1)
    const started = descendants(pid)
    const ended = await user.cli(['down'])
    expect(ended).toEqual({
      stdout: `the gate (pid ${pid}) finished the requests in progress and stopped\n`,
      stderr: '',
      exitCode: 0,
    })
    await expect.poll(() => [pid, ...started].filter(isAlive)).toEqual([])
    expect(liveProcesses(user.tag)).toEqual([])
    expect(readdirSync(user.places.folder)).toEqual([
      'code',
      'compiled',
      'decisions.db',
      'decisions.db.lock',
      'decisions.writers',
      'environment.json',
      'gate.key',
      'gate.lock',
      'gate.log',
      'refusals',
      // The record of where sessions started outlives the gate.
      'sessions',
      'start.lock',
    ])
  })

  it('waits until pending events are answered', async () => {
    const user = residentUser({
      'home/.config/hookgate/hooks.json': rulesWith(
        'PreToolUse',
        'touch "$HOME/started"; sleep 1; echo no >&2; exit 2',
      ),
    })
    await user.cli(['up'])
    const answer = askHook(user.places)
    await expect.poll(() => existsSync(join(user.env.HOME, 'started')), { timeout: 120_000 }).toBe(true)
    const [ended, again] = await Promise.all([user.cli(['down']), user.cli(['down'])])
    expect([ended.exitCode, again.exitCode]).toEqual([0, 0])
    expect((await answer).exitCode).toBe(2)
    expect(user.gates()).toEqual([])
  })

  it('cleans up after a gate that was killed', async () => {
    const user = residentUser()
    await user.cli(['up'])
    const pid = onlyPid(user.gates())
    kill(pid)
    await expect.poll(() => isAlive(pid)).toBe(false)
    expect((await user.cli(['down'])).stdout).toContain('removed what a killed gate had left behind')
    expect(existsSync(user.places.socket)).toBe(false)
    expect((await user.cli(['down'])).stdout).toBe('no gate was running\n')
  })

  it('kills a gate that is stuck', async () => {
    const user = residentUser()
    await user.cli(['up'])
    const pid = onlyPid(user.gates())
    kill(pid, 'SIGSTOP')
    expect((await user.cli(['down'])).stdout).toBe(`the gate (pid ${pid}) no longer answered, and was killed\n`)
    await expect.poll(() => isAlive(pid)).toBe(false)
  })
})
