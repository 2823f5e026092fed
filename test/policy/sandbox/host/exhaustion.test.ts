import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const program = fileURLToPath(new URL('without-room.ts', import.meta.url))

describe('a process that has no file descriptor left', () => {
  it.each([
    ['before there is a sandbox', 'cold'],
    ['when its sandbox is ended', 'killed'],
  ])('%s, refuses what it cannot ask, and asks again when it has some', async (_, warmth) => {
    const command = ['-c', 'ulimit -n 64; exec "$0" "$@"', process.execPath, program, warmth]
    const { stdout, stderr } = await promisify(execFile)('/bin/sh', command, { timeout: 60_000 })
    expect(stderr).toBe('')
    expect(stdout.trim().split('\n').slice(1)).toEqual(['["exhausted"]', '["exhausted"]', '["hello"]'])
  })
})
