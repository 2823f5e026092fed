import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tryLock, waitForLock } from '../../src/server/lock.ts'
import { folderWith } from '../support/workspace.ts'

const module = fileURLToPath(new URL('../../src/server/lock.ts', import.meta.url))

/** Another process that takes the lock and says whether it has it. */
async function holder(file: string) {
  const program = `
    import { tryLock } from ${JSON.stringify(module)}
    process.stdout.write(tryLock(${JSON.stringify(file)}) === undefined ? 'no' : 'yes')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const said = await new Promise<string>((resolve) =>
    child.stdout.once('data', (text: Buffer) => resolve(text.toString())),
  )
  const killed = () => {
    child.kill('SIGKILL')
    return new Promise((resolve) => child.once('exit', resolve))
  }
  return { said, killed }
}

describe('a lock', () => {
  it('is had by one at a time, and by the next when it is released', () => {
    const file = join(folderWith(), 'lock')
    const first = tryLock(file)
    expect(first).toBeDefined()
    expect(tryLock(file)).toBeUndefined()
    first?.release()
    const second = tryLock(file)
    expect(second).toBeDefined()
    second?.release()
  })

  it('is held against other processes, and let go of when its holder is killed', async () => {
    const file = join(folderWith(), 'lock')
    const one = await holder(file)
    expect(one.said).toBe('yes')
    expect(tryLock(file)).toBeUndefined()
    expect((await holder(file)).said).toBe('no')
    await one.killed()
    const mine = tryLock(file)
    expect(mine).toBeDefined()
    expect((await holder(file)).said).toBe('no')
    mine?.release()
  })

  it('writes nothing: there may be no room', async () => {
    const folder = folderWith()
    const lock = tryLock(join(folder, 'lock'))
    expect(readdirSync(folder)).toEqual(['lock'])
    lock?.release()
    expect(readdirSync(folder)).toEqual(['lock'])
  })

  it('is waited for, until it is had, or there is no more need, or the time is up', async () => {
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

  it('says where it cannot be had at all', () => {
    const folder = folderWith({ file: '' })
    expect(() => tryLock(join(folder, 'file', 'lock'))).toThrow(
      expect.objectContaining({ code: 'unavailable', message: expect.stringContaining('it cannot be locked') }),
    )
  })
})
