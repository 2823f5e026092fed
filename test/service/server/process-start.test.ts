import { spawn } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { processStart } from '../../../src/service/server/process-start.ts'
import { folderWith } from '../../support/workspace.ts'

function sleeping(program = 'sleep'): number {
  const child = spawn(program, ['60'], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child.pid ?? 0
}

describe('the start time of a process', () => {
  it.each(['linux', 'darwin'] as const)('is the same at every query (%s)', (platform) => {
    const pid = sleeping()
    const first = processStart(pid, platform)
    expect(first).toMatch(/\d/)
    expect(processStart(pid, platform)).toBe(first)
  })

  it('distinguishes processes', async () => {
    const own = processStart(process.pid)
    expect(processStart(sleeping())).not.toBe(own)
  })

  it('is read correctly whatever the program’s name', () => {
    const program = join(folderWith(), 'a) S 1 2 (b')
    copyFileSync('/bin/sleep', program)
    expect(processStart(sleeping(program))).toMatch(/^\d+ [0-9a-f-]{36}$/)
  })

  it.each(['linux', 'darwin', 'win32'] as const)('is null for a process that does not exist (%s)', (platform) => {
    expect(processStart(2 ** 22 + 1, platform)).toBeNull()
  })
})
