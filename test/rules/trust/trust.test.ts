import { execFile } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { HookgateError } from '../../../src/model/errors.ts'
import { parseJsonObject } from '../../../src/model/json.ts'
import { limits } from '../../../src/model/limits.ts'
import {
  listTrust,
  placesFor,
  problemText,
  readRules,
  revokeTrust,
  type RulesOptions,
  trustWorkspace,
} from '../../../src/rules/index.ts'
import { policyRules, policyText } from '../../support/policies.ts'
import { testPolicies } from '../../support/sandbox.ts'
import { folderWith, rulesWith, writeFiles } from '../../support/workspace.ts'
import { trustFileBytesMax } from '../../../src/rules/trust/trust-store.ts'

const guard = { script: '#!/bin/sh\nexit 0\n' }
const usual = {
  'work/.git/HEAD': '',
  'work/.hookgate/hooks.json': rulesWith('PreToolUse', '"$CLAUDE_PROJECT_DIR"/.hookgate/guard.sh'),
  'work/.hookgate/guard.sh': guard,
}

/** Creates a user with a workspace. */
function user(files: Parameters<typeof folderWith>[0] = usual) {
  const folder = folderWith({ 'home/x': '', ...files })
  const work = join(folder, 'work')
  const options: RulesOptions = {
    home: join(folder, 'home'),
    managedFolder: join(folder, 'none'),
    env: {},
    cwd: folder,
    platform: 'linux',
  }
  const read = (more: RulesOptions = {}, root = work) =>
    readRules(placesFor({ ...options, ...more }), [root], testPolicies())
  return {
    folder,
    work,
    options,
    read,
    trustFile: join(folder, 'home/.config/hookgate/trust.json'),
    trust: () => trustWorkspace(work, options, testPolicies()),
    /** Returns why the only rule is untrusted. */
    untrustedReason: async (root?: string) =>
      (await read({}, root)).ruleSet.rules[0]?.untrustedReason?.replaceAll(folder, ''),
  }
}

const tick = () => new Promise<false>((resolve) => setTimeout(resolve, 1, false))
const remedy = 'review it, then run `hookgate trust /work`'

describe('a rule of a workspace', () => {
  it('is untrusted until the user trusts it, and again once that is revoked', async () => {
    const { untrustedReason, trust, work, options } = user()
    expect(await untrustedReason()).toBe(`it came with the workspace \`/work\`, which is not trusted; ${remedy}`)
    const [trusted] = await trust()
    expect(trusted).toMatchObject({ root: work, files: ['.hookgate/hooks.json', '.hookgate/guard.sh'] })
    expect(await untrustedReason()).toBeUndefined()
    expect(revokeTrust(work, options)).toBe(true)
    expect(await untrustedReason()).toMatch(/is not trusted/)
    expect(revokeTrust(work, options)).toBe(false)
  })

  it('is untrusted again once its rules file or script has changed, which is reported', async () => {
    const { untrustedReason, trust, work } = user()
    await trust()
    writeFiles(work, { '.hookgate/guard.sh': '#!/bin/sh\nexit 1\n' })
    expect(await untrustedReason()).toBe(`\`.hookgate/guard.sh\` has changed since it was trusted; ${remedy}`)
    await trust()
    expect(await untrustedReason()).toBeUndefined()
    writeFiles(work, { '.hookgate/hooks.json': rulesWith('PreToolUse', './.hookgate/guard.sh', { timeout: 1 }) })
    expect(await untrustedReason()).toBe(`\`.hookgate/hooks.json\` has changed since it was trusted; ${remedy}`)
  })

  it('is trusted again when the content is what it was', async () => {
    const { untrustedReason, trust, work } = user()
    await trust()
    writeFiles(work, { '.hookgate/guard.sh': 'something else' })
    writeFiles(work, { '.hookgate/guard.sh': guard })
    expect(await untrustedReason()).toBeUndefined()
  })

  it('is untrusted when a file that its command names appears only later', async () => {
    const { untrustedReason, trust, work } = user()
    rmSync(join(work, '.hookgate/guard.sh'))
    await trust()
    expect(await untrustedReason()).toBeUndefined()
    writeFiles(work, { '.hookgate/guard.sh': guard })
    expect(await untrustedReason()).toBe(`\`.hookgate/guard.sh\` is new since the workspace was trusted; ${remedy}`)
  })

  it('is trusted hook by hook in Cline folders, without those that are switched off', async () => {
    const { read, trust, work } = user({
      'work/.clinerules/hooks/PreToolUse': guard,
      'work/.clinerules/hooks/TaskStart': guard,
      'work/.clinerules/hooks/PostToolUse': '',
    })
    expect(await trust()).toMatchObject([{ files: ['.clinerules/hooks/PreToolUse', '.clinerules/hooks/TaskStart'] }])
    writeFiles(work, { '.clinerules/hooks/TaskStart': { script: '#!/bin/sh\necho\n' } })
    chmodSync(join(work, '.clinerules/hooks/PostToolUse'), 0o755)
    expect(
      (await read()).ruleSet.rules.map(({ id, untrustedReason }) => [
        id.split('/').at(-1),
        untrustedReason?.split(/[;:] /)[0],
      ]),
    ).toEqual([
      ['PreToolUse', undefined],
      ['PostToolUse', '`.clinerules/hooks/PostToolUse` is new since the workspace was trusted'],
      ['TaskStart', '`.clinerules/hooks/TaskStart` has changed since it was trusted'],
    ])
  })

  it('is trusted without pins where every workspace is', async () => {
    const { read } = user()
    expect((await read({ trustWorkspace: true })).ruleSet.rules[0]?.untrustedReason).toBeUndefined()
  })

  it('is trusted by its real path, whatever link leads to it', async () => {
    const { untrustedReason, trust, folder, work } = user()
    symlinkSync(work, join(folder, 'link'))
    await trust()
    expect(await untrustedReason(join(folder, 'link'))).toBeUndefined()
  })

  it('is trusted with its repository, from any folder in it', async () => {
    const { untrustedReason, work, options } = user({ ...usual, 'work/packages/one/x': '' })
    const below = join(work, 'packages/one')
    expect(await untrustedReason(below)).toBe(`it came with the workspace \`/work\`, which is not trusted; ${remedy}`)
    expect(await trustWorkspace(below, options, testPolicies())).toMatchObject([{ root: work }])
    expect(await untrustedReason(below)).toBeUndefined()
    expect(await untrustedReason()).toBeUndefined()
  })

  it('cannot switch anything off before it is trusted', async () => {
    const { read, trust } = user({
      'work/.cline/hooks.json': { json: { disableAllHooks: true } },
      'work/.clinerules/hooks/PreToolUse': guard,
    })
    expect((await read()).ruleSet.rules).toHaveLength(1)
    await trust()
    expect((await read()).ruleSet.rules).toEqual([])
  })
})

describe('a rule outside of any workspace', () => {
  it("is trusted, whether explicit or the user's own", async () => {
    const { read, work } = user({ ...usual, 'home/.cline/hooks.json': rulesWith('PreToolUse', 'true') })
    const { rules } = (await read({ explicit: [work] })).ruleSet
    expect(rules.map(({ source, untrustedReason }) => [source.scope, untrustedReason])).toEqual([
      ['explicit', undefined],
      ['user', undefined],
    ])
  })
})

describe('the files that a command names', () => {
  it.each([
    ['./guard.sh', ['guard.sh']],
    ['bash guard.sh', ['guard.sh']],
    ['"$CLAUDE_PROJECT_DIR"/guard.sh arg', ['guard.sh']],
    ['"${CLAUDE_PROJECT_DIR}/my guards/guard.sh"', ['my guards/guard.sh']],
    ['${CLAUDE_PROJECT_DIR}/my\\ guards/guard.sh', ['my guards/guard.sh']],
    ['cd "$CLAUDE_PROJECT_DIR" && . ./env.sh && ./guard.sh < config.json', ['env.sh', 'guard.sh', 'config.json']],
    ['node --import=./env.sh --require ./guard.sh', ['env.sh', 'guard.sh']],
    [`node -e "require('./guard.sh')"`, ['guard.sh']],
    ['A=./env.sh sh -c "./guard.sh"', ['env.sh', 'guard.sh']],
    ['cat missing.json ../outside.sh . my', []],
    ['sh "$PWD/guard.sh"', ['guard.sh']],
    ["sh './$PWD'", ['$PWD']],
    ['cd my\\ guards && sh "${PWD}/guard.sh"', ['my guards/guard.sh']],
    ['cd "my guards"; cd deep; ./deep.sh', ['my guards/deep/deep.sh']],
    ['cd .. && sh work/guard.sh', ['guard.sh']],
    ['cd && sh ../work/guard.sh', ['guard.sh']],
    ['sh ~/../work/guard.sh', ['guard.sh']],
    ['sh "$HOME/../work/guard.sh"', ['guard.sh']],
    ["sh -c 'sh my\\ guards/guard.sh'", ['my guards/guard.sh']],
    ['cd "$CLAUDE_PROJECT_DIR/my guards" && ./guard.sh', ['guard.sh', 'my guards/guard.sh']],
  ])('by %j', async (command, named) => {
    const { trust } = user({
      'work/.hookgate/hooks.json': rulesWith('PreToolUse', command),
      'work/guard.sh': '',
      'work/env.sh': '',
      'work/config.json': '',
      'work/my guards/guard.sh': '',
      'work/my guards/deep/deep.sh': '',
      'work/$PWD': '',
      'outside.sh': '',
    })
    expect((await trust())[0]?.files.toSorted()).toEqual(['.hookgate/hooks.json', ...named].toSorted())
  })

  it('include its arguments where there is no shell', async () => {
    const { trust } = user({
      'work/.hookgate/hooks.json': rulesWith('PreToolUse', './run', {
        args: ['${CLAUDE_PROJECT_DIR}/a b.mjs', '--config=c.json', '$HOME'],
      }),
      'work/run': '',
      'work/a b.mjs': '',
      'work/c.json': '',
    })
    expect((await trust())[0]?.files.toSorted()).toEqual(['.hookgate/hooks.json', 'a b.mjs', 'c.json', 'run'])
  })

  it('are looked up in the repository around the workspace, but no further', async () => {
    const { work, folder, options, untrustedReason } = user({
      'work/.git/HEAD': '',
      'work/tools/guard.sh': '',
      'outside.sh': '',
      'work/one/.hookgate/hooks.json': rulesWith('PreToolUse', '../tools/guard.sh ../../outside.sh'),
    })
    const one = join(work, 'one')
    expect((await trustWorkspace(one, options, testPolicies()))[0]?.files).toEqual([
      '.hookgate/hooks.json',
      join(work, 'tools/guard.sh'),
    ])
    writeFileSync(join(folder, 'outside.sh'), 'x')
    expect(await untrustedReason(one)).toBeUndefined()
    writeFileSync(join(work, 'tools/guard.sh'), 'x')
    expect(await untrustedReason(one)).toMatch('`/work/tools/guard.sh` has changed')
  })

  it('may be named like properties of Object.prototype', async () => {
    const { trust, untrustedReason } = user({
      'work/.hookgate/hooks.json': rulesWith('PreToolUse', 'sh __proto__ constructor'),
      'work/__proto__': '',
      'work/constructor': '',
    })
    expect((await trust())[0]?.files).toEqual(['.hookgate/hooks.json', './__proto__', 'constructor'])
    expect(await untrustedReason()).toBeUndefined()
  })

  it('are pinned by the target of their links, even outside of the workspace', async () => {
    const { trust, untrustedReason, work, folder } = user({ ...usual, 'shared/guard.sh': 'one' })
    rmSync(join(work, '.hookgate/guard.sh'))
    symlinkSync(join(folder, 'shared/guard.sh'), join(work, '.hookgate/guard.sh'))
    await trust()
    expect(await untrustedReason()).toBeUndefined()
    writeFileSync(join(folder, 'shared/guard.sh'), 'two')
    expect(await untrustedReason()).toMatch('`.hookgate/guard.sh` has changed')
  })

  it('are not pinned beyond the size of any script', async () => {
    const { trust, untrustedReason, work } = user()
    await trust()
    truncateSync(join(work, '.hookgate/guard.sh'), limits.pinnedFileBytesMax + 1)
    expect(await untrustedReason()).toBe(
      `\`.hookgate/guard.sh\` cannot be read: it is larger than ${limits.pinnedFileBytesMax} bytes`,
    )
    await expect(trust()).rejects.toThrow('it cannot be pinned: it is larger than')
  })

  it('are not pinned in a command that names implausibly many', async () => {
    const words = Array.from({ length: limits.pinnedWordsMax + 1 }, (_, index) => `w${index}`).join(' ')
    const { trust, untrustedReason } = user({ 'work/.hookgate/hooks.json': rulesWith('PreToolUse', words) })
    await trust()
    expect(await untrustedReason()).toMatch(/too many words/)
  })
})

describe('the store of pins', () => {
  it.each([
    ['as it makes it', usual],
    ['as it finds it', { ...usual, 'home/.config/hookgate/hooks.json': rulesWith('Stop', 'true') }],
  ])('is readable by its owner alone, as is its folder, %s', async (_, files) => {
    const { trust, trustFile } = user(files)
    await trust()
    expect(statSync(trustFile).mode & 0o777).toBe(0o600)
    expect(statSync(join(trustFile, '..')).mode & 0o777).toBe(0o700)
    expect(readdirSync(join(trustFile, '..')).filter((name) => name !== 'hooks.json')).toEqual([
      'trust.json',
      'trust.json.lock',
    ])
  })

  it('lists every workspace, and removes those that no longer exist', async () => {
    const { trust, work, options, folder } = user({ ...usual, 'other/.clinerules/hooks/PreToolUse': guard })
    await trust()
    await trustWorkspace('other', options, testPolicies())
    expect(listTrust(options).map(({ root, files }) => [root, files.length])).toEqual([
      [work, 2],
      [join(folder, 'other'), 1],
    ])
    rmSync(join(work, '.hookgate'), { recursive: true })
    expect(await trust()).toEqual([])
    expect(listTrust(options).map(({ root }) => root)).toEqual([join(folder, 'other')])
  })

  it.each([
    ['{', 'it is not JSON: it ends too early'],
    ['{"version": 2, "workspaces": {}}', '`version` must be `1`, not a number'],
    [
      '{"version": 1, "workspaces": {"/work": {"trustedAt": "2026-01-01T00:00:00Z", "files": {"a": "md5"}}}}',
      '`a` is not valid',
    ],
    ['{"version": 1, "workspaces": {}, "workspaces": {}}', 'the key `workspaces` appears twice'],
  ])('that is %j trusts nothing, and says why', async (content, why) => {
    const { trust, trustFile, read, untrustedReason } = user()
    await trust()
    writeFileSync(trustFile, content)
    expect(await untrustedReason()).toMatch(`nothing is trusted, because /home/.config/hookgate/trust.json:1:`)
    expect(await untrustedReason()).toMatch(why)
    const { errors, problems, ruleSet } = await read()
    expect(errors).toEqual([])
    expect(problems.map(problemText).join()).toMatch(why)
    expect(ruleSet.notes.join()).toMatch(/no workspace is trusted/)
    await expect(trust()).rejects.toThrow(HookgateError)
  })

  it('beyond the maximum size trusts nothing', async () => {
    const { trust, trustFile, untrustedReason } = user()
    await trust()
    truncateSync(trustFile, trustFileBytesMax + 1)
    expect(await untrustedReason()).toMatch(`it cannot be read: it is larger than ${trustFileBytesMax} bytes`)
  })

  it('that others can write to trusts nothing', async () => {
    const { trust, trustFile, untrustedReason } = user()
    await trust()
    chmodSync(trustFile, 0o666)
    expect(await untrustedReason()).toMatch('users other than its owner can write to it')
    chmodSync(trustFile, 0o600)
    expect(await untrustedReason()).toBeUndefined()
    chmodSync(join(trustFile, '..'), 0o777)
    expect(await untrustedReason()).toMatch('users other than its owner can write to it')
    // Trusting again would close the folder, but keep pins that others may have added before.
    await expect(trust()).rejects.toThrow('users other than its owner can write to it')
    expect(await untrustedReason()).toMatch('users other than its owner can write to it')
  })

  it('is never corrupted by concurrent writers, and has what each has pinned', async () => {
    const { options, folder, trustFile } = user(
      Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`w${index}/.clinerules/hooks/PreToolUse`, guard])),
    )
    const rules = fileURLToPath(new URL('../../../src/rules/index.ts', import.meta.url))
    const loader = fileURLToPath(new URL('../../../src/policy/compile/policy-loader.ts', import.meta.url))
    const program = `
      const { trustWorkspace } = await import(${JSON.stringify(rules)})
      const { openPolicyLoader } = await import(${JSON.stringify(loader)})
      const [folder, options] = process.argv.slice(1)
      for (let n = 0; n < 20; n++) await trustWorkspace(folder, JSON.parse(options), openPolicyLoader({}))`
    const writers = Array.from({ length: 6 }, (_, index) =>
      promisify(execFile)(process.execPath, [
        '--input-type=module',
        '-e',
        program,
        join(folder, `w${index}`),
        JSON.stringify(options),
      ]),
    )
    const ended = Promise.all(writers).then(() => true)
    const seen = new Set<string>()
    // oxlint-disable-next-line no-await-in-loop -- looks again and again while they write
    while (!(await Promise.race([ended, tick()]))) if (existsSync(trustFile)) seen.add(readFileSync(trustFile, 'utf8'))
    expect(seen.size).toBeGreaterThan(1)
    expect([...seen].filter((text) => parseJsonObject(text) === undefined)).toEqual([])
    expect(listTrust(options)).toHaveLength(6)
  })
})

describe('trusting', () => {
  it('is refused where what would run is unknown', async () => {
    const { trust, work } = user({ 'work/.hookgate/hooks.json': '{' })
    await expect(trust()).rejects.toThrow(
      expect.objectContaining({
        code: 'rulesMalformed',
        place: { file: join(work, '.hookgate/hooks.json'), line: 1, column: 2 },
      }),
    )
  })

  it('is refused for a folder that does not exist', async () => {
    const { folder, options } = user()
    await expect(trustWorkspace(join(folder, 'nowhere'), options, testPolicies())).rejects.toThrow(
      expect.objectContaining({ code: 'usage' }),
    )
  })
})

describe('a policy of a workspace', () => {
  const files = {
    'work/.git/HEAD': '',
    'work/.hookgate/hooks.json': policyRules('../guards/x.policy.ts'),
    'work/guards/x.policy.ts': policyText('x').replace('export', "import './more.ts'\nexport"),
    'work/guards/more.ts': 'export const more = 1\n',
    'work/.hookgate/policies/y.policy.ts': policyText('y'),
  }

  it('is pinned with all its files and the rules that name it, and can only tighten until then', async () => {
    const { read, trust, work } = user(files)
    const untrustedReasons = async () => (await read()).ruleSet.rules.map(({ untrustedReason }) => untrustedReason)
    expect(await untrustedReasons()).toEqual([
      expect.stringMatching(/^it came with the workspace/),
      expect.stringMatching(/^it came with the workspace/),
    ])
    expect((await trust())[0]?.files.toSorted()).toEqual([
      '.hookgate/hooks.json',
      '.hookgate/policies/y.policy.ts',
      'guards/more.ts',
      'guards/x.policy.ts',
    ])
    expect(await untrustedReasons()).toEqual([undefined, undefined])
    writeFiles(work, { 'guards/more.ts': 'export const more = 2\n' })
    expect(await untrustedReasons()).toEqual([expect.stringMatching(/`guards\/more.ts` has changed/), undefined])
  })

  it('that is shipped is pinned only by the rules that name it', async () => {
    const { read, trust } = user({ 'work/.hookgate/hooks.json': policyRules('hookgate/no-force-push') })
    expect((await trust())[0]?.files).toEqual(['.hookgate/hooks.json'])
    expect((await read()).ruleSet.rules).toMatchObject([
      { untrustedReason: undefined, handler: { policy: 'no-force-push' } },
    ])
  })
})
