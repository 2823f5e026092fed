import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { HookgateError } from '../../src/model/errors.ts'
import { limits } from '../../src/model/limits.ts'
import {
  openRulebook,
  placesFor,
  planFor,
  type Problem,
  problemText,
  readRules,
  type RulesOptions,
  trustWorkspace,
} from '../../src/rules/index.ts'
import { shellEvent } from '../support/plans.ts'
import { folderWith, rulesWith } from '../support/workspace.ts'

// Rules files come with somebody's repository. Whatever stands in one or in its place, the gate answers, soon, and never
// as if there were no rules. The time limit of each test is one of its assertions.

function workspace(files: Parameters<typeof folderWith>[0] = {}) {
  const folder = folderWith({ 'home/x': '', 'work/.git/HEAD': '', 'work/.hookgate/x': '', ...files })
  const work = join(folder, 'work')
  const options: RulesOptions = {
    home: join(folder, 'home'),
    managedFolder: join(folder, 'none'),
    env: {},
    cwd: folder,
  }
  const read = (more: RulesOptions = {}) => readRules(placesFor({ ...options, ...more }), [work])
  return { folder, work, rulesFile: join(work, '.hookgate/hooks.json'), read, options, book: openRulebook(options) }
}

/** What is wrong with a rules file of this content; the gate refuses because of it. */
function refused(content: string | Uint8Array): readonly string[] {
  const { rulesFile, read, book, work } = workspace()
  writeFileSync(rulesFile, content)
  expect(() => book.rulesFor([work])).toThrow(HookgateError)
  return read().errors.map(shown)
}

const refusedFor = ({ read, book, work }: ReturnType<typeof workspace>) => {
  expect(() => book.rulesFor([work])).toThrow(HookgateError)
  return read().errors.map(shown)
}

const shown = ({ place, ...problem }: Problem) => problemText({ ...problem, place: { ...place, file: 'f' } })

describe('a rules file', () => {
  it('of a megabyte of opening brackets is refused', () => {
    expect(refused('['.repeat(limits.rulesFileBytesMax))).toEqual(['f:1:33: brackets nest more than 32 deep'])
    expect(refused('{"a":'.repeat(limits.rulesFileBytesMax / 5))).toEqual(['f:1:161: brackets nest more than 32 deep'])
  })

  it('that nests deep and closes all of it is refused', () => {
    const depth = 100_000
    expect(refused(`${'['.repeat(depth)}${']'.repeat(depth)}`)).toEqual(['f:1:33: brackets nest more than 32 deep'])
  })

  it('whose brackets stand in a string is not deep', () => {
    const { rulesFile, read } = workspace()
    writeFileSync(rulesFile, JSON.stringify({ description: '[{"\\'.repeat(1000), hooks: {} }))
    expect(read().problems).toEqual([])
  })

  it('that says a key twice is refused, since the second would replace a guard', () => {
    const hooks = '"PreToolUse": [{"hooks": [{"type": "command", "command": "./guard.sh"}]}]'
    expect(refused(`{"hooks": {${hooks}, "PreToolUse": []}}`)).toEqual([
      'f:1:87: the key `PreToolUse` stands twice, first on line 1; the second would replace the first; make them one',
    ])
    expect(refused(`{"hooks": {${hooks}, "PreToolUs\\u0065": []}}`)).toEqual([expect.stringMatching(/stands twice/)])
  })

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', 'valueOf'])(
    'with an event called %s is refused',
    (name) => {
      expect(refused(`{"hooks": {"${name}": [{"hooks": []}]}}`).join()).toMatch(`\`${name}\``)
      expect(refused(`{"hooks": {}, "${name}": {"disableAllHooks": true}}`).join()).toMatch(`\`${name}\``)
      expect(refused(`{"hooks": {"Stop": [{"hooks": [{"type": "${name}", "command": "x"}]}]}}`).join()).toMatch(
        `\`${name}\``,
      )
      const polluted: object = {}
      expect('disableAllHooks' in polluted).toBe(false)
    },
  )

  it('with NUL bytes is refused, in its text and in its commands', () => {
    expect(refused('{"hooks"\0: {}}')).toEqual([expect.stringMatching(/^f:1:9: it is not JSON/)])
    expect(refused('\0'.repeat(1000))).toEqual([expect.stringMatching(/^f:1:1: it is not JSON/)])
    expect(refused('{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true\\u0000rm"}]}]}}')).toEqual([
      'f:1:63: `command` cannot contain a NUL character',
    ])
  })

  it('that would write to a terminal is told of without its control characters', () => {
    const told = refused('{"hooks": {"\\u001b]0;owned\\u0007\\u202egnp": []}}').join()
    expect(told).toMatch('`\\x1b]0;owned\\x07\\u{202e}gnp`')
    // oxlint-disable-next-line no-control-regex -- there must be none
    expect(told).not.toMatch(/[\u0000-\u001f\u202e]/)
  })

  it('that is not UTF-8, UTF-16, or nothing at all is refused', () => {
    expect(refused(new Uint8Array([0xff, 0xfe, 0x7b, 0x00]))).toEqual([expect.stringMatching(/not UTF-8/)])
    expect(refused(new Uint8Array([0x7b, 0x22, 0xc3, 0x22, 0x7d]))).toEqual([expect.stringMatching(/not UTF-8/)])
    expect(refused('')).toEqual([expect.stringMatching(/it is empty/)])
  })

  it('that is larger than any is refused before it is parsed', () => {
    expect(refused(`{"hooks": {}}${' '.repeat(limits.rulesFileBytesMax)}`)).toEqual([
      expect.stringMatching(/larger than/),
    ])
  })

  it('of a megabyte of mistakes is refused with all of them', () => {
    const text = `{"hooks": {${Array.from({ length: 40_000 }, (_, index) => `"Event${index}": []`).join(',')}}}`
    expect(refused(text)).toHaveLength(40_000)
    const keys = Array.from({ length: 110_000 }, (_, index) => `"${index.toString(36)}":0`)
    expect(refused(`{${keys.join(',')}}`)).toHaveLength(110_000)
  })

  it('of ten thousand hooks is planned', () => {
    const { rulesFile, read } = workspace()
    const hooks = Array.from({ length: 10_000 }, (_, index) => ({ type: 'command', command: `h${index}` }))
    writeFileSync(rulesFile, JSON.stringify({ hooks: { PreToolUse: [{ hooks }] } }))
    expect(planFor(shellEvent, read({ trustWorkspace: true }).ruleSet).rules).toHaveLength(10_000)
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
  ])('with the matcher %s, which would try for ever, is refused', (matcher) => {
    expect(refused(JSON.stringify(rulesWith('PreToolUse', 'true', { matcher }).json))).toEqual([
      expect.stringMatching(/could take very long/),
    ])
  })

  it('of thousands of slow matchers that nobody has trusted is not tried with them', () => {
    const { rulesFile, read } = workspace()
    const groups = Array.from({ length: 3000 }, (_, index) => ({
      matcher: '.*.*.*!',
      hooks: [{ type: 'command', command: `h${index}` }],
    }))
    writeFileSync(rulesFile, JSON.stringify({ hooks: { PreToolUse: groups } }))
    const name = `mcp__${'a'.repeat(60)}__${'a'.repeat(60)}`
    const event = { ...shellEvent, action: { tool: 'mcp', name, input: {} } } as const
    expect(planFor(event, read().ruleSet).rules).toHaveLength(3000)
  })

  it('with conditions of nothing but stars is held against a long command', () => {
    const { rulesFile, read } = workspace()
    const condition = `Bash(${'*a'.repeat(2000)}*b)`
    writeFileSync(rulesFile, JSON.stringify(rulesWith('PreToolUse', 'true', { matcher: 'Bash', if: condition }).json))
    const command = 'a'.repeat(limits.conditionSubjectCharactersMax / 128)
    const event = { ...shellEvent, action: { tool: 'shell', name: 'Bash', input: { command }, command } } as const
    expect(planFor(event, read({ trustWorkspace: true }).ruleSet).rules).toEqual([])
  })

  it('with a command that opens every quote and substitution it can is looked through', () => {
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
      const event = { ...shellEvent, action: { tool: 'shell', name: 'Bash', input: { command }, command } } as const
      expect([0, 1]).toContain(planFor(event, read({ trustWorkspace: true }).ruleSet).rules.length)
    }
  })

  it('with a command of words without end is not looked up word by word', () => {
    const { rulesFile, read, work, options } = workspace()
    const words = Array.from({ length: 100_000 }, (_, n) => `w${n}`).join(' ')
    for (const command of ['./x '.repeat(100) + words, `cd .. ${words}`, `\`${'a;'.repeat(400_000)}\``]) {
      writeFileSync(rulesFile, JSON.stringify(rulesWith('PreToolUse', command).json))
      trustWorkspace(work, options)
      expect(read().ruleSet.rules[0]?.distrust).toMatch(/too many words/)
    }
  })

  it('of thousands of long commands is not taken apart before anybody has trusted it', () => {
    const { rulesFile, read } = workspace()
    const words = Array.from({ length: limits.pinnedWordsMax + 1 }, (_, n) => `w${n}`).join(' ')
    const hooks = Array.from({ length: 200 }, (_, n) => ({ type: 'command', command: `${n} ${words}` }))
    writeFileSync(rulesFile, JSON.stringify({ hooks: { PreToolUse: [{ hooks }] } }))
    // That there are too many words is only known of a command that was taken apart.
    for (const { distrust } of read().ruleSet.rules) expect(distrust).toMatch(/nobody has trusted/)
  })
})

describe('in the place of a rules file', () => {
  it('a named pipe is refused, and not waited for', () => {
    const one = workspace()
    execFileSync('mkfifo', [one.rulesFile])
    expect(refusedFor(one)).toEqual(['f: the rules file cannot be read: it is no regular file; mend it, or remove it'])
  })

  it('a folder is refused', () => {
    const one = workspace()
    mkdirSync(one.rulesFile)
    expect(refusedFor(one)).toEqual(['f: the rules file cannot be read: it is a folder; mend it, or remove it'])
  })

  it('a link that goes round in a circle is refused', () => {
    const one = workspace()
    symlinkSync('hooks.json', one.rulesFile)
    expect(refusedFor(one)).toEqual([expect.stringMatching(/go round in a circle/)])
  })

  it('a link that leads nowhere is refused', () => {
    const one = workspace()
    symlinkSync('gone.json', one.rulesFile)
    expect(refusedFor(one)).toEqual([expect.stringMatching(/leads nowhere/)])
  })

  it('a device is refused', () => {
    const one = workspace()
    symlinkSync('/dev/zero', one.rulesFile)
    expect(refusedFor(one)).toEqual([expect.stringMatching(/no regular file/)])
  })

  it('a path longer than the system takes is refused', () => {
    const { book, folder } = workspace()
    expect(() => book.rulesFor([join(folder, 'x'.repeat(5000))])).toThrow(/ENAMETOOLONG/)
  })
})

describe('in the place of a hook', () => {
  it('a named pipe or a link in a circle is refused, and a folder passed over', () => {
    const { folder, work, read } = workspace({ 'work/.clinerules/hooks/TaskStart/x': '' })
    const hooks = join(work, '.clinerules/hooks')
    execFileSync('mkfifo', [join(hooks, 'PreToolUse')])
    symlinkSync('PostToolUse', join(hooks, 'PostToolUse'))
    expect(
      read()
        .errors.map(problemText)
        .map((text) => text.replaceAll(`${folder}/`, '')),
    ).toEqual([
      'work/.clinerules/hooks/PreToolUse: the hook cannot be read: it is no regular file; mend it, or remove it',
      'work/.clinerules/hooks/PostToolUse: the hook cannot be read: its symbolic links go round in a circle; mend it, or remove it',
    ])
  })

  it('a named pipe among the words of a command is not read', () => {
    const { work, read } = workspace({ 'work/.hookgate/hooks.json': rulesWith('PreToolUse', 'cat pipe') })
    execFileSync('mkfifo', [join(work, 'pipe')])
    expect(read().ruleSet.rules).toHaveLength(1)
  })
})

describe('in the place of the store of pins', () => {
  it('a named pipe trusts nothing, and is not waited for', () => {
    const { folder, read } = workspace({
      'work/.hookgate/hooks.json': rulesWith('PreToolUse', 'true'),
      'home/.config/hookgate/x': '',
    })
    execFileSync('mkfifo', [join(folder, 'home/.config/hookgate/trust.json')])
    expect(read().ruleSet.rules[0]?.distrust).toMatch(/nothing is trusted.*no regular file/)
  })

  it('keys of the prototype trust nothing', () => {
    const { work, read } = workspace({
      'work/.hookgate/hooks.json': rulesWith('PreToolUse', 'true'),
      'home/.config/hookgate/trust.json':
        '{"version": 1, "workspaces": {"constructor": {"trustedAt": "2026-01-01T00:00:00Z", "files": {}}}}',
    })
    expect(read().ruleSet.rules[0]?.distrust).toBe(
      `this hook was not run: it came with the workspace \`${work}\`, which nobody has trusted; look at it, then run \`hookgate trust ${work}\``,
    )
  })
})
