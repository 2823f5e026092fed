import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { lastVerification } from '../../src/record/verification.ts'
import { openVerifier, recordVerifyMs } from '../../src/record/verifier.ts'
import { databaseWith, recordWith } from '../support/records.ts'
import { folderWith } from '../support/workspace.ts'

/** Opens a verifier that keeps what it warns of. */
function verifierOf(file: string) {
  const warned: string[] = []
  const verifier = openVerifier(file, (text) => warned.push(text))
  onTestFinished(() => verifier.close())
  return { verifier, warned }
}

const threeRows = () => databaseWith([recordWith(), recordWith(), recordWith()])

/** Resolves when another record was verified: a thread that was started before has had its time as well. */
async function anotherVerified(): Promise<void> {
  const file = threeRows()
  verifierOf(file).verifier.look()
  await expect.poll(() => lastVerification(file)).toBeDefined()
}

describe('the record', () => {
  it('is verified on a thread, and what was found is kept beside it', async () => {
    const file = threeRows()
    const { verifier, warned } = verifierOf(file)
    verifier.look()
    await expect.poll(() => lastVerification(file)).toMatchObject({ kind: 'whole', rows: 3 })
    expect(warned).toEqual([])
  })

  it('is warned about if a row was changed', async () => {
    const file = threeRows()
    const database = new DatabaseSync(file)
    database.exec("UPDATE decisions SET record = '{}' WHERE seq = 2")
    database.close()
    const { verifier, warned } = verifierOf(file)
    verifier.look()
    await expect.poll(() => warned).toEqual(['the record is not what hookgate wrote: row 2 was changed'])
    expect(lastVerification(file)).toMatchObject({ kind: 'broken', seq: 2, what: 'changed' })
  })

  it('is verified once a day, by whichever gate', async () => {
    const file = threeRows()
    const first = verifierOf(file)
    first.verifier.look()
    await expect.poll(() => lastVerification(file)).toBeDefined()
    const { at } = lastVerification(file) ?? { at: '' }
    const second = verifierOf(file)
    second.verifier.look(Date.parse(at) + recordVerifyMs - 1)
    await anotherVerified()
    expect(lastVerification(file)?.at).toBe(at)
    const third = verifierOf(file)
    third.verifier.look(Date.parse(at) + recordVerifyMs)
    await expect.poll(() => lastVerification(file)?.at).not.toBe(at)
  })

  it('that is no database is warned about once, and not again until tomorrow', async () => {
    const file = join(folderWith({ 'decisions.db': 'x'.repeat(5000) }), 'decisions.db')
    const { verifier, warned } = verifierOf(file)
    verifier.look(0)
    await expect.poll(() => warned).toEqual([expect.stringContaining('the record cannot be read')])
    verifier.look(recordVerifyMs - 1)
    await anotherVerified()
    expect(warned).toHaveLength(1)
  })

  it('is not verified where nothing was recorded', async () => {
    const file = join(folderWith(), 'decisions.db')
    const { verifier, warned } = verifierOf(file)
    verifier.look()
    await verifier.close()
    expect([existsSync(`${file}.verified`), warned]).toEqual([false, []])
  })

  it('is verified anew where what is kept of the last time cannot be read', async () => {
    const file = threeRows()
    writeFileSync(`${file}.verified`, '{"kind":"whole","at":"yesterday"}')
    const { verifier } = verifierOf(file)
    verifier.look()
    await expect.poll(() => readFileSync(`${file}.verified`, 'utf8')).toContain('"rows":3')
  })
})
