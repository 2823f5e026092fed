import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { processTag, survivors } from '../support/processes.ts'

const program = fileURLToPath(new URL('without-room.ts', import.meta.url))

/** Runs the program with a limit of file descriptors; rejects if it crashes, hangs or prints to stderr. */
async function codesWithoutRoom(starter: string, warmth: string, descriptors = 64) {
  const { tag, env } = processTag()
  const command = `ulimit -n ${descriptors}; exec "$0" "$@"`
  const { stdout, stderr } = await promisify(execFile)(
    '/bin/sh',
    ['-c', command, process.execPath, program, starter, warmth],
    { env: { ...process.env, ...env }, timeout: 120_000 },
  )
  expect(stderr).toBe('')
  expect(await survivors(tag)).toEqual([])
  const failures = stdout
    .trim()
    .split('\n')
    .slice(1)
    .map((line): unknown => JSON.parse(line))
  return failures.map((failure) =>
    typeof failure === 'object' && failure !== null && 'code' in failure ? failure.code : failure,
  )
}

describe('a process without a free file descriptor', () => {
  it.each([
    ['own', 'warm'],
    ['own', 'cold'],
    ['companion', 'cold'],
  ])(
    'fails hooks that the %s process starts (%s) as exhausted, and runs them once it has free ones',
    async (starter, warmth) => {
      const failed = Array.from({ length: 4 }, () => 'exhausted')
      expect(await codesWithoutRoom(starter, warmth)).toEqual([...failed, null])
    },
  )

  it('runs hooks from a running companion', async () => {
    expect(await codesWithoutRoom('companion', 'warm')).toEqual([null, null, null, null, null])
  })
})

// Enough to start Node, but not always for the processes that it starts.
describe.each(['own', 'companion'])(
  'a process with few file descriptors and hooks that its %s process starts',
  (starter) => {
    it.each([24, 26, 27, 28, 30, 34])('(%i) either runs a hook or fails it as exhausted', async (descriptors) => {
      const codes = await codesWithoutRoom(starter, 'tight', descriptors)
      expect(codes).toHaveLength(5)
      expect(codes.filter((code) => code !== null && code !== 'exhausted')).toEqual([])
    })
  },
)
