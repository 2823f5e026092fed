import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeDisk } from '../../../src/files/disk.ts'
import { problemText } from '../../../src/model/errors.ts'
import { isBuiltinRule, type Rule } from '../../../src/model/rule.ts'
import { isRule } from '../../../src/rules/load/draft.ts'
import { load } from '../../../src/rules/load/load.ts'
import type { Format } from '../../../src/rules/places.ts'
import { folderWith } from '../../support/workspace.ts'

function loaded(content: object, format: Format = 'hookgate') {
  const file = join(folderWith({ 'hooks.json': JSON.stringify(content, undefined, 1) }), 'hooks.json')
  const source = {
    id: 'user:hooks.json',
    scope: 'explicit',
    file,
    workspaceRoot: undefined,
    pluginRoot: undefined,
  } as const
  const { entries, problems, places } = load({ kind: 'file', source, format }, makeDisk(), '/home/someone')
  const texts = problems.map((one) => problemText({ ...one, place: { ...one.place, file: 'f' } }))
  return { rules: entries.filter(isRule), texts, places, problems }
}

/** What is wrong with a hook's `if`. */
const conditionTexts = (text: string) =>
  loaded({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'true', if: text }] }] } })
    .texts

const listOf = (rule: Rule | undefined) =>
  rule !== undefined && isBuiltinRule(rule) ? rule.handler.builtin : undefined

describe('`permissions` in a rules file', () => {
  it('become one rule for each list, which knows its place', () => {
    const { rules, texts, places } = loaded({
      permissions: { allow: ['Read'], deny: ['Bash(curl *)', 'Read(~/.ssh)'] },
    })
    expect(texts).toEqual([])
    expect(rules.map(({ id }) => id)).toEqual(['user:hooks.json#permissions.deny', 'user:hooks.json#permissions.allow'])
    expect(listOf(rules[0])).toMatchObject({
      effect: 'deny',
      entries: [{ kinds: ['shell'] }, { pattern: '//home/someone/.ssh' }],
    })
    expect(places.get('user:hooks.json#permissions.deny')).toMatchObject({ line: 6 })
  })

  it.each([
    [{ deny: ['Curl(x)'] }, 'there is no known tool `Curl`'],
    [{ deny: ['BASH(x)'] }, 'there is no tool `BASH`; write `Bash`'],
    [{ deny: ['Bash(x'] }, '`Bash(x` is not a permission rule'],
    [{ ask: ['Web*'] }, 'a permission rule must name one tool, not `Web*`'],
    [{ deny: ['WebFetch(https://x)'] }, '`WebFetch(https://x)` is not a rule for fetching; write'],
    [
      { deny: ['Bash(cd x && rm *)'] },
      '`Bash(cd x && rm *)` never matches: each command of a line is judged by itself',
    ],
    [{ allow: ['Edit(src/[ab].ts)'] }, '`Edit(src/[ab].ts)` allows more than it says'],
    [{ allow: ['Task(Explore)'] }, 'it cannot be certain which input `Task(Explore)` is about; write `Task`'],
    [{ deny: ['x'.repeat(5000)] }, 'a permission rule is longer than'],
    [{ deny: Array.from({ length: 1001 }, () => 'Bash') }, 'it has more than 1000 permission rules'],
    [{ deny: 'Bash' }, '`deny` must be an array, not a string'],
    [{ dney: ['Bash'] }, 'unknown key `dney`; did you mean `deny`?'],
    [[], '`permissions` must be an object, not an array'],
  ])('that are wrong do not load, with place and remedy: %j', (permissions, message) => {
    const { texts, problems } = loaded({ permissions })
    expect(texts[0]).toMatch(/^f:\d+:\d+: /)
    expect(texts[0]?.replace(/^f(:\d+)*: /, '').slice(0, message.length)).toBe(message)
    expect(problems.every(({ severity }) => severity === 'error')).toBe(true)
  })

  it.each([
    'rm|mv',
    'rm|mv *',
    '(rm|mv) *',
    '{rm,mv} *',
    'rm *|mv *',
    'rm *&&mv *',
    'rm *;mv *',
    'git push|pull *',
    'git (push|pull) *',
    'kubectl {delete,drain} *',
    'git push, git pull',
    'rm *\nmv *',
    '@(rm|mv) *',
    'sleep 5 &',
    '^rm',
    '^rm .*',
    'rm$',
    '/^git push/',
    '/git push/i',
    '[a-z]+ x',
    'rm?',
    'git\\s+push',
    '\\brm\\b',
    '!rm *',
    'docker ^rm',
  ])('that no command can match are errors in each list: Bash(%s)', (pattern) => {
    for (const effect of ['deny', 'ask', 'allow']) {
      const { texts } = loaded({ permissions: { [effect]: [`Bash(${pattern})`] } })
      expect(texts).toEqual([expect.stringMatching(/never matches: .*; write /)])
    }
    expect(conditionTexts(`Bash(${pattern})`)).toHaveLength(/[;&]|\n|\*\|/.test(pattern) ? 0 : 1)
  })

  it.each([
    ['echo * > f', 'Edit(f)'],
    ['echo *>f', 'Edit(f)'],
    ['* > /etc/*', 'Edit(/etc/*)'],
    ['tee *>>~/.bashrc', 'Edit(~/.bashrc)'],
    ['psql < x.sql', 'Read(x.sql)'],
    ['ls 2>&1', 'Bash(ls)'],
    ['make *&>log', 'Edit(log)'],
  ])('about a redirection are errors that name the rule to write: Bash(%s), %s', (pattern, remedy) => {
    for (const effect of ['deny', 'ask', 'allow']) {
      const { texts } = loaded({ permissions: { [effect]: [`Bash(${pattern})`] } })
      expect(texts).toEqual([expect.stringMatching(/says nothing of redirections; write /)])
      expect(texts[0]).toContain(`write \`${remedy}\``)
    }
  })

  it('of a path may have escapes, as in `.gitignore`', () => {
    const rules = ['Read(\\.env)', 'Edit(a\\*b)', 'Read(/src/\\#a/**)']
    expect(loaded({ permissions: { deny: rules } }).texts).toEqual([])
  })

  it.each(['Read(^/etc/.*)', 'Edit(src/(a|b).ts)', 'Write(a|b)', 'Read(/\\.env$/)'])(
    'that no path can match are errors: %s',
    (rule) => {
      expect(loaded({ permissions: { deny: [rule] } }).texts).toEqual([expect.stringContaining('never matches')])
    },
  )

  it.each([
    'g++ *',
    String.raw`grep -P \d+ *`,
    `psql -c 'select 1 > 0' *`,
    '[ -f *',
    '[[ *',
    './x.sh *',
    'grep a|b f',
    'jq .a|length f',
    'rg (a|b) src',
    'git *',
    'npm run test:*',
    'npm run build*',
    'find . -name \\*.ts',
    'git commit -m fix(a): b',
    'python3.* x',
    '*',
    'git:*',
    'awk $1>5 f',
    'git log --format=%h|%s',
    'curl -sSL x?a=1&b=2',
    'echo a, b',
    'node -e a=>b',
    '/usr/bin/ls /',
    'git log ^main',
    'gh api repos/{owner}/{repo}',
    'docker ps --format {{.ID}}',
    'git show HEAD^',
    'git diff a^{}',
    '$HOME/bin/x *',
    '"${DIR}"/run.sh',
    '$(which x) *',
  ])('that a command can match are none: Bash(%s)', (pattern) => {
    for (const effect of ['deny', 'ask', 'allow'])
      expect(loaded({ permissions: { [effect]: [`Bash(${pattern})`] } }).texts).toEqual([])
    expect(conditionTexts(`Bash(${pattern})`)).toEqual([])
  })

  it('in a file that may be an agent’s settings are not judged, which is reported', () => {
    const { rules, texts } = loaded({ permissions: { deny: ['Bash'] }, hooks: {} }, 'copy')
    expect(rules).toEqual([])
    expect(texts).toEqual([expect.stringContaining('`permissions` are not judged here')])
  })
})
