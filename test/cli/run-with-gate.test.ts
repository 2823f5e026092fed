import { describe, expect, it } from 'vitest'
import { until } from '../support/processes.ts'
import { residentUser } from '../support/resident.ts'
import { claudeShell } from '../support/wire.ts'

const argv = ['run', '--agent', 'claude-code', '--with-gate'] as const

describe('hookgate run --with-gate', () => {
  it('answers by itself, and has a gate run afterwards', async () => {
    const user = residentUser()
    const stdin = JSON.stringify(claudeShell('never-called', user.folder))
    expect(await user.spawned(argv, { stdin })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('never-called'),
    })
    expect(await until(() => user.gates().length === 1)).toBe(true)
  })

  it('starts none where that is not wanted, nor for a hook of a gate, and takes no words', async () => {
    const user = residentUser()
    const stdin = JSON.stringify(claudeShell('ls', user.folder))
    for (const env of [{ HOOKGATE_UP_EVERY_S: '0' }, { HOOKGATE_DEPTH: '1' }]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await user.spawned(argv, { stdin, env })).toMatchObject({ exitCode: 0, stdout: '' })
    }
    expect(await user.spawned([...argv, 'word'], { stdin })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('run takes no words'),
    })
    expect(user.gates()).toHaveLength(0)
  })
})
