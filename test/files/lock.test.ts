import { spawn } from 'node:child_process'
import { readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tryLock, waitForLock } from '../../src/files/lock.ts'
import { folderWith } from '../support/workspace.ts'

const module = fileURLToPath(new URL('../../src/files/lock.ts', import.meta.url))

/** Starts another process that tries to take the lock and prints whether it has it. */
async function holder(file: string) {
  const program = `
    import { tryLock } from ${JSON.stringify(module)}
    process.stdout.write(tryLock(${JSON.stringify(file)}) === undefined ? 'no' : 'yes')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const output = await new Promise<string>((resolve) =>
    child.stdout.once('data', (text: Buffer) => resolve(text.toString())),
  )
  const killed = () => {
    child.kill('SIGKILL')
    return new Promise((resolve) => child.once('exit', resolve))
  }
  return { output, killed, pid: child.pid }
}

describe('a lock', () => {
  it('is held by one at a time, and by the next when it is released', () => {
    const file = join(folderWith(), 'lock')
    const first = tryLock(file)
    expect(first).toBeDefined()
    expect(tryLock(file)).toBeUndefined()
    first?.release()
    const second = tryLock(file)
    expect(second).toBeDefined()
    second?.release()
  })

  it('excludes other processes, and is released when its holder is killed', async () => {
    const file = join(folderWith(), 'lock')
    const one = await holder(file)
    expect(one.output).toBe('yes')
    expect(tryLock(file)).toBeUndefined()
    expect((await holder(file)).output).toBe('no')
    await one.killed()
    const mine = tryLock(file)
    expect(mine).toBeDefined()
    expect((await holder(file)).output).toBe('no')
    mine?.release()
  })

  it('writes nothing, since the disk may be full', async () => {
    const folder = folderWith()
    const lock = tryLock(join(folder, 'lock'))
    expect(readdirSync(folder)).toEqual(['lock'])
    lock?.release()
    expect(readdirSync(folder)).toEqual(['lock'])
  })

  it('is kept by a process that tries to take it a second time', async () => {
    const file = join(folderWith(), 'lock')
    const mine = tryLock(file)
    expect(tryLock(file)).toBeUndefined()
    expect((await holder(file)).output).toBe('no')
    mine?.release()
  })

  it('is for its owner only, and follows no link', () => {
    const folder = folderWith()
    tryLock(join(folder, 'lock'))?.release()
    expect(statSync(join(folder, 'lock')).mode & 0o777).toBe(0o600)
    symlinkSync(join(folder, 'lock'), join(folder, 'link'))
    symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'))
    for (const name of ['link', 'dangling']) {
      expect(() => tryLock(join(folder, name))).toThrow('it cannot be locked: it is not a regular file')
    }
    expect(readdirSync(folder).toSorted()).toEqual(['dangling', 'link', 'lock'])
  })

  it('can be waited for by a blocked thread', async () => {
    const file = join(folderWith(), 'lock')
    const one = await holder(file)
    expect(tryLock(file, 1)).toBeUndefined()
    spawn('sh', ['-c', 'sleep 0.2; kill -9 "$0"', `${one.pid}`])
    const mine = tryLock(file, 20_000)
    expect(mine).toBeDefined()
    mine?.release()
  })

  it('is waited for until it is taken, no longer needed, or timed out', async () => {
    const file = join(folderWith(), 'lock')
    const held = tryLock(file)
    const soon = performance.now() + 60_000
    expect(await waitForLock(file, performance.now())).toBeUndefined()
    expect(await waitForLock(file, soon, async () => true)).toBeUndefined()
    const waiting = waitForLock(file, soon)
    held?.release()
    const mine = await waiting
    expect(mine).toBeDefined()
    mine?.release()
  })

  it('reports if it cannot be taken at all', () => {
    const folder = folderWith({ file: '' })
    expect(() => tryLock(join(folder, 'file', 'lock'))).toThrow(
      expect.objectContaining({ code: 'unavailable', message: expect.stringContaining('it cannot be locked') }),
    )
  })
})

describe('a lock file that a loss of power has damaged', () => {
  it.each([
    ['full of zeros', Buffer.alloc(4096)],
    ['one zero', Buffer.alloc(1)],
    ['a text', 'x'.repeat(2000)],
    ['a part of a line', '{"a'],
    ['a header with nothing behind it', `SQLite format 3\0${'\0'.repeat(500)}`],
    ['a header with garbage behind it', `SQLite format 3\0${'\u00ff\u0007'.repeat(5000)}`],
  ])('is locked all the same, by one process at a time: %s', async (_, content) => {
    const file = join(folderWith(), 'lock')
    writeFileSync(file, content)
    const lock = tryLock(file)
    expect(lock).toBeDefined()
    expect(tryLock(file)).toBeUndefined()
    expect((await holder(file)).output).toBe('no')
    lock?.release()
    expect((await holder(file)).output).toBe('yes')
  })
})
