import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openFacts } from '../../src/facts/index.ts'
import { placeIn } from '../../src/facts/inside.ts'
import { isMissing } from '../../src/facts/missing.ts'
import { rememberFiles } from '../../src/facts/remembered-files.ts'
import { limits } from '../../src/model/limits.ts'
import { folderWith } from '../support/workspace.ts'

/** Until what was just written counts as old. */
const settle = () => sleep(limits.rulesSettleMs + 100)

/** Reads files by name; the very same content comes back for what is remembered. */
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

  it('that has just changed is not taken for unchanged, however fast it changes again', async () => {
    const root = folderWith()
    const facts = openFacts({ env: {} })
    for (let round = 0; round < 300; round++) {
      writeFileSync(join(root, 'a'), String(round).padStart(4, '0'))
      // oxlint-disable-next-line no-await-in-loop -- one change after the other
      const [fact] = await facts.gather([{ declaration: { text: 'a' }, root, trusted: false }])
      expect(fact).toEqual({ value: String(round).padStart(4, '0') })
    }
  })

  it('is remembered for the root that it was read in only', async () => {
    const root = folderWith({ 'in/a': 'text', b: '' })
    const read = readerOf(root)
    const inner = readerOf(join(root, 'in'))
    await settle()
    expect(await read('in/a')).not.toBe(await inner('a'))
  })
})

describe('what is remembered', () => {
  it('is the files that were last used, as many as there is room for', async () => {
    const names = Array.from({ length: limits.factsRememberedMax + 1 }, (_, index) => `f${index}`)
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

  it('takes no more bytes than there are for it', async () => {
    const size = limits.factBytesMax
    const names = Array.from({ length: limits.factsRememberedBytesMax / size + 1 }, (_, index) => `f${index}`)
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
