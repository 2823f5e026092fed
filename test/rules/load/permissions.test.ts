import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeDisk } from '../../../src/files/disk.ts'
import { problemText } from '../../../src/model/problem.ts'
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

  it('in a file that may be an agent’s settings are not judged, which is reported', () => {
    const { rules, texts } = loaded({ permissions: { deny: ['Bash'] }, hooks: {} }, 'copy')
    expect(rules).toEqual([])
    expect(texts).toEqual([expect.stringContaining('`permissions` are not judged here')])
  })
})
