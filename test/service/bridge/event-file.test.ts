import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { append, type EventFile } from '../../../src/service/bridge/event-file.ts'
import { folderWith } from '../../support/workspace.ts'
import { bridgePendingMax, bridgePendingBytesMax, bridgeDraftMsMax } from '../../../src/service/bridge/pending.ts'

const fileIn = (folder: string, more: Partial<EventFile> = {}): EventFile => ({
  folder,
  name: 'events.json',
  bytesMax: 1024 * 1024,
  waitMs: 1000,
  ...more,
})
const contentOf = ({ folder, name }: EventFile): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'))
const pendingOf = ({ folder }: EventFile) => join(folder, 'events.pending')
const waitingIn = (file: EventFile) => readdirSync(pendingOf(file)).filter((name) => name.endsWith('.json'))
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

/** Takes the file's lock. @returns releases it; the end of the test does, too */
function holdLock(file: EventFile): () => void {
  mkdirSync(pendingOf(file), { recursive: true, mode: 0o700 })
  const database = new DatabaseSync(join(pendingOf(file), 'lock'))
  database.exec('BEGIN EXCLUSIVE')
  let open = true
  const unlock = () => {
    if (open) database.close()
    open = false
  }
  onTestFinished(unlock)
  return unlock
}

describe('appending to an event file', () => {
  it('appends one element, with a file mode for the owner only', async () => {
    const file = fileIn(join(folderWith(), 'deep', 'er'))
    await append(file, '{"n":1}')
    await append(file, '{\n  "n": 2\r\n}\n')
    expect(contentOf(file)).toEqual([{ n: 1 }, { n: 2 }])
    expect(modeOf(join(file.folder, file.name))).toBe('600')
    expect(modeOf(file.folder)).toBe('700')
    expect(modeOf(pendingOf(file))).toBe('700')
    expect(waitingIn(file)).toEqual([])
  })

  it('continues a file that another program has written, and starts a new one where it was removed', async () => {
    const file = fileIn(folderWith({ 'events.json': '[\n  {"a": [1, "],"]},\n  2\n]' }))
    await append(file, '3')
    expect(contentOf(file)).toEqual([{ a: [1, '],'] }, 2, 3])
    writeFileSync(join(file.folder, file.name), '[]')
    await append(file, '4')
    expect(contentOf(file)).toEqual([4])
    rmSync(join(file.folder, file.name))
    expect(await append(file, '5')).toEqual({ waitsBecause: undefined, notes: [] })
    expect(contentOf(file)).toEqual([5])
  })

  it('drops the oldest when the file is full, and reports how many', async () => {
    const file = fileIn(folderWith(), { bytesMax: 1000 })
    const notes: string[] = []
    // oxlint-disable-next-line no-await-in-loop -- in order
    for (let n = 0; n < 100; n += 1) notes.push(...(await append(file, `{"n":${n},"x":"${'x'.repeat(20)}"}`)).notes)
    const content = contentOf(file) as readonly { readonly n: number }[]
    expect(statSync(join(file.folder, file.name)).size).toBeLessThanOrEqual(1000)
    expect(content.map(({ n }) => n)).toEqual(Array.from(content, (_, index) => 100 - content.length + index))
    const dropped = notes.map((note) => Number(/the oldest (\d+) events/.exec(note)?.[1] ?? Number.NaN))
    expect(dropped.reduce((sum, one) => sum + one, 0) + content.length).toBe(100)
  })

  it('keeps an event in its own file while the lock is held; the next writer merges it in order', async () => {
    const file = fileIn(folderWith(), { waitMs: 50 })
    const unlock = holdLock(file)
    expect((await append(file, '1')).waitsBecause).toContain('50 ms')
    expect((await append(file, '2')).waitsBecause).toBeDefined()
    expect(existsSync(join(file.folder, file.name))).toBe(false)
    unlock()
    expect((await append(file, '3')).waitsBecause).toBeUndefined()
    expect(contentOf(file)).toEqual([1, 2, 3])
    expect(waitingIn(file)).toEqual([])
  })

  it('merges as much as fits at a time, so that a late writer finds its own event in the file', async () => {
    const file = fileIn(folderWith(), { bytesMax: 200, waitMs: 0 })
    const unlock = holdLock(file)
    // oxlint-disable-next-line no-await-in-loop -- in order
    for (let n = 0; n < 20; n += 1) await append(file, `"${'x'.repeat(30)}${n}"`)
    unlock()
    await append(file, '"last"')
    expect(waitingIn(file)).toEqual([])
    expect(contentOf(file)).toContain('last')
    expect(statSync(join(file.folder, file.name)).size).toBeLessThanOrEqual(200)
  })

  it('rejects an event where too many are pending', async () => {
    const file = fileIn(folderWith(), { waitMs: 0 })
    holdLock(file)
    for (let n = 0; n < bridgePendingMax; n += 1) {
      writeFileSync(join(pendingOf(file), `${String(n).padStart(17, '0')}-${'0'.repeat(20)}.json`), '1')
    }
    await expect(append(file, '2')).rejects.toThrow(`${bridgePendingMax} events are already waiting`)
    expect(waitingIn(file)).toHaveLength(bridgePendingMax)
  })

  it('rejects an event where the pending ones take too much space', async () => {
    const file = fileIn(folderWith(), { waitMs: 0 })
    holdLock(file)
    const waiting = join(pendingOf(file), `${'0'.repeat(17)}-${'0'.repeat(20)}.json`)
    writeFileSync(waiting, '')
    truncateSync(waiting, bridgePendingBytesMax)
    await expect(append(file, '2')).rejects.toThrow('1 events are already waiting')
    expect(waitingIn(file)).toHaveLength(1)
  })

  it('rejects a shared folder, and removes others’ write permission from its own', async () => {
    const shared = folderWith()
    chmodSync(shared, 0o1777)
    await expect(append(fileIn(shared), '1')).rejects.toThrow('shared between users')
    const open = folderWith()
    chmodSync(open, 0o777)
    await append(fileIn(open), '1')
    expect(modeOf(open)).toBe('755')
  })
})

describe('after a writer was killed', () => {
  const entry = (n: number) => `${String(n).padStart(17, '0')}-${'0'.repeat(20)}.json`

  it('before the new file was in place, its events are merged', async () => {
    const file = fileIn(folderWith())
    await append(file, '1')
    writeFileSync(join(pendingOf(file), entry(1)), '2')
    writeFileSync(join(pendingOf(file), 'next'), '[\n1,\n2')
    writeFileSync(join(pendingOf(file), 'last-commit'), JSON.stringify({ names: [entry(1)], signature: 'x' }))
    await append(file, '3')
    expect(contentOf(file)).toEqual([1, 2, 3])
    expect(existsSync(join(pendingOf(file), 'next'))).toBe(false)
  })

  it('after the new file was in place, its events are not merged twice', async () => {
    const file = fileIn(folderWith())
    await append(file, '1')
    await append(file, '2')
    const { names } = JSON.parse(readFileSync(join(pendingOf(file), 'last-commit'), 'utf8')) as { names: string[] }
    writeFileSync(join(pendingOf(file), names[0] ?? ''), '2')
    await append(file, '3')
    expect(contentOf(file)).toEqual([1, 2, 3])
  })

  it('while it wrote its journal, its events are merged', async () => {
    const file = fileIn(folderWith())
    await append(file, '1')
    writeFileSync(join(pendingOf(file), entry(1)), '2')
    writeFileSync(join(pendingOf(file), 'last-commit'), `{"names":["${entry(1)}"],"sig`)
    await append(file, '3')
    expect(contentOf(file)).toEqual([1, 2, 3])
  })

  it('before its event was complete, its draft is removed once no process can be writing it', async () => {
    const file = fileIn(folderWith())
    mkdirSync(pendingOf(file), { mode: 0o700 })
    const [old, young] = [`${entry(1)}.part`, `${entry(2)}.part`]
    for (const name of [old, young]) writeFileSync(join(pendingOf(file), name), '{"half')
    const longAgo = new Date(Date.now() - bridgeDraftMsMax - 1000)
    utimesSync(join(pendingOf(file), old), longAgo, longAgo)
    await append(file, '1')
    expect(contentOf(file)).toEqual([1])
    expect(readdirSync(pendingOf(file)).filter((name) => name.endsWith('.part'))).toEqual([young])
  })

  it('a torn event of a power cut is set aside, and the others are merged', async () => {
    const file = fileIn(folderWith())
    mkdirSync(pendingOf(file), { mode: 0o700 })
    writeFileSync(join(pendingOf(file), entry(1)), '{"torn":')
    writeFileSync(join(pendingOf(file), entry(2)), '2')
    const { notes } = await append(file, '3')
    expect(contentOf(file)).toEqual([2, 3])
    expect(readFileSync(join(file.folder, `${entry(1)}.set-aside`), 'utf8')).toBe('{"torn":')
    expect(notes.join()).toContain(entry(1))
  })
})
