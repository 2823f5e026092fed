import { shellFacts } from '../../src/facts/shell/shell-facts.ts'
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { HookgateError } from '../../src/model/errors.ts'
import { limits } from '../../src/model/limits.ts'
import {
  openRuleCache,
  placesFor,
  planFor,
  type Problem,
  problemText,
  readRules,
  type RulesOptions,
  trustWorkspace,
} from '../../src/rules/index.ts'
import { shellEvent } from '../support/plans.ts'
import { testPolicies } from '../support/sandbox.ts'
import { folderWith, rulesWith } from '../support/workspace.ts'

// Rules files may come from an untrusted repository. Whatever is in one or in its place, the gate answers soon, and never
// as if there were no rules. The timeout of each test is one of its assertions.

function workspace(files: Parameters<typeof folderWith>[0] = {}) {
  const folder = folderWith({ 'home/x': '', 'work/.git/HEAD': '', 'work/.hookgate/x': '', ...files })
  const work = join(folder, 'work')
  const options: RulesOptions = {
    home: join(folder, 'home'),
    managedFolder: join(folder, 'none'),
    env: {},
    cwd: folder,
  }
  const read = (more: RulesOptions = {}) => readRules(placesFor({ ...options, ...more }), [work], testPolicies())
  return {
    folder,
    work,
    rulesFile: join(work, '.hookgate/hooks.json'),
    read,
    options,
    cache: openRuleCache(options, testPolicies()),
  }
}

/** Lists the problems of a rules file with this content, and expects the gate to refuse because of them. */
async function refused(content: string | Uint8Array, more: RulesOptions = {}): Promise<readonly string[]> {
  const { rulesFile, read, cache, work } = workspace()
  writeFileSync(rulesFile, content)
  await expect(promised(() => cache.rulesFor([work]))).rejects.toThrow(HookgateError)
  return (await read(more)).errors.map(shown)
}
/** Options that trust the workspace: untrusted rules files have a lower size limit. */
const trusted: RulesOptions = { trustWorkspace: true }

const refusedFor = async ({ read, cache, work }: ReturnType<typeof workspace>) => {
  await expect(promised(() => cache.rulesFor([work]))).rejects.toThrow(HookgateError)
  return (await read()).errors.map(shown)
}

/** Makes a promise of a call: a rule cache answers synchronously if it can, and then throws synchronously too. */
const promised = async (call: () => unknown) => call()

const shown = ({ place, ...problem }: Problem) => problemText({ ...problem, place: { ...place, file: 'f' } })

describe('a rules file', () => {
  it('of a megabyte of opening brackets is refused', async () => {
    expect(await refused('['.repeat(limits.rulesFileBytesMax), trusted)).toEqual([
      'f:1:33: brackets are nested more than 32 levels deep',
    ])
    expect(await refused('{"a":'.repeat(limits.rulesFileBytesMax / 5), trusted)).toEqual([
      'f:1:161: brackets are nested more than 32 levels deep',
    ])
  })

  it('that is nested deeply and well-formed is refused', async () => {
    const depth = 100_000
    expect(await refused(`${'['.repeat(depth)}${']'.repeat(depth)}`)).toEqual([
      'f:1:33: brackets are nested more than 32 levels deep',
    ])
  })

  it('with its brackets in a string is not deep', async () => {
    const { rulesFile, read } = workspace()
    writeFileSync(rulesFile, JSON.stringify({ description: '[{"\\'.repeat(1000), hooks: {} }))
    expect((await read()).problems).toEqual([])
  })

  it('with a duplicate key is refused, since the second would replace a guard', async () => {
    const hooks = '"PreToolUse": [{"hooks": [{"type": "command", "command": "./guard.sh"}]}]'
    expect(await refused(`{"hooks": {${hooks}, "PreToolUse": []}}`)).toEqual([
      'f:1:87: the key `PreToolUse` appears twice, first on line 1; the second would replace the first; merge them',
    ])
    expect(await refused(`{"hooks": {${hooks}, "PreToolUs\\u0065": []}}`)).toEqual([
      expect.stringMatching(/appears twice/),
    ])
  })

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', 'valueOf'])(
    'with an event called %s is refused',
    async (name) => {
      expect((await refused(`{"hooks": {"${name}": [{"hooks": []}]}}`)).join()).toMatch(`\`${name}\``)
      expect((await refused(`{"hooks": {}, "${name}": {"disableAllHooks": true}}`)).join()).toMatch(`\`${name}\``)
      expect((await refused(`{"hooks": {"Stop": [{"hooks": [{"type": "${name}", "command": "x"}]}]}}`)).join()).toMatch(
        `\`${name}\``,
      )
      const polluted: object = {}
      expect('disableAllHooks' in polluted).toBe(false)
    },
  )

  it('with NUL bytes is refused, in its text and in its commands', async () => {
    expect(await refused('{"hooks"\0: {}}')).toEqual([expect.stringMatching(/^f:1:9: it is not JSON/)])
    expect(await refused('\0'.repeat(1000))).toEqual([expect.stringMatching(/^f:1:1: it is not JSON/)])
    expect(
      await refused('{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true\\u0000rm"}]}]}}'),
    ).toEqual(['f:1:63: `command` cannot contain a NUL character'])
  })

  it('with terminal control characters is reported without them', async () => {
    const message = (await refused('{"hooks": {"\\u001b]0;owned\\u0007\\u202egnp": []}}')).join()
    expect(message).toMatch('`\\x1b]0;owned\\x07\\u{202e}gnp`')
    // oxlint-disable-next-line no-control-regex -- there must be none
    expect(message).not.toMatch(/[\u0000-\u001f\u202e]/)
  })

  it('that is empty or not UTF-8 is refused', async () => {
    expect(await refused(new Uint8Array([0xff, 0xfe, 0x7b, 0x00]))).toEqual([expect.stringMatching(/not UTF-8/)])
    expect(await refused(new Uint8Array([0x7b, 0x22, 0xc3, 0x22, 0x7d]))).toEqual([expect.stringMatching(/not UTF-8/)])
    expect(await refused('')).toEqual([expect.stringMatching(/it is empty/)])
  })

  it('above the size limit is refused before it is parsed', async () => {
    expect(await refused(`{"hooks": {}}${' '.repeat(limits.rulesFileBytesMax)}`)).toEqual([
      expect.stringMatching(/larger than/),
    ])
  })

  it('of a megabyte of mistakes is refused with all of them', async () => {
    const text = `{"hooks": {${Array.from({ length: 40_000 }, (_, index) => `"Event${index}": []`).join(',')}}}`
    expect(await refused(text, trusted)).toHaveLength(40_000)
    const keys = Array.from({ length: 110_000 }, (_, index) => `"${index.toString(36)}":0`)
    expect(await refused(`{${keys.join(',')}}`, trusted)).toHaveLength(110_000)
  })

  it('of ten thousand hooks is planned', async () => {
    const { rulesFile, read } = workspace()
    const hooks = Array.from({ length: 10_000 }, (_, index) => ({ type: 'command', command: `h${index}` }))
    writeFileSync(rulesFile, JSON.stringify({ hooks: { PreToolUse: [{ hooks }] } }))
    expect(planFor(shellEvent, (await read({ trustWorkspace: true })).ruleSet).rules).toHaveLength(10_000)
  })

  it.each([
    '(a+)+$',
    '(a|a)*$',
    '(.*.*)*x',
    '([a-z]+)*\\d',
    '(?:(?:a?){20}){20}b',
    '.*.*.*.*.*.*x',
    'a?'.repeat(60) + 'a'.repeat(60),
    '(a{1,99}){1,99}b',
    `${'('.repeat(60)}\\w*${`){${'0'.repeat(45)}1,}`.repeat(60)}^!$`,
  ])('with the matcher %s, which would try for ever, is refused', async (matcher) => {
    expect(await refused(JSON.stringify(rulesWith('PreToolUse', 'true', { matcher }).json))).toEqual([
      expect.stringMatching(/could take very long to match/),
    ])
  })

  it('of thousands of slow untrusted matchers is refused before they are tried', async () => {
    const { rulesFile, read } = workspace()
    const groups = Array.from({ length: 3000 }, (_, index) => ({
      matcher: '.*.*.*!',
      hooks: [{ type: 'command', command: `h${index}` }],
    }))
    writeFileSync(rulesFile, JSON.stringify({ hooks: { PreToolUse: groups } }))
    const name = `mcp__${'a'.repeat(60)}__${'a'.repeat(60)}`
    const event = { ...shellEvent, tool: { kind: 'mcp', name, input: {} } } as const
    expect(planFor(event, (await read()).ruleSet).rules).toHaveLength(3000)
  })

  it.each([
    ['a hundred stars is ruled out', 100, 0],
    ['thousands of stars is given up in time, and its rule counts', 2000, 1],
  ])('with a condition of %s for a long command', async (_, stars, counted) => {
    const { rulesFile, read } = workspace()
    const condition = `Bash(${'*a'.repeat(stars)}*b)`
    writeFileSync(rulesFile, JSON.stringify(rulesWith('PreToolUse', 'true', { matcher: 'Bash', if: condition }).json))
    const command = 'a'.repeat(limits.conditionSubjectCharactersMax / 128)
    const event = { ...shellEvent, tool: { kind: 'shell', name: 'Bash', input: { command }, command } } as const
    const { ruleSet } = await read({ trustWorkspace: true })
    const facts = shellFacts(command, { cwd: '/', workspaceRoots: ['/'] })
    expect(facts.commands).toMatchObject([{ program: command }])
    expect(planFor(event, ruleSet, facts).rules).toHaveLength(counted)
  })

  it('with a command of unclosed quotes and substitutions is analyzed in time', async () => {
    const { rulesFile, read } = workspace()
    for (const command of [
      '$('.repeat(20_000),
      '`'.repeat(20_001),
      '"$('.repeat(20_000),
      'sudo '.repeat(10_000),
      '${'.repeat(20_000),
      "bash -c '".repeat(5000),
      'case '.repeat(13_000),
      '((((('.repeat(5000),
    ]) {
      writeFileSync(
        rulesFile,
        JSON.stringify(rulesWith('PreToolUse', 'true', { matcher: 'Bash', if: 'Bash(rm *)' }).json),
      )
      const event = { ...shellEvent, tool: { kind: 'shell', name: 'Bash', input: { command }, command } } as const
      // oxlint-disable-next-line no-await-in-loop -- the same file holds one command at a time
      const { ruleSet } = await read({ trustWorkspace: true })
      const facts = shellFacts(command, { cwd: '/', workspaceRoots: ['/'] })
      expect([0, 1]).toContain(planFor(event, ruleSet, facts).rules.length)
    }
  })

  it('with a command of very many words is not resolved word by word', async () => {
    const { rulesFile, read, work, options } = workspace()
    const words = Array.from({ length: 100_000 }, (_, n) => `w${n}`).join(' ')
    for (const command of ['./x '.repeat(100) + words, `cd .. ${words}`, `\`${'a;'.repeat(400_000)}\``]) {
      writeFileSync(rulesFile, JSON.stringify(rulesWith('PreToolUse', command).json))
      // oxlint-disable-next-line no-await-in-loop -- the same file holds one command at a time
      await trustWorkspace(work, options, testPolicies())
      // oxlint-disable-next-line no-await-in-loop -- the same file holds one command at a time
      expect((await read()).ruleSet.rules[0]?.untrustedReason).toMatch(/too many words/)
    }
  })

  it('of thousands of long commands is not parsed before it is trusted', async () => {
    const { rulesFile, read } = workspace()
    const words = Array.from({ length: limits.pinnedWordsMax + 1 }, (_, n) => `w${n}`).join(' ')
    const hooks = Array.from({ length: 200 }, (_, n) => ({ type: 'command', command: `${n} ${words}` }))
    writeFileSync(rulesFile, JSON.stringify({ hooks: { PreToolUse: [{ hooks }] } }))
    // Only a parsed command is known to have too many words.
    for (const { untrustedReason } of (await read()).ruleSet.rules) expect(untrustedReason).toMatch(/is not trusted/)
  })
})

describe('in the place of a rules file', () => {
  it('a named pipe is refused without waiting for its writer', async () => {
    const one = workspace()
    execFileSync('mkfifo', [one.rulesFile])
    expect(await refusedFor(one)).toEqual([
      'f: the rules file cannot be read: it is not a regular file; fix or remove it',
    ])
  })

  it('a folder is refused', async () => {
    const one = workspace()
    mkdirSync(one.rulesFile)
    expect(await refusedFor(one)).toEqual(['f: the rules file cannot be read: it is a folder; fix or remove it'])
  })

  it('a cyclic link is refused', async () => {
    const one = workspace()
    symlinkSync('hooks.json', one.rulesFile)
    expect(await refusedFor(one)).toEqual([expect.stringMatching(/form a loop/)])
  })

  it('a dangling link is refused', async () => {
    const one = workspace()
    symlinkSync('gone.json', one.rulesFile)
    expect(await refusedFor(one)).toEqual([expect.stringMatching(/leads nowhere/)])
  })

  it('a device is refused', async () => {
    const one = workspace()
    symlinkSync('/dev/zero', one.rulesFile)
    expect(await refusedFor(one)).toEqual([expect.stringMatching(/leads outside the workspace/)])
  })

  it('a path above the system’s length limit is refused', async () => {
    const { cache, folder } = workspace()
    await expect(promised(() => cache.rulesFor([join(folder, 'x'.repeat(5000))]))).rejects.toThrow(/ENAMETOOLONG/)
  })
})

describe('in the place of a hook', () => {
  it('a named pipe or a cyclic link is refused, and a folder skipped', async () => {
    const { folder, work, read } = workspace({ 'work/.clinerules/hooks/TaskStart/x': '' })
    const hooks = join(work, '.clinerules/hooks')
    execFileSync('mkfifo', [join(hooks, 'PreToolUse')])
    symlinkSync('PostToolUse', join(hooks, 'PostToolUse'))
    expect((await read()).errors.map(problemText).map((text) => text.replaceAll(`${folder}/`, ''))).toEqual([
      'work/.clinerules/hooks/PreToolUse: the hook cannot be read: it is not a regular file; fix or remove it',
      'work/.clinerules/hooks/PostToolUse: the hook cannot be read: its symbolic links form a loop; fix or remove it',
    ])
  })

  it('a named pipe among the words of a command is not read', async () => {
    const { work, read } = workspace({ 'work/.hookgate/hooks.json': rulesWith('PreToolUse', 'cat pipe') })
    execFileSync('mkfifo', [join(work, 'pipe')])
    expect((await read()).ruleSet.rules).toHaveLength(1)
  })
})

describe('in the place of the trust store', () => {
  it('a named pipe trusts nothing, without waiting for its writer', async () => {
    const { folder, read } = workspace({
      'work/.hookgate/hooks.json': rulesWith('PreToolUse', 'true'),
      'home/.config/hookgate/x': '',
    })
    execFileSync('mkfifo', [join(folder, 'home/.config/hookgate/trust.json')])
    expect((await read()).ruleSet.rules[0]?.untrustedReason).toMatch(/nothing is trusted.*not a regular file/)
  })

  it('keys of the prototype trust nothing', async () => {
    const { work, read } = workspace({
      'work/.hookgate/hooks.json': rulesWith('PreToolUse', 'true'),
      'home/.config/hookgate/trust.json':
        '{"version": 1, "workspaces": {"constructor": {"trustedAt": "2026-01-01T00:00:00Z", "files": {}}}}',
    })
    expect((await read()).ruleSet.rules[0]?.untrustedReason).toBe(
      `it came with the workspace \`${work}\`, which is not trusted; review it, then run \`hookgate trust ${work}\``,
    )
  })
})
