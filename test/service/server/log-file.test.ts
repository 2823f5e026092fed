import { closeSync, fstatSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LogFile, logTo, openLog } from '../../../src/service/server/log-file.ts'
import { canMount, smallDisk } from '../../support/small-disk.ts'
import { folderWith } from '../../support/workspace.ts'

const linesOf = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n')

describe('the log of a gate', () => {
  it('has a file mode for its owner only, and never follows a link', () => {
    const folder = folderWith()
    const file = join(folder, 'log')
    new LogFile(file).close()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    symlinkSync(file, join(folder, 'link'))
    expect(() => new LogFile(join(folder, 'link'))).toThrow(expect.objectContaining({ code: 'unavailable' }))
  })

  it('holds lines of JSON in which secrets are masked', () => {
    const file = join(folderWith(), 'log')
    const log = new LogFile(file)
    logTo(log).warn({ url: 'https://someone:hunter22@example.org' }, 'got authorization: Bearer abcdefghijkl')
    log.close()
    const [line] = linesOf(file)
    expect(JSON.parse(line ?? '')).toMatchObject({
      level: 40,
      url: 'https://someone:***@example.org',
      msg: 'got authorization: Bearer ***',
    })
  })

  it('is bounded, and keeps the previous file beside it', () => {
    const file = join(folderWith(), 'log')
    const log = new LogFile(file, 1000)
    for (let n = 0; n < 100; n += 1) log.write(`{"n":${n},"text":"${'x'.repeat(40)}"}\n`)
    expect(statSync(file).size).toBeLessThanOrEqual(1000)
    expect(statSync(`${file}.1`).size).toBeLessThanOrEqual(1000)
    const numbers = [...linesOf(`${file}.1`), ...linesOf(file)].map((line) => (JSON.parse(line) as { n: number }).n)
    const first = numbers[0] ?? 0
    expect(numbers).toEqual(Array.from({ length: 100 - first }, (_, index) => first + index))
    log.close()
  })

  it('writes nothing after it is closed, even if its descriptor was reused', () => {
    const folder = folderWith()
    const log = new LogFile(join(folder, 'log'))
    log.close()
    const other = openLog(join(folder, 'other'))
    log.write('{"n":1}')
    expect(fstatSync(other).size).toBe(0)
    closeSync(other)
  })

  it('continues after rotation in the same file as the gate’s stderr', () => {
    const file = join(folderWith(), 'log')
    const stderr = openLog(file)
    const log = new LogFile(file, 100)
    for (let n = 0; n < 10; n += 1) log.write(`{"n":${n},"text":"${'x'.repeat(40)}"}`)
    writeFileSync(stderr, 'a crash\n')
    expect(linesOf(file).at(-1)).toBe('a crash')
    expect(fstatSync(stderr).ino).toBe(statSync(file).ino)
    closeSync(stderr)
    log.close()
  })

  it.runIf(canMount)(
    'on a full disk loses nothing but lines, and reports how many once there is space (as root)',
    () => {
      const disk = smallDisk()
      const file = join(disk, 'log')
      const log = new LogFile(file)
      log.write('{"n":1}')
      const filler = join(disk, 'filler')
      mkdirSync(filler)
      expect(() => {
        for (let n = 0; ; n += 1) writeFileSync(join(filler, `${n}`), 'x'.repeat(4096))
      }).toThrow('ENOSPC')
      for (let n = 0; n < 100; n += 1) log.write(`{"text":"${'y'.repeat(1000)}"}`)
      rmSync(filler, { recursive: true })
      log.write('{"n":2}')
      log.close()
      const lines = linesOf(file)
      expect(lines[0]).toBe('{"n":1}')
      expect(lines.at(-1)).toBe('{"n":2}')
      expect(lines.at(-2)).toMatch(/"\d+ lines could not be written"/)
    },
  )
})
