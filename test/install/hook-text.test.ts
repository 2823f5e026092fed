import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { hookText } from '../../src/install/hook-folders.ts'

const runHook = (command: string, ...args: readonly string[]) => {
  const script = hookText('cline', 'PreToolUse', 'project', 'linux', { command, args })
  const { stdout, status } = spawnSync('/bin/sh', ['-c', script], { encoding: 'utf8', input: '{}' })
  return { stdout, status }
}

it('a file for Cline prints what hookgate prints', () => {
  expect(runHook('echo', '{"cancel":false}')).toEqual({ stdout: '{"cancel":false}\n', status: 0 })
})

it.each([
  ['is not there', 'no-such-hookgate'],
  ['fails', 'false'],
  ['prints nothing, as an emptied program does', 'true'],
])('a file for Cline refuses where hookgate %s', (_, command) => {
  const { stdout, status } = runHook(command)
  expect(JSON.parse(stdout)).toMatchObject({ cancel: true })
  expect(status).toBe(0)
})
