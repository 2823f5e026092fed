import { chmodSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Grant } from '../../src/model/refusal.ts'
import { openRefusals, openSealedStore } from '../../src/files/state/refusals.ts'
import { personWith } from '../support/refused.ts'
import { writeFiles } from '../support/workspace.ts'

const push = 'git push --force origin main'

/** A person whose agent was refused, and the grant that would let the call through. */
async function refusedPerson() {
  const person = personWith()
  const { id } = await person.call(push)
  const folder = join(person.state, 'refusals')
  const refusals = openRefusals(folder)
  const kept = refusals.find(id)
  if (kept === undefined) throw new Error('it is not kept')
  const rules = kept.rules.map((rule) => rule.id)
  const grant: Grant = { kind: 'once', id, call: kept.call, rules, endsAtMs: Date.now() + 60_000 }
  return { ...person, id, kept, folder, refusals, grant }
}

describe('nobody but the person grants anything', () => {
  it('not a project, whatever files it has', async () => {
    const { call, cwd, grant } = await refusedPerson()
    const places = ['.hookgate/refusals/granted/x', '.hookgate/granted/x', 'refusals/granted/x', 'granted/x']
    writeFiles(cwd, Object.fromEntries(places.map((place) => [place, { json: grant }])))
    expect((await call(push)).decision).toBe('deny')
  })

  it('not a file that others can read, as one from an archive or a repository is', async () => {
    const { call, folder, refusals, grant } = await refusedPerson()
    refusals.grant(grant)
    const [name = ''] = readdirSync(join(folder, 'granted'))
    chmodSync(join(folder, 'granted', name), 0o644)
    expect((await call(push)).decision).toBe('deny')
  })

  it('not through a link in the place of the folder, which is neither read nor written', async () => {
    const { call, allow, folder, refusals, grant, cwd } = await refusedPerson()
    refusals.grant(grant)
    const moved = join(cwd, 'moved')
    renameSync(folder, moved)
    symlinkSync(moved, folder)
    const before = readdirSync(join(moved, 'kept'))
    expect(await call(push)).toMatchObject({ decision: 'deny', id: '' })
    expect(readdirSync(join(moved, 'kept'))).toEqual(before)
    expect((await allow()).stdout).toContain('no refusal')
  })

  it('not through a folder that other users can write to', async () => {
    const { call, folder, refusals, grant } = await refusedPerson()
    refusals.grant(grant)
    chmodSync(folder, 0o777)
    expect(await call(push)).toMatchObject({ decision: 'deny', id: '' })
  })

  it.each<[string, Partial<Grant>]>([
    ['that is over', { endsAtMs: Date.now() - 1 }],
    ['for another call', { call: '0'.repeat(64) }],
    ['for another rule', { rules: ['user:hooks.json#permissions.ask'] }],
    ['for every rule', { rules: ['*'] }],
  ])('not with a grant %s', async (_, change) => {
    const { call, refusals, grant } = await refusedPerson()
    refusals.grant({ ...grant, ...change } as Grant)
    expect((await call(push)).decision).toBe('deny')
  })

  it('not with a grant of a session for a pattern that is too wide, or for another session', async () => {
    const { call, refusals, kept, grant } = await refusedPerson()
    const { endsAtMs } = grant
    const exception = { rule: '*', command: 'git **', project: kept.project }
    refusals.grant({ kind: 'session', id: 'a', session: 's', exceptions: [exception], endsAtMs })
    const own = kept.rules.flatMap(({ exceptions = [] }) => exceptions)
    refusals.grant({ kind: 'session', id: 'b', session: '', exceptions: own, endsAtMs })
    expect((await call(push)).decision).toBe('deny')
  })

  it('not with a grant that was used, even if its file comes back', async () => {
    const { call, folder, allowAsked, id } = await refusedPerson()
    await allowAsked([], id, '--once')
    const granted = join(folder, 'granted')
    const [name = ''] = readdirSync(granted)
    expect((await call(push)).decision).toBe('abstain')
    expect(readdirSync(granted)).toEqual([])
    mkdirSync(join(granted, name))
    expect((await call(push)).decision).toBe('deny')
  })

  it.each(['', '../granted/x', '*', 'KEPT', '%00', '-'])('not with %j in place of an id', async (id) => {
    const { allowAsked, call } = await refusedPerson()
    const { exitCode, stderr } = await allowAsked(['o', 'y'], '--once', '--', id)
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('has the id')])
    expect((await call(push)).decision).toBe('deny')
  })
})

describe('a kept refusal is data', () => {
  it('whose control characters arrive as text, whoever wrote it', async () => {
    const { allow, allowAsked, folder, kept, id } = await refusedPerson()
    const evil = '\u001b[2J\u009b31m\u0007\u202e\r'
    const rules = kept.rules.map((rule) =>
      Object.assign({}, rule, {
        name: evil,
        reason: evil,
        file: evil,
        exceptions: [{ rule: evil, command: evil, project: evil }],
      }),
    )
    const hostile = { ...kept, subject: evil, agent: evil, session: evil, project: evil, toolName: evil, rules }
    // By somebody who has read the key of the seals.
    openSealedStore({ folder, name: 'kept', entriesMax: 200, msMax: Infinity }).set(id, JSON.stringify(hostile))
    const outputs = [
      await allow(),
      await allow(id, '--dry-run'),
      await allow(id, '--session', '--dry-run'),
      await allow('zz'),
    ]
    const asked = await allowAsked([''], id)
    const texts = outputs.flatMap(({ stdout, stderr }) => [stdout, stderr]).concat(asked.questions, asked.stdout)
    expect(texts.join('')).toContain('\\x1b[2J')
    // oxlint-disable-next-line no-control-regex -- they are what must not be there
    expect(texts.join('')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  })

  it('and one that is malformed, or of another version, is passed over', async () => {
    const { allow, folder, kept } = await refusedPerson()
    const texts = ['', '{', '[]', 'null', JSON.stringify({ ...kept, version: 2 }), 'x'.repeat(100_000)]
    for (const [at, text] of texts.entries()) writeFileSync(join(folder, 'kept', `f${at}`), text, { mode: 0o600 })
    const { stdout, exitCode } = await allow()
    expect([exitCode, stdout.trim().split('\n').length]).toEqual([0, 1])
  })
})
