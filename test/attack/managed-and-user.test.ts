import * as fc from 'fast-check'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type RecordEntry, RecordLevel, usualRecord } from '../../src/model/record-settings.ts'
import { isSelfProtection } from '../../src/model/rule.ts'
import { placesFor, problemText, readRules } from '../../src/rules/index.ts'
import { merge } from '../../src/rules/merge.ts'
import { policyText } from '../support/policies.ts'
import { testPolicies } from '../support/sandbox.ts'
import { folderWith, rulesWith } from '../support/workspace.ts'

// Where there is a managed file, whatever it holds, a user's own file takes nothing from what it counts on: that calls of
// the agent are kept from hookgate itself, and that decisions are recorded.

const usersFile = 'home/.config/hookgate/hooks.json'
const preset = { preset: 'recommended' }

async function inForce(files: Parameters<typeof folderWith>[0]) {
  const folder = folderWith({ 'home/x': '', 'work/x': '', 'state/x': '', ...files })
  const places = placesFor({
    home: join(folder, 'home'),
    managedFolder: join(folder, 'managed'),
    stateFolder: join(folder, 'state'),
    env: {},
    cwd: folder,
  })
  const { ruleSet, problems } = await readRules(places, [join(folder, 'work')], testPolicies())
  return {
    isProtected: ruleSet.rules.some(isSelfProtection),
    record: ruleSet.record,
    exported: ruleSet.export,
    rules: ruleSet.rules.filter((rule) => !isSelfProtection(rule)),
    problems: problems.map((one) => `${one.severity}: ${problemText(one)}`.replaceAll(`${folder}/`, '')),
  }
}

const managed: readonly (readonly [string, Parameters<typeof folderWith>[0]])[] = [
  ['only a preset', { 'managed/hooks.json': { json: preset } }],
  ['no rules', { 'managed/hooks.json': { json: { hooks: {} } } }],
  [
    'only an exception',
    { 'managed/hooks.json': { json: { exceptions: [{ rule: 'git-safety/*', command: 'git push' }] } } },
  ],
  ['only a hook', { 'managed/hooks.json': rulesWith('PreToolUse', 'true') }],
  ['only permissions', { 'managed/hooks.json': { json: { permissions: { deny: ['WebFetch'] } } } }],
  ['rules that only observe', { 'managed/hooks.json': { json: { ...preset, mode: 'observe' } } }],
  ['only a folder of policies', { 'managed/policies/a.policy.ts': policyText('a') }],
]

describe('with a managed file that has', () => {
  it.each(managed)('%s, a user cannot switch self-protection or the record off', async (_, files) => {
    const json = { selfProtection: false, record: 'off' }
    const { isProtected, record, problems } = await inForce({ ...files, [usersFile]: { json } })
    expect(isProtected).toBe(true)
    expect(record).toEqual(usualRecord)
    expect(problems.filter((one) => one.includes(usersFile))).toEqual([
      `warning: ${usersFile}:2:3: \`selfProtection\` does not count here: there is a managed file, and this loosens it; remove it, or have an administrator put \`"userMaySet": ["selfProtection"]\` into the managed hooks.json`,
      `warning: ${usersFile}:3:3: \`record\` does not count here: there is a managed file, and this loosens it; remove it, or have an administrator put \`"userMaySet": ["record"]\` into the managed hooks.json`,
    ])
  })

  const looser: readonly RecordEntry[] = [
    'decisions',
    { level: 'off' },
    { level: 'decisions', days: 3650 },
    { days: 1 },
    { megabytes: 1 },
    { level: 'all', days: 1, megabytes: 1 },
  ]
  it.each(looser.map((record) => [JSON.stringify(record), record] as const))(
    'only a preset, a user’s record cannot be less than the usual one: %s',
    async (_, record) => {
      const now = (await inForce({ 'managed/hooks.json': { json: preset }, [usersFile]: { json: { record } } })).record
      expect(RecordLevel.options.indexOf(now.level)).toBe(0)
      expect(now.days).toBeGreaterThanOrEqual(usualRecord.days)
      expect(now.megabytes).toBeGreaterThanOrEqual(usualRecord.megabytes)
    },
  )

  it('a record of its own, that counts, and a user may keep what it does not name for longer', async () => {
    const files = {
      'managed/hooks.json': { json: { record: { level: 'decisions', days: 7 } } },
      [usersFile]: { json: { record: { level: 'off', days: 3000, megabytes: 90_000 } } },
    }
    expect((await inForce(files)).record).toEqual({ level: 'decisions', days: 7, megabytes: 90_000 })
  })

  it('an export, the user’s does not replace it; without one, the user’s own is added', async () => {
    const own = { export: { file: '/tmp/own.jsonl' } }
    const others = { export: { file: '/var/log/all.jsonl' } }
    const user = { [usersFile]: { json: own } }
    expect((await inForce({ 'managed/hooks.json': { json: others }, ...user })).exported).toEqual(others.export)
    expect((await inForce({ 'managed/hooks.json': { json: preset }, ...user })).exported).toEqual(own.export)
  })

  it('a preset, a user’s other keys neither remove its rules nor keep them from counting', async () => {
    const only = await inForce({ 'managed/hooks.json': { json: preset } })
    const packs = ['git-safety', 'destructive', 'secrets'].map((pack) => ({ pack, disable: ['*'], mode: 'observe' }))
    const json = { disableAllHooks: true, mode: 'observe', packs, exceptions: [{ rule: '*/*', command: 'git push' }] }
    const { rules } = await inForce({ 'managed/hooks.json': { json: preset }, [usersFile]: { json } })
    const shown = (all: typeof rules) => all.map(({ id, mode, onFailure }) => [id, mode, onFailure])
    expect(shown(rules)).toEqual(shown(only.rules))
  })
})

describe('a managed file may allow it', () => {
  const json = { selfProtection: false, record: 'off' }

  it.each([
    [['selfProtection', 'record'], false, 'off'],
    [['selfProtection'], false, 'all'],
    [['record'], true, 'off'],
    [[], true, 'all'],
  ] as const)('%j', async (userMaySet, isProtected, level) => {
    const files = { 'managed/hooks.json': { json: { ...preset, userMaySet } }, [usersFile]: { json } }
    expect(await inForce(files)).toMatchObject({ isProtected, record: { level } })
  })

  it('and what it sets itself still counts', async () => {
    const own = { selfProtection: true, record: 'decisions', userMaySet: ['selfProtection', 'record'] }
    const files = { 'managed/hooks.json': { json: own }, [usersFile]: { json } }
    expect(await inForce(files)).toMatchObject({ isProtected: true, record: { level: 'decisions' } })
  })

  it.each([usersFile, 'work/.hookgate/hooks.json'])('but not %s', async (file) => {
    const { problems } = await inForce({ [file]: { json: { userMaySet: ['record'], hooks: {} } } })
    expect(problems).toEqual([
      `error: ${file}:2:3: only the managed hooks.json may set \`userMaySet\`; remove it here, or have an administrator put it into the managed hooks.json`,
    ])
  })
})

it('without a managed file a user decides', async () => {
  const files = { [usersFile]: { json: { selfProtection: false, record: 'off' } } }
  expect(await inForce(files)).toMatchObject({ isProtected: false, record: { level: 'off' }, problems: [] })
})

it('no record of a user is less than without the user’s file, whatever the managed file says', () => {
  const level = fc.constantFrom(...RecordLevel.options)
  const days = fc.integer({ min: 1, max: 3650 })
  const megabytes = fc.integer({ min: 1, max: 100_000 })
  const entry = fc.oneof(level, fc.record({ level, days, megabytes }, { requiredKeys: [] }))
  const source = (scope: 'managed' | 'user', record: RecordEntry | undefined) => ({
    source: { id: `${scope}:hooks.json`, scope, file: `/${scope}`, workspaceRoot: undefined, pluginRoot: undefined },
    rules: [],
    exceptions: [],
    notes: [],
    asking: [],
    disableAllHooks: false,
    trusted: true,
    record,
  })
  fc.assert(
    fc.property(fc.option(entry, { nil: undefined }), entry, fc.boolean(), (managers, users, isFirst) => {
      const above = source('managed', managers)
      const both = [above, source('user', users)]
      const without = merge([above], 'both').record
      const now = merge(isFirst ? both : both.toReversed(), 'both').record
      expect(RecordLevel.options.indexOf(now.level)).toBeLessThanOrEqual(RecordLevel.options.indexOf(without.level))
      expect(now.days).toBeGreaterThanOrEqual(without.days)
      expect(now.megabytes).toBeGreaterThanOrEqual(without.megabytes)
    }),
  )
})
