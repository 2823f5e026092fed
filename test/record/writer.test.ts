import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { countsFolder, settleDeadWriters } from '../../src/record/answer-count.ts'
import { openForWriting } from '../../src/record/database.ts'
import { damagedDatabases, damagedRecordsMax } from '../../src/record/writer.ts'
import { batchAt, chainOf, databaseAt, noDecisions, rowsIn, writerOf } from '../support/decisions.ts'
import { canMount, smallDisk } from '../support/small-disk.ts'

const nowMs = Date.UTC(2026, 8, 21)
const written = { kind: 'written' }

/** Returns a database of 600 rows, closed, without a WAL. */
function someDecisions(): string {
  const file = noDecisions()
  const writer = writerOf(file)
  for (let batch = 0; batch < 3; batch += 1) expect(writer.write(batchAt(nowMs, 200))).toEqual(written)
  writer.end()
  return file
}

describe('the database of decisions', () => {
  it.skipIf(process.platform === 'win32')('is created with its folder, for its owner only', () => {
    const file = join(dirname(noDecisions()), 'deeper', 'decisions.db')
    expect(writerOf(file).write(batchAt(nowMs, 1))).toEqual(written)
    const modes = readdirSync(dirname(file)).map((name) => statSync(join(dirname(file), name)).mode & 0o077)
    expect(new Set(modes)).toEqual(new Set([0]))
    expect(statSync(dirname(file)).mode & 0o077).toBe(0)
  })

  it.each([
    [
      'random bytes',
      (file: string) => writeFileSync(file, Buffer.from(Array.from({ length: 9000 }, (_, at) => (at * 7919) % 251))),
    ],
    ['a file that ends in the middle', (file: string) => truncateSync(file, Math.floor(statSync(file).size / 2))],
    ['a page of zeros in its middle', (file: string) => zeroPages(file)],
    ['the tables of another program', (file: string) => otherTables(file)],
    ['no end of its chain', (file: string) => changed(file, 'DELETE FROM chain')],
    ['an end of its chain that lies', (file: string) => changed(file, 'UPDATE chain SET head_seq = 3')],
    [
      'an end of its chain that is no number',
      (file: string) => changed(file, 'UPDATE chain SET head_seq = 9223372036854775806'),
    ],
  ])('that has %s is set aside, and a new one begun with the very batch that found it', (_, damage) => {
    const file = someDecisions()
    damage(file)
    const writer = writerOf(file)
    expect(writer.write(batchAt(nowMs, 5))).toEqual(written)
    expect([rowsIn(file), chainOf(file).kind, damagedDatabases(file).length]).toEqual([5, 'whole', 1])
  })

  it('is set aside no more often than is kept', () => {
    const file = noDecisions()
    for (let time = 0; time < damagedRecordsMax + 3; time += 1) {
      writeFileSync(file, `no database ${'x'.repeat(2000)}`)
      const writer = writerOf(file)
      expect(writer.write(batchAt(nowMs, 1))).toEqual(written)
      writer.end()
    }
    expect(damagedDatabases(file)).toHaveLength(damagedRecordsMax)
  })

  it('of a newer hookgate is left as it is', () => {
    const file = someDecisions()
    changed(file, 'PRAGMA user_version = 3')
    expect(writerOf(file).write(batchAt(nowMs, 1))).toEqual({
      kind: 'failed',
      why: 'its tables are of version 3, and this hookgate knows version 2',
    })
    expect([rowsIn(file), damagedDatabases(file)]).toEqual([600, []])
  })

  it.skipIf(process.platform === 'win32').each([
    ['a folder', (file: string) => mkdirSync(file)],
    ['a named pipe', (file: string) => execFileSync('mkfifo', [file])],
    ['a link', (file: string) => symlinkSync(join(dirname(file), 'elsewhere'), file)],
  ])('is not written through %s in its place', (_, put) => {
    const file = noDecisions()
    put(file)
    expect(writerOf(file).write(batchAt(nowMs, 1))).toEqual({ kind: 'failed', why: 'it is not a regular file' })
    expect(existsSync(join(dirname(file), 'elsewhere'))).toBe(false)
    rmSync(file, { recursive: true })
    expect(writerOf(file).write(batchAt(nowMs, 1))).toEqual(written)
  })

  it('that is removed or moved away begins anew, although a writer has it open', () => {
    const file = noDecisions()
    const writer = writerOf(file)
    expect(writer.write(batchAt(nowMs, 3))).toEqual(written)
    for (const part of ['', '-wal', '-shm']) rmSync(`${file}${part}`)
    expect(writer.write(batchAt(nowMs, 2))).toEqual(written)
    expect(rowsIn(file)).toBe(2)
    renameSync(file, `${file}.old`)
    expect(writer.write(batchAt(nowMs, 4))).toEqual(written)
    expect([rowsIn(file), chainOf(file).kind]).toEqual([4, 'whole'])
  })

  it('does not take over the WAL of one that was removed', () => {
    const file = noDecisions()
    const writer = writerOf(file)
    expect(writer.write(batchAt(nowMs, 300))).toEqual(written)
    // As a kill leaves it.
    linkSync(`${file}-wal`, `${file}-kept`)
    writer.end()
    renameSync(`${file}-kept`, `${file}-wal`)
    rmSync(file)
    expect(writerOf(file).write(batchAt(nowMs, 1))).toEqual(written)
    expect([rowsIn(file), chainOf(file).kind]).toEqual([1, 'whole'])
  })

  it('that another process has locked is waited for, and then written', async () => {
    const file = someDecisions()
    const other = databaseAt(file)
    other.exec('BEGIN IMMEDIATE')
    const writer = writerOf(file, 50)
    expect(writer.write(batchAt(nowMs, 1))).toEqual({ kind: 'busy', why: 'database is locked' })
    // It has given up, since the other still holds the lock.
    other.exec('ROLLBACK')
    expect(writer.write(batchAt(nowMs, 1))).toEqual(written)
  })

  it.skipIf(!canMount)('on a full disk costs rows, and is written again once there is room (as root)', () => {
    const folder = smallDisk()
    const file = join(folder, 'decisions.db')
    const writer = writerOf(file)
    expect(writer.write(batchAt(nowMs, 1))).toEqual(written)
    const filler = join(folder, 'filler')
    writeFull(filler)
    expect(writer.write(batchAt(nowMs, 100))).toMatchObject({ kind: 'failed', why: expect.stringContaining('full') })
    rmSync(filler)
    expect(writer.write(batchAt(nowMs, 2))).toEqual(written)
    expect([rowsIn(file), chainOf(file).kind, damagedDatabases(file)]).toEqual([3, 'whole', []])
  })

  it('is whole after a kill in the middle of writing', async () => {
    const file = noDecisions()
    const modules = ['test/support/decisions.ts', 'src/record/writer.ts'].map((name) => join(process.cwd(), name))
    const program = `
      const { openWriter } = await import(${JSON.stringify(modules[1])})
      const writer = openWriter(${JSON.stringify(file)}, { name: process.pid + '-x', startedAt: '' }, 1000)
      const row = () => ({ id: 'x'.repeat(16), record: '{"at":"2026"}' })
      for (let batch = 1; ; batch += 1) {
        writer.write({ rows: Array.from({ length: 50 }, row), counts: [], times: [] }, { written: batch * 50, lost: 0 }, { days: 9, megabytes: 9 })
        if (batch === 20) process.stdout.write('.')
      }`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
    const check = chainOf(file)
    expect(check.kind).toBe('whole')
    expect(check.kind === 'whole' && check.rows % 50).toBe(0)
    expect(rowsIn(file)).toBeGreaterThanOrEqual(1000)
  })
})

describe('the count of answers', () => {
  const figures = (file: string) => ({
    ...databaseAt(file).prepare('SELECT sum(written) AS written, sum(lost) AS lost FROM writers').get(),
  })

  /** Returns the pid of a process that has ended. */
  const deadPid = () => Number(execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }))

  /** Puts a killed writer's count beside a database. */
  function putCount(file: string, pid: number, answers: number): string {
    mkdirSync(countsFolder(file), { recursive: true })
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64LE(BigInt(answers))
    const count = join(countsFolder(file), `${pid}-killed`)
    writeFileSync(count, bytes)
    return count
  }

  it('says how many a killed process had not written, once, whoever settles it and however often', () => {
    const file = someDecisions()
    const count = putCount(file, deadPid(), 7)
    const bytes = readFileSync(count)
    for (let time = 0; time < 3; time += 1) {
      // As if each who settles it was killed before it removed the count.
      if (time < 2) writeFileSync(count, bytes)
      const database = openForWriting(file, 100)
      settleDeadWriters(database, file)
      database.close()
      expect(figures(file)).toEqual({ written: 600, lost: 7 })
    }
    expect(readdirSync(countsFolder(file)).filter((name) => name.endsWith('-killed'))).toEqual([])
    expect(figures(file)).toEqual({ written: 600, lost: 7 })
  })

  it('of a living process is left alone, and removed when it ends', () => {
    const file = noDecisions()
    const living = writerOf(file)
    living.add()
    expect(writerOf(file).write(batchAt(nowMs, 1))).toEqual(written)
    expect(figures(file)).toEqual({ written: 1, lost: 0 })
    living.remove()
    expect(readdirSync(countsFolder(file))).toHaveLength(1)
  })

  it('counts nothing once it is removed: its descriptor may be another file by then', () => {
    const file = noDecisions()
    const count = writerOf(file)
    count.add()
    count.remove()
    const bystander = join(dirname(file), 'bystander')
    writeFileSync(bystander, 'as it was')
    const { openSync, closeSync } = process.getBuiltinModule('node:fs')
    const descriptor = openSync(bystander, 'r+')
    onTestFinished(() => closeSync(descriptor))
    count.add()
    expect(readFileSync(bystander, 'utf8')).toBe('as it was')
  })
})

function zeroPages(file: string): void {
  const bytes = readFileSync(file)
  const middle = 4096 * Math.floor(bytes.length / 4096 / 2)
  // The last page too: a batch must come upon one of them.
  bytes.fill(0, middle, middle + 8 * 4096)
  bytes.fill(0, 4096, 8 * 4096)
  writeFileSync(file, bytes)
}

function otherTables(file: string): void {
  rmSync(file)
  changed(file, 'CREATE TABLE decisions (a TEXT)')
}

function changed(file: string, sql: string): void {
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
}

function writeFull(file: string): void {
  try {
    for (let size = 64; ; size += 64) writeFileSync(file, Buffer.alloc(size * 1024))
  } catch {
    // It is full.
  }
}
