import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { checkRecord } from '../../src/install/doctor/examine.ts'
import { append, recordWith } from '../support/records.ts'
import { askHook } from '../support/ask-hook.ts'
import { residentUser } from '../support/resident.ts'

const some = (level: unknown) => ({
  'home/.config/hookgate/hooks.json': { json: { permissions: { deny: ['Bash(x)'] }, record: level } },
})

describe('`hookgate status` on the record', () => {
  it('says how many decisions are recorded since when, in how many bytes and where', async () => {
    const user = residentUser()
    mkdirSync(dirname(user.places.decisions), { mode: 0o700 })
    append(user.places.decisions, [recordWith({}, Date.UTC(2026, 8, 21)), recordWith()])
    const { stdout } = await user.cli(['status'])
    expect(stdout).toMatch(/\n {2}record {5}2 events since 2026-09-21, \d+ kB: .*decisions\.db\n/)
    expect(stdout).not.toContain('could not be recorded')
    expect(JSON.parse((await user.cli(['status', '--json'])).stdout)).toMatchObject({
      record: { level: 'all', decisions: 2, since: '2026-09-21T00:00:00.000Z', lost: 0 },
    })
  })

  it('says when its chain was last verified, and what was found, as `doctor` does', async () => {
    const user = residentUser()
    mkdirSync(dirname(user.places.decisions), { mode: 0o700 })
    append(user.places.decisions, [recordWith(), recordWith()])
    expect((await user.cli(['status'])).stdout).not.toContain('verified')
    expect(await checkRecord(installed(user))).toMatchObject([
      { state: 'ok', what: expect.stringContaining('intact, verified now: ') },
    ])
    expect((await user.cli(['status'])).stdout).toMatch(
      /\n {2}verified {3}20\d\d-\d\d-\d\d \d\d:\d\d: the chain of 2 events was intact\n/,
    )
    expect(await checkRecord(installed(user))).toMatchObject([
      { what: expect.stringMatching(/verified now, and before at 20\S+ \d\d:\d\d \(intact\): /) },
    ])
    const database = new DatabaseSync(user.places.decisions)
    database.exec('DELETE FROM decisions WHERE seq = 1')
    database.close()
    expect((await user.cli(['log', '--verify'])).stdout).toBe(
      `broken: row 1 is missing\nsomebody other than hookgate changed it: move ${user.places.decisions} away to keep it; the next decision begins a new record\n`,
    )
    expect((await user.cli(['status'])).stdout).toMatch(
      /\n {2}warning {4}the record is not what hookgate wrote: row 1 is missing, found 20.*; see `hookgate log --verify`\n/,
    )
    expect(JSON.parse((await user.cli(['status', '--json'])).stdout)).toMatchObject({
      record: { verified: { kind: 'broken', seq: 1, what: 'missing' } },
    })
  })

  it('names a damaged one that the next decision set aside, and forgets what was verified of it, as `doctor` does', async () => {
    const user = residentUser()
    mkdirSync(dirname(user.places.decisions), { mode: 0o700 })
    append(user.places.decisions, [recordWith(), recordWith()])
    await user.cli(['log', '--verify'])
    writeFileSync(user.places.decisions, 'x'.repeat(5000))
    expect((await user.cli(['status'])).stdout).toContain(
      'the record cannot be read: file is not a database; the next decision sets the file aside and begins a new one\n',
    )
    append(user.places.decisions, [recordWith()])
    const { stdout } = await user.cli(['status'])
    expect(stdout).toMatch(
      /\n {2}record {5}1 event since .*\n {2}damaged {4}\S+\.damaged-\S+ was set aside, and a new record began: delete it once you no longer need it\n/,
    )
    expect(stdout).not.toContain('verified')
    expect(await checkRecord(installed(user))).toMatchObject([
      { state: 'ok' },
      { state: 'note', what: expect.stringMatching(/^the damaged record \S+ was set aside/) },
    ])
  })

  it('says that it is off', async () => {
    const { stdout } = await residentUser(some('off')).cli(['status'])
    expect(stdout).toContain('\n  record     off\n')
  })

  it('says how many could not be recorded, although no gate is running, and so does `doctor`', async () => {
    const user = residentUser()
    mkdirSync(dirname(user.places.decisions), { mode: 0o700 })
    append(user.places.decisions, [recordWith()], {}, 7)
    const { stdout } = await user.cli(['status'])
    expect(stdout).toMatch(/\n {2}warning {4}7 decisions could not be recorded, .*; recording goes on by itself/)
    expect(await checkRecord(installed(user))).toMatchObject([
      { about: 'record', state: 'note', what: expect.stringContaining('7 decisions could not be recorded') },
    ])
  })

  it.each([
    ['as hookgate wrote it', '', 'ok', 'their chain is intact'],
    ['with a row changed', "UPDATE decisions SET record = '{}' WHERE seq = 2", 'notSafe', 'row 2 was changed'],
    ['with a row removed', 'DELETE FROM decisions WHERE seq = 1', 'notSafe', 'row 1 is missing'],
    ['with its last row removed', 'DELETE FROM decisions WHERE seq = 3', 'notSafe', 'row 3 is missing'],
    ['with its end moved', 'UPDATE chain SET head_seq = 2', 'notSafe', 'although the record ends before it'],
  ])('of a record %s is what `doctor` reports', async (_what, sql, state, said) => {
    const user = residentUser()
    mkdirSync(dirname(user.places.decisions), { mode: 0o700 })
    append(user.places.decisions, [recordWith(), recordWith(), recordWith()], {}, 0)
    const database = new DatabaseSync(user.places.decisions)
    if (sql !== '') database.exec(sql)
    database.close()
    expect(await checkRecord(installed(user))).toMatchObject([{ state, what: expect.stringContaining(said) }])
  })

  it('says why a running gate cannot record, until it can', async () => {
    const user = residentUser()
    await user.cli(['up'])
    mkdirSync(user.places.decisions)
    await askHook(user.places)
    await expect
      .poll(async () => (await user.cli(['status'])).stdout)
      .toContain('1 decision could not be recorded: it is not a regular file; ')
    expect(await checkRecord(installed(user))).toMatchObject([{ state: 'note' }])
    rmSync(user.places.decisions, { recursive: true })
    await askHook(user.places)
    await expect.poll(async () => (await user.cli(['status'])).stdout).toContain('1 event since 20')
  })

  it('says that the file is no record', async () => {
    const user = residentUser()
    mkdirSync(dirname(user.places.decisions), { mode: 0o700 })
    writeFileSync(user.places.decisions, 'x'.repeat(5000))
    expect((await user.cli(['status'])).stdout).toMatch(
      /\n {2}warning {4}.*: the record cannot be read: .*not a database/,
    )
  })
})

const installed = ({ places, env, folder }: ReturnType<typeof residentUser>) => ({
  env,
  cwd: folder,
  home: env.HOME,
  places,
  version: '1.0.0',
})
