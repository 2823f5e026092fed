import { chmodSync, mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { HookgateError } from '../../src/model/errors.ts'
import { limits } from '../../src/model/limits.ts'
import { openRuleCache, revokeTrust, type RulesOptions, trustWorkspace } from '../../src/rules/index.ts'
import { policyText } from '../support/policies.ts'
import { testPolicies } from '../support/sandbox.ts'
import { folderWith, rulesWith, writeFiles } from '../support/workspace.ts'

/** Opens a gate's rules for one workspace. */
function opened(files: Parameters<typeof folderWith>[0], more: RulesOptions = {}) {
  const folder = folderWith({ 'home/x': '', 'work/.git/HEAD': '', ...files })
  const options: RulesOptions = {
    home: join(folder, 'home'),
    managedFolder: join(folder, 'managed'),
    env: {},
    cwd: folder,
    ...more,
  }
  const book = openRuleCache(options, testPolicies())
  const work = join(folder, 'work')
  return {
    folder,
    work,
    options,
    book,
    // Synchronous where possible, so it may throw instead of rejecting.
    rules: async () => book.rulesFor([work]),
    ids: async () => (await book.rulesFor([work])).rules.map(({ id }) => id),
  }
}

const stale = () => sleep(limits.rulesFreshMs + 20)
const first = '#PreToolUse[0].hooks[0]'
const rules = rulesWith('PreToolUse', 'true')

async function errorOf(call: () => Promise<unknown>): Promise<HookgateError> {
  try {
    await call()
  } catch (error) {
    if (error instanceof HookgateError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('the rules in force', () => {
  it('are read once, and are the same object while their files are unchanged', async () => {
    const { work, rules: current } = opened({ 'work/.hookgate/hooks.json': rules })
    const old = new Date(Date.now() - 60_000)
    utimesSync(join(work, '.hookgate/hooks.json'), old, old)
    await sleep(limits.rulesSettleMs + 50)
    await stale()
    const before = await current()
    expect(before.rules).toHaveLength(1)
    await stale()
    expect(await current()).toBe(before)
  })

  it('follow files that appear, change and disappear', async () => {
    const { work, ids } = opened({})
    expect(await ids()).toEqual([])
    writeFiles(work, { '.hookgate/hooks.json': rules })
    await stale()
    expect(await ids()).toEqual([`project:hooks.json${first}`])
    writeFiles(work, {
      '.hookgate/hooks.json': rulesWith('Stop', 'true'),
      '.clinerules/hooks/PreToolUse': { script: '#!/bin/sh\n' },
    })
    await stale()
    expect(await ids()).toEqual(['project:hooks.json#Stop[0].hooks[0]', 'project:.clinerules/hooks/PreToolUse'])
    chmodSync(join(work, '.clinerules/hooks/PreToolUse'), 0o644)
    await stale()
    expect(await ids()).toEqual(['project:hooks.json#Stop[0].hooks[0]'])
    rmSync(join(work, '.hookgate'), { recursive: true })
    await stale()
    expect(await ids()).toEqual([])
  })

  it('follow a change that keeps size and times', async () => {
    const { work, ids } = opened({ 'work/.hookgate/hooks.json': rules })
    const file = join(work, '.hookgate/hooks.json')
    const { atime, mtime } = statSync(file)
    expect(await ids()).toEqual([`project:hooks.json${first}`])
    writeFiles(work, { '.hookgate/hooks.json': rulesWith('PreCompact', 'true') })
    utimesSync(file, atime, mtime)
    await stale()
    expect(await ids()).toEqual(['project:hooks.json#PreCompact[0].hooks[0]'])
  })

  it.each([
    ['a hook of Cline', { 'named/PreToolUse': { script: '#!/bin/sh\n' } }, 'explicit:named/PreToolUse'],
    ['its first policy', { 'named/x.policy.ts': policyText('x') }, 'explicit:named#x'],
  ])('follow an explicit folder that gets %s', async (_, more, id) => {
    const explicit = ['named']
    const { folder, ids } = opened({ 'named/hooks.json': rules }, { explicit })
    await sleep(limits.rulesSettleMs + 50)
    // Old files are read again only after a change.
    const [known] = await ids()
    await stale()
    expect(await ids()).toEqual([`explicit:named/hooks.json${first}`])
    writeFiles(folder, more)
    await stale()
    expect(await ids()).toEqual([known, id])
  })

  it('are read again while their files are young: two writes within a clock tick look the same', async () => {
    const { rules: current } = opened({ 'work/.hookgate/hooks.json': rules })
    const before = await current()
    expect(await current()).toBe(before)
    await stale()
    expect(await current()).not.toBe(before)
    expect(await current()).toEqual(before)
  })

  it('follow the scripts that are pinned, and the pins', async () => {
    const {
      work,
      options,
      rules: current,
    } = opened({ 'work/.hookgate/hooks.json': rulesWith('PreToolUse', './guard.sh'), 'work/guard.sh': 'one' })
    const untrustedReason = async () => (await current()).rules[0]?.untrustedReason
    expect(await untrustedReason()).toMatch('is not trusted')
    await trustWorkspace(work, options, testPolicies())
    await stale()
    expect(await untrustedReason()).toBeUndefined()
    writeFileSync(join(work, 'guard.sh'), 'two')
    await stale()
    expect(await untrustedReason()).toMatch('`guard.sh` has changed')
  })

  it("are each workspace's own", async () => {
    const { folder, options } = opened({ 'work/.hookgate/hooks.json': rules, 'other/.git/HEAD': '' })
    const book = openRuleCache(options, testPolicies())
    expect((await book.rulesFor([join(folder, 'work')])).rules).toHaveLength(1)
    expect((await book.rulesFor([join(folder, 'other')])).rules).toHaveLength(0)
    expect((await book.rulesFor([])).rules).toHaveLength(0)
    expect((await book.rulesFor([join(folder, 'other'), join(folder, 'work')])).rules).toHaveLength(1)
  })

  it('stay correct when there have been more workspaces than the cache keeps', async () => {
    const { folder, options } = opened({ 'work/.hookgate/hooks.json': rules })
    const book = openRuleCache(options, testPolicies())
    const others = Array.from({ length: limits.ruleSetsCachedMax + 1 }, async (_, n) =>
      book.rulesFor([join(folder, `w${n}`)]),
    )
    for (const { rules: none } of await Promise.all(others)) expect(none).toEqual([])
    expect((await book.rulesFor([join(folder, 'work')])).rules).toHaveLength(1)
  })
})

describe('a file that is malformed or cannot be read', () => {
  const broken = '{"hooks": {"PreToolUse": [{"hooks": [{"type": "comand"}]}], "Stopp": []}}'

  it('never counts as a file without rules: every event is refused until it is fixed', async () => {
    const { work, rules: current, ids } = opened({ 'work/.hookgate/hooks.json': broken })
    const errors = [await errorOf(current), await errorOf(current)]
    await stale()
    errors.push(await errorOf(current))
    for (const error of errors) {
      expect(error).toMatchObject({
        code: 'rulesMalformed',
        message:
          '`type` must be `command`, `policy` or `authzen`, not `comand` (and 1 more, which `hookgate check` lists)',
        place: { file: join(work, '.hookgate/hooks.json'), line: 1, column: 47 },
        remedy: 'did you mean `command`?',
      })
    }
    writeFiles(work, { '.hookgate/hooks.json': rules })
    await stale()
    expect(await ids()).toHaveLength(1)
  })

  it('leaves the former rules in force, with a warning for each mistake, until it is fixed', async () => {
    const { work, rules: current } = opened({ 'work/.hookgate/hooks.json': rules })
    const before = await current()
    expect(before.alarms).toEqual([])
    writeFiles(work, { '.hookgate/hooks.json': broken })
    await stale()
    const meanwhile = await current()
    expect(meanwhile.rules.map(({ id }) => id)).toEqual(before.rules.map(({ id }) => id))
    const file = join(work, '.hookgate/hooks.json')
    const since = / the rules as of \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ stay in force$/
    expect(meanwhile.alarms).toEqual([expect.stringMatching(since), expect.stringMatching(since)])
    expect(meanwhile.alarms[0]).toMatch(
      `the rules do not load: ${file}:1:47: \`type\` must be \`command\`, \`policy\` or \`authzen\`, not \`comand\`; did you mean`,
    )
    await stale()
    expect((await current()).alarms).toHaveLength(2)
    writeFiles(work, { '.hookgate/hooks.json': rulesWith('Stop', 'true') })
    await stale()
    expect(await current()).toMatchObject({ alarms: [], rules: [{ match: { spelled: 'Stop' } }] })
  })

  it('does not keep a changed script trusted while older rules are in force', async () => {
    const guard = { 'work/.hookgate/hooks.json': rulesWith('PreToolUse', './guard.sh'), 'work/guard.sh': 'one' }
    const { work, options, rules: current } = opened(guard)
    await trustWorkspace(work, options, testPolicies())
    expect((await current()).rules[0]?.untrustedReason).toBeUndefined()
    writeFiles(work, { '.hookgate/hooks.json': broken, 'guard.sh': 'two' })
    await stale()
    expect((await current()).rules[0]?.untrustedReason).toMatch(/has changed since it was trusted/)
  })

  it('leaves trusted rules trusted, since the pinned content is in force', async () => {
    const {
      work,
      options,
      rules: current,
    } = opened({
      'work/.hookgate/hooks.json': rulesWith('PreToolUse', './guard.sh'),
      'work/guard.sh': 'one',
      'work/.hookgate/policies/a.policy.ts': policyText('a'),
    })
    await trustWorkspace(work, options, testPolicies())
    const untrustedReasons = async () => (await current()).rules.map(({ untrustedReason }) => untrustedReason)
    expect(await untrustedReasons()).toEqual([undefined, undefined])
    writeFiles(work, { '.hookgate/hooks.json': broken, '.hookgate/policies/a.policy.ts': policyText('other') })
    await stale()
    expect(await untrustedReasons()).toEqual([undefined, undefined])
    expect((await current()).alarms[0]).toMatch(/ stay in force$/)
    revokeTrust(work, options)
    await stale()
    expect(await untrustedReasons()).toEqual([
      expect.stringContaining('which is not trusted'),
      expect.stringContaining('which is not trusted'),
    ])
  })

  it('does not trust rules that were untrusted when they were read', async () => {
    const { work, options, rules: current } = opened({ 'work/.hookgate/hooks.json': rulesWith('PreToolUse', 'true') })
    await trustWorkspace(work, options, testPolicies())
    writeFiles(work, { '.hookgate/hooks.json': rulesWith('PreToolUse', 'exit 2') })
    expect((await current()).rules[0]?.untrustedReason).toMatch(
      /`.hookgate\/hooks.json` has changed since it was trusted/,
    )
    writeFiles(work, { '.hookgate/hooks.json': broken })
    await stale()
    expect((await current()).rules[0]?.untrustedReason).toMatch(
      /`.hookgate\/hooks.json` has changed since it was trusted/,
    )
  })

  it('refuses despite all other rules', async () => {
    const { rules: current } = opened({ 'home/.cline/hooks.json': rules, 'managed/hooks.json': '[]' })
    expect((await errorOf(current)).message).toBe('the file must be an object, not an array')
  })

  it('refuses if an explicit path does not exist', async () => {
    const { rules: current } = opened({}, { explicit: ['none.json'] })
    expect(await errorOf(current)).toMatchObject({
      code: 'rulesMalformed',
      message: 'the rules file does not exist',
    })
  })

  it('refuses if it is a folder', async () => {
    const { folder, rules: current } = opened({})
    mkdirSync(join(folder, 'managed/hooks.json'), { recursive: true })
    expect((await errorOf(current)).message).toBe('the rules file cannot be read: it is a folder')
  })

  it.skipIf(process.getuid?.() === 0)('refuses if its permissions are wrong, or those of its folder', async () => {
    const { folder, rules: current } = opened({ 'managed/hooks.json': rules })
    chmodSync(join(folder, 'managed/hooks.json'), 0)
    expect((await errorOf(current)).message).toBe('the rules file cannot be read: permission is denied')
    chmodSync(join(folder, 'managed/hooks.json'), 0o600)
    chmodSync(join(folder, 'managed'), 0)
    await stale()
    expect((await errorOf(current)).message).toMatch(/^the rules file cannot be read: permission is denied\b/)
    chmodSync(join(folder, 'managed'), 0o700)
    await stale()
    expect((await current()).rules).toHaveLength(1)
  })
})
