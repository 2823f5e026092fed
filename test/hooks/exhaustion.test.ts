import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { processTag, survivors } from '../support/processes.ts'

const program = fileURLToPath(new URL('without-room.ts', import.meta.url))

/** Runs it with so many file descriptors; rejects when it crashes, hangs or says anything on stderr. */
async function codesWithoutRoom(placement: string, warmth: string, descriptors = 64) {
  const { tag, env } = processTag()
  const command = `ulimit -n ${descriptors}; exec "$0" "$@"`
  const { stdout, stderr } = await promisify(execFile)(
    '/bin/sh',
    ['-c', command, process.execPath, program, placement, warmth],
    { env: { ...process.env, ...env }, timeout: 15_000 },
  )
  expect(stderr).toBe('')
  expect(await survivors(tag)).toEqual([])
  const told = stdout
    .trim()
    .split('\n')
    .slice(1)
    .map((line): unknown => JSON.parse(line))
  return told.map((failure) =>
    typeof failure === 'object' && failure !== null && 'code' in failure ? failure.code : failure,
  )
}

describe('a process that has no file descriptor left', () => {
  it.each([
    ['thread', 'warm'],
    ['thread', 'cold'],
    ['process', 'cold'],
  ])(
    'fails hooks with the placement `%s` (%s) as exhausted, and runs them when it has some again',
    async (placement, warmth) => {
      const failed = Array.from({ length: 4 }, () => 'exhausted')
      expect(await codesWithoutRoom(placement, warmth)).toEqual([...failed, null])
    },
  )

  it('runs hooks from a companion that it has already', async () => {
    expect(await codesWithoutRoom('process', 'warm')).toEqual([null, null, null, null, null])
  })
})

// Enough for Node to begin with, and not always for what it has to begin in turn.
describe.each(['thread', 'process'])(
  'a process that has few file descriptors, whose hooks have the placement `%s`',
  (placement) => {
    it.each([24, 26, 27, 28, 30, 34])('of %i, either runs a hook or fails it as exhausted', async (descriptors) => {
      const codes = await codesWithoutRoom(placement, 'tight', descriptors)
      expect(codes).toHaveLength(5)
      expect(codes.filter((code) => code !== null && code !== 'exhausted')).toEqual([])
    })
  },
)
