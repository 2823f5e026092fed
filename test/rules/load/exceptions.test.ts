import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeDisk } from '../../../src/files/disk.ts'
import { problemText } from '../../../src/model/errors.ts'
import type { Scope } from '../../../src/model/effect.ts'
import { load } from '../../../src/rules/load/load.ts'
import { exceptionProblems } from '../../../src/rules/load/exceptions.ts'
import { isRule } from '../../../src/rules/load/draft.ts'
import type { Format } from '../../../src/rules/places.ts'
import { folderWith } from '../../support/workspace.ts'

function loaded(content: object, format: Format = 'hookgate', scope: Scope = 'user') {
  const file = join(folderWith({ 'hooks.json': JSON.stringify(content, undefined, 1) }), 'hooks.json')
  const source = { id: `${scope}:hooks.json`, scope, file, workspaceRoot: undefined, pluginRoot: undefined }
  const { entries, problems, ...draft } = load({ kind: 'file', source, format }, makeDisk(), '/home/someone')
  const texts = problems.map((one) => problemText({ ...one, place: { ...one.place, file: 'f' } }))
  return { ...draft, rules: entries.filter(isRule), problems, texts }
}

const one = (exception: object) => loaded({ exceptions: [exception] })

describe('`exceptions` in a rules file', () => {
  it('are read, each with its place', () => {
    const { exceptions, texts } = loaded({
      exceptions: [
        { rule: 'git/x', command: 'git push *', project: '~/app', reason: 'ours', until: '2099-01-31' },
        { rule: 'secrets/*', path: 'fixtures/**' },
      ],
    })
    expect(texts).toEqual([])
    expect(exceptions).toMatchObject([
      {
        name: 'user:hooks.json#exceptions[0]',
        rule: 'git/x',
        subject: { kind: 'command', text: 'git push *' },
        project: '/home/someone/app',
        reason: 'ours',
        endsAtMs: new Date(2099, 1, 1).getTime(),
        place: { line: 4 },
      },
      { rule: 'secrets/*', subject: { kind: 'path', glob: 'fixtures/**' }, project: undefined, endsAtMs: undefined },
    ])
  })

  it.each([
    ['~/.npmrc', '//home/someone/.npmrc'],
    ['/etc/hosts', '//etc/hosts'],
    ['./a', './a'],
  ])('may name a path from the root or the home directory: %s', (path, glob) => {
    expect(one({ rule: 'x', path }).exceptions).toMatchObject([{ subject: { glob } }])
  })

  it.each([
    [{ command: 'a' }, '`rule` is missing'],
    [{ rule: 'x' }, 'the exception names neither a `command` nor a `path`; add a `command` or a `path`'],
    [{ rule: 'x', command: 'a', path: 'b' }, 'the exception names both a `command` and a `path`; make two of it'],
    [{ rule: 'x', commnd: 'a' }, 'unknown key `commnd`; did you mean `command`?'],
    [{ rule: 'x', command: '**' }, '`**` is too wide: it names no program; begin with the program'],
    [{ rule: '*', command: 'git **' }, 'it excepts every rule for `git **`: that is too wide; name the rule'],
    [{ rule: 'x', path: '**' }, '`**` is too wide: it names no file or folder; name one'],
    [{ rule: 'x', path: '/' }, '`/` is too wide'],
    [{ rule: 'x', path: '~/**' }, '`~/**` is too wide'],
    [{ rule: 'x', path: '../a' }, '`../a` leads out with `..`'],
    [{ rule: 'x', path: 'a[bc]' }, '`a[bc]` may except more than it says'],
    [{ rule: 'x', command: 'a; b' }, '`a; b` is not one command; write one exception for each command'],
    [{ rule: 'x', command: 'a', until: 'tomorrow' }, '`tomorrow` is no day; write the last day as `2027-01-31`'],
    [{ rule: 'x', command: 'a', until: '2027-02-30' }, '`2027-02-30` is no day'],
    [{ rule: 'x', command: 'a', project: 'app' }, '`app` is not the whole path of a folder; write it from `/` or `~/`'],
    [{ rule: 'x', command: 'a', project: '/a/*' }, '`/a/*` is not the whole path of a folder'],
    [{ rule: 'x', command: 'x'.repeat(5000) }, '`command`'],
    ['git push', '`exceptions[0]` must be an object, not a string'],
  ])('that are wrong do not load, with place and remedy: %j', (exception, message) => {
    const { exceptions, texts, problems } = one(exception as object)
    expect(exceptions).toEqual([])
    expect(texts.join('\n')).toContain(message)
    expect(problems[0]).toMatchObject({ severity: 'error', place: { line: expect.any(Number) } })
  })

  it('of a project do not load', () => {
    const { exceptions, texts } = loaded({ exceptions: [{ rule: 'x', command: 'a' }] }, 'hookgate', 'project')
    expect(exceptions).toEqual([])
    expect(texts).toEqual([
      "f:2:2: a project's file cannot except rules; put them into ~/.config/hookgate/hooks.json, with the `project` they are for",
    ])
  })

  it('are limited in number', () => {
    const { texts } = loaded({ exceptions: Array.from({ length: 501 }, () => ({ rule: 'x', command: 'a' })) })
    expect(texts.join()).toContain('it has more than 500 exceptions')
  })

  it('in a file of an agent mean nothing', () => {
    const { exceptions } = loaded({ hooks: {}, exceptions: [{ rule: 'x', command: 'a' }] }, 'settings')
    expect(exceptions).toEqual([])
  })

  it('are warned of once they have expired', () => {
    const read = one({ rule: 'x', command: 'a', until: '2020-01-31' })
    const textsAt = (nowMs: number) => exceptionProblems([read], ['/w'], nowMs).map(({ message }) => message)
    expect(textsAt(new Date(2020, 1, 1).getTime())).toEqual(['this exception has expired'])
    expect(textsAt(new Date(2020, 0, 31, 23, 59).getTime())).toEqual(['no rule in force is named `x`'])
  })

  it('are warned of if they name no rule in force, or one with more authority', () => {
    const permissions = { deny: ['Bash(curl *)'] }
    const managed = loaded({ permissions }, 'hookgate', 'managed')
    const user = loaded({
      exceptions: [
        { rule: 'permissions.dney', command: 'a' },
        { rule: 'permissions.deny', command: 'a' },
        { rule: 'elsewhere/x', command: 'a', project: '/nowhere' },
      ],
    })
    const problems = exceptionProblems([managed, user], ['/w'], 0)
    const texts = problems.map((found) => problemText({ ...found, place: { file: 'f' } }))
    expect(texts).toEqual([
      'f: no rule in force is named `permissions.dney`; did you mean `permissions.deny`?',
      expect.stringMatching(
        /^f: a user's file cannot except `permissions.deny`, which is a rule of the managed file; except it in .*hooks\.json$/,
      ),
    ])
    expect(exceptionProblems([loaded({ permissions }), user], ['/w'], 0)).toHaveLength(1)
  })
})
