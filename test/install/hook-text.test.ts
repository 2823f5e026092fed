import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { hookText } from '../../src/install/hook-folders/hook-text.ts'

const asked = (command: string, ...args: readonly string[]) => {
  const script = hookText('cline', 'PreToolUse', 'project', 'linux', { command, args })
  const { stdout, status } = spawnSync('/bin/sh', ['-c', script], { encoding: 'utf8', input: '{}' })
  return { stdout, status }
}

it('a file for Cline hands on what hookgate says', () => {
  expect(asked('echo', '{"cancel":false}')).toEqual({ stdout: '{"cancel":false}\n', status: 0 })
})

it.each([
  ['is not there', 'no-such-hookgate'],
  ['fails', 'false'],
  ['says nothing, as an emptied program does', 'true'],
])('a file for Cline refuses where hookgate %s', (_, command) => {
  const { stdout, status } = asked(command)
  expect(JSON.parse(stdout)).toMatchObject({ cancel: true })
  expect(status).toBe(0)
})
