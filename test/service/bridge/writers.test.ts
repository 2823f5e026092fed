import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { entryFile } from '../../../src/files/program-files.ts'
import { deadPort } from '../../support/listener.ts'
import { folderWith } from '../../support/workspace.ts'

const bin = entryFile('cli/bin')
const file = 'cline-hook-events.json'

/** Starts a real `hookgate emit` with one event. */
function emitter(folder: string, port: number, event: object, prefix: readonly string[] = []): ChildProcess {
  const argv = [...prefix, process.execPath, bin, 'emit', '--port', `${port}`, '--dir', folder, '--agent', 'cline']
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, HOOKGATE_HOME: join(folder, 'gate') }
  const child = spawn(argv[0] ?? '', argv.slice(1), { env, stdio: ['pipe', 'ignore', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdin?.on('error', () => {})
  child.stdin?.end(JSON.stringify(event))
  return child
}

const numbersIn = (folder: string) =>
  (JSON.parse(readFileSync(join(folder, file), 'utf8')) as readonly { readonly n: number }[]).map(({ n }) => n)
const ascending = (numbers: readonly number[]) => numbers.toSorted((one, other) => one - other)
const waitingIn = (folder: string) =>
  readdirSync(join(folder, 'cline-hook-events.pending')).filter((name) => name.endsWith('.json'))

/** Reads the file repeatedly and expects a complete array each time. */
function reader(folder: string): { stop(): Promise<number> } {
  const stopped = new AbortController()
  const loop = (async () => {
    let reads = 0
    while (!stopped.signal.aborted) {
      try {
        numbersIn(folder)
        reads += 1
      } catch (cause) {
        if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')) throw cause
      }
      // oxlint-disable-next-line no-await-in-loop -- again and again is the point
      await sleep(1)
    }
    return reads
  })()
  return {
    stop() {
      stopped.abort()
      return loop
    },
  }
}

it('50 concurrent emitters lose nothing, and every read meanwhile finds a complete array', async () => {
  const folder = folderWith()
  const port = await deadPort()
  const reading = reader(folder)
  const numbers = Array.from({ length: 50 }, (_, n) => n)
  const exits = await Promise.all(numbers.map((n) => once(emitter(folder, port, { n, x: 'x'.repeat(5000) }), 'exit')))
  expect(exits).toEqual(numbers.map(() => [0, null]))
  expect(await reading.stop()).toBeGreaterThan(0)
  // Emitters that timed out at the lock left their events for the next one.
  await once(emitter(folder, port, { n: 50 }), 'exit')
  expect(ascending(numbersIn(folder))).toEqual([...numbers, 50])
  expect(waitingIn(folder)).toEqual([])
})

it('emitters killed at any moment tear nothing, and lose or duplicate no acknowledged event', async () => {
  const folder = folderWith()
  const port = await deadPort()
  const reading = reader(folder)
  const acknowledged: number[] = []
  for (let round = 0; round < 12; round += 1) {
    const batch = Array.from({ length: 5 }, (_, index) => round * 5 + index)
    // oxlint-disable-next-line no-await-in-loop -- a new batch only when the last one is dead
    await Promise.all(
      batch.map(async (n) => {
        const child = emitter(folder, port, { n, x: 'x'.repeat(200_000) })
        const ended = once(child, 'exit')
        // Kills each a bit later than the last: from before it reads its event to after it is done.
        await Promise.race([ended, sleep(40 + n * 12)])
        child.kill('SIGKILL')
        if ((await ended)[0] === 0) acknowledged.push(n)
      }),
    )
  }
  await reading.stop()
  await once(emitter(folder, port, { n: 1000 }), 'exit')
  const kept = numbersIn(folder)
  expect(new Set(kept).size).toBe(kept.length)
  expect(acknowledged.filter((n) => !kept.includes(n))).toEqual([])
  expect(kept).toContain(1000)
  expect(waitingIn(folder)).toEqual([])
  expect(readdirSync(folder).filter((name) => name.includes('set-aside'))).toEqual([])
})

it('a writer that was stopped with the lock does not keep others from storing events', async () => {
  const folder = folderWith()
  const port = await deadPort()
  await once(emitter(folder, port, { n: 0 }), 'exit')
  const lock = join(folder, 'cline-hook-events.pending', 'lock')
  const holder = `const { DatabaseSync } = require('node:sqlite')
    new DatabaseSync(${JSON.stringify(lock)}).exec('BEGIN EXCLUSIVE'); console.log('held'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['-e', holder], { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  child.kill('SIGSTOP')
  expect(await once(emitter(folder, port, { n: 1 }), 'exit')).toEqual([0, null])
  expect(numbersIn(folder)).toEqual([0])
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await once(emitter(folder, port, { n: 2 }), 'exit')).toEqual([0, null])
  expect(numbersIn(folder)).toEqual([0, 1, 2])
})

it('with no space for the file the event is stored beside it; with no space at all it fails with that reason', async () => {
  const folder = folderWith()
  const port = await deadPort()
  // A block of `ulimit -f` is 512 bytes for sh.
  const limited = (blocks: number) => ['sh', '-c', `ulimit -f ${blocks}; exec "$@"`, 'sh']
  await once(emitter(folder, port, { n: 0, x: 'x'.repeat(30_000) }), 'exit')
  const before = readFileSync(join(folder, file))

  expect(await once(emitter(folder, port, { n: 1, x: 'x'.repeat(5000) }, limited(40)), 'exit')).toEqual([0, null])
  expect(readFileSync(join(folder, file))).toEqual(before)
  expect(waitingIn(folder)).toHaveLength(1)

  const full = emitter(folder, port, { n: 2, x: 'x'.repeat(50_000) }, limited(40))
  let stderr = ''
  full.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  expect(await once(full, 'close')).toEqual([1, null])
  expect(stderr).toContain('could not be kept')
  expect(readFileSync(join(folder, file))).toEqual(before)
  expect(readdirSync(join(folder, 'cline-hook-events.pending')).filter((name) => /part|next/.test(name))).toEqual([])

  // The disk has space again.
  await once(emitter(folder, port, { n: 3 }), 'exit')
  expect(numbersIn(folder)).toEqual([0, 1, 3])
  expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600)
  rmSync(folder, { recursive: true })
})
