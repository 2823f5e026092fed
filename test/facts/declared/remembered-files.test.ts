import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openFacts } from '../../../src/facts/index.ts'
import { isMissing, placeIn } from '../../../src/facts/declared/inside.ts'
import {
  rememberFiles,
  factsRememberedMax,
  factsRememberedBytesMax,
} from '../../../src/facts/declared/remembered-files.ts'
import { limits } from '../../../src/model/limits.ts'
import { folderWith } from '../../support/workspace.ts'

/** Waits until a file just written counts as old. */
const settle = () => sleep(limits.rulesSettleMs + 100)

/** Reads files by name; a cached file returns the identical content object. */
function readerOf(root: string) {
  const files = rememberFiles()
  return (name: string) => {
    const place = placeIn(root, name)
    if (isMissing(place)) throw new Error(place.missing)
    return files.snapshot().read(place)
  }
}

describe('a file', () => {
  it('is read once as long as it does not change, and again when it has', async () => {
    const root = folderWith({ 'a.json': '[1]' })
    const read = readerOf(root)
    await settle()
    const first = await read('a.json')
    expect(await read('a.json')).toBe(first)
    writeFileSync(join(root, 'a.json'), '[2]')
    const second = await read('a.json')
    expect(second).not.toBe(first)
    expect(second).toMatchObject({ bytes: Buffer.from('[2]') })
  })

  it('that has just changed never counts as unchanged, since its timestamp may still be the same', async () => {
    const read = readerOf(folderWith({ a: 'text' }))
    expect(await read('a')).not.toBe(await read('a'))
  })

  it('is read once for one set of facts, so that they agree', async () => {
    const root = folderWith({ a: 'text' })
    const place = placeIn(root, 'a')
    if (isMissing(place)) throw new Error(place.missing)
    const snapshot = rememberFiles().snapshot()
    expect(await snapshot.read(place)).toBe(await snapshot.read(place))
  })

  it('is cached for the root that it was read in, not for a root within', async () => {
    const root = folderWith({ secret: 'text', 'in/b': '' })
    symlinkSync('../secret', join(root, 'in/a'))
    const facts = openFacts({ env: {} })
    const ask = async (from: string, text: string) =>
      (await facts.gather([{ declaration: { text }, root: from, trusted: false }]))[0]
    await settle()
    expect(await ask(root, 'in/a')).toEqual({ value: 'text' })
    expect(await ask(join(root, 'in'), 'a')).toEqual({ missing: '`a` cannot be followed within the workspace' })
  })
})

describe('the cache', () => {
  it('keeps the most recently used files, up to their maximum number', async () => {
    const names = Array.from({ length: factsRememberedMax + 1 }, (_, index) => `f${index}`)
    const read = readerOf(folderWith(Object.fromEntries(names.map((name) => [name, name]))))
    await settle()
    const most = names.slice(0, -1)
    const before = []
    // oxlint-disable-next-line no-await-in-loop -- in the order of their use
    for (const name of most) before.push(await read(name))
    expect(await read('f0')).toBe(before[0])
    await read(names.at(-1) ?? '')
    expect(await read('f0')).toBe(before[0])
    expect(await read('f2')).toBe(before[2])
    expect(await read('f1')).not.toBe(before[1])
  })

  it('keeps no more than its maximum size', async () => {
    const size = limits.factBytesMax
    const names = Array.from({ length: factsRememberedBytesMax / size + 1 }, (_, index) => `f${index}`)
    const read = readerOf(folderWith(Object.fromEntries(names.map((name) => [name, 'x'.repeat(size)]))))
    await settle()
    const before = []
    // oxlint-disable-next-line no-await-in-loop -- in the order of their use
    for (const name of names) before.push(await read(name))
    expect(await read('f1')).toBe(before[1])
    expect(await read(names.at(-1) ?? '')).toBe(before.at(-1))
    expect(await read('f0')).not.toBe(before[0])
  })
})
