import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { append } from '../../../src/service/bridge/event-file.ts'
import { folderWith } from '../../support/workspace.ts'

/** Appends one number, and kills its process at the nth file change: before it, or halfway through a write. */
const writer = `
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  const [at, folder, n] = process.argv.slice(2)
  const { append } = await import(${JSON.stringify(new URL('../../../src/service/bridge/event-file.ts', import.meta.url).href)})
  let left = Number(at)
  const die = () => process.kill(process.pid, 'SIGKILL')
  for (const name of ['renameSync', 'rmSync', 'openSync', 'mkdirSync']) {
    const real = fs[name]
    fs[name] = (...args) => (--left === 0 ? die() : real(...args))
  }
  const { writeSync, writeFileSync } = fs
  const half = (data) => data.subarray(0, data.length / 2)
  fs.writeSync = (fd, data, at) => {
    if (--left === 0) writeSync(fd, half(data.subarray(at))), die()
    return writeSync(fd, data, at)
  }
  fs.writeFileSync = (path, data, options) => {
    if (--left === 0) writeFileSync(path, half(Buffer.from(data)), options), die()
    return writeFileSync(path, data, options)
  }
  syncBuiltinESMExports()
  await append({ folder, name: 'events.json', bytesMax: 1e6, waitMs: 5000 }, n)
  process.exit()`

it('writers killed at each step in turn leave complete files without lost or duplicate events', async () => {
  const scripts = folderWith({ 'writer.mjs': writer })
  const folder = folderWith({ 'events.json': '[\n0\n]\n' })
  const kept = () => JSON.parse(readFileSync(join(folder, 'events.json'), 'utf8')) as readonly number[]
  const acknowledged: number[] = [0]
  let step = 0
  for (let done = false; !done && step < 100;) {
    step += 1
    const child = spawn(process.execPath, [join(scripts, 'writer.mjs'), `${step}`, folder, `${step}`])
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const ended: readonly unknown[] = await once(child, 'exit')
    done = ended[0] === 0
    if (done) acknowledged.push(step)
    else expect(ended).toEqual([null, 'SIGKILL'])
    // A reader finds a complete array now, and the next writer finishes the interrupted one's work.
    expect(kept()).toContain(0)
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await append({ folder, name: 'events.json', bytesMax: 1e6, waitMs: 5000 }, `${-step}`)
    acknowledged.push(-step)
    expect(new Set(kept()).size).toBe(kept().length)
    expect(acknowledged.filter((one) => !kept().includes(one))).toEqual([])
  }
  // Once its number is in its own file, a killed writer cannot lose it.
  const steps = kept().filter((one) => one > 0)
  const first = Math.min(...steps)
  expect(first).toBeLessThan(step - 5)
  expect(steps).toEqual(Array.from({ length: step - first + 1 }, (_, index) => first + index))
  // Folders, draft, lock, the new file in parts, its journal, renames and removals.
  expect(step).toBeGreaterThan(10)
  expect(step).toBeLessThan(100)
  expect(
    readdirSync(join(folder, 'events.pending'))
      .filter((name) => !name.endsWith('.part'))
      .toSorted(),
  ).toEqual(['last-commit', 'lock'])
  expect(readdirSync(folder).filter((name) => name.includes('set-aside'))).toEqual([])
})
