import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wordsOf } from '../../src/changes/change.ts'
import { installContextFor } from '../../src/cli/args/flags.ts'
import { changeOf, openChanges, PageChange } from '../../src/ui/routes/changes.ts'
import { residentUser } from '../support/resident.ts'
import { runsOf } from '../support/sample.ts'

const own = 'home/.config/hookgate/hooks.json'
const text =
  '{\n    "preset": "recommended",\n\n    "exceptions": [{ "rule": "force-push", "command": "git push -f" }]\n}\n'
const off = changeOf({ kind: 'pack', pack: 'git-safety', to: 'off' })

function changing() {
  const user = residentUser({ [own]: text, 'project/x': '' })
  return {
    ...user,
    project: join(user.folder, 'project'),
    file: join(user.folder, own),
    changes: openChanges({ installingIn: (cwd) => installContextFor({ env: user.env, cwd }), env: user.env }),
  }
}

describe('a change of the page', () => {
  it('is not made if the file changed since it was shown', async () => {
    const { changes, project, file } = changing()
    const { id, files, byHand } = await changes.propose(off, project)
    expect([byHand, files.map((one) => one.file)]).toEqual(['hookgate packs git-safety --off', [file]])
    writeFileSync(file, `${text}\n`)
    await expect(changes.carryOut(id)).rejects.toThrow('changed meanwhile')
    expect(readFileSync(file, 'utf8')).toBe(`${text}\n`)
  })

  it('is made alone, once, and taken back only while the file is as it left it', async () => {
    const { changes, project, file } = changing()
    const { id } = await changes.propose(off, project)
    const first = changes.carryOut(id)
    await expect(changes.carryOut(id)).rejects.toThrow('another change is being made')
    await first
    await expect(changes.carryOut(id)).rejects.toThrow('made already')
    const after = readFileSync(file, 'utf8')
    writeFileSync(file, `${after}\n`)
    await expect(changes.undo(id)).rejects.toThrow('changed since')
    writeFileSync(file, after)
    await changes.undo(id)
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(changes.list()).toEqual([])
  })

  it('removes an exception, and puts it back to the byte', async () => {
    const { changes, project, file, cli } = changing()
    const { exceptions } = JSON.parse((await cli(['allow', '--list', '--json'])).stdout) as {
      readonly exceptions: readonly { readonly key: string }[]
    }
    const { id } = await changes.propose({ kind: 'removeException', key: exceptions[0]?.key ?? '' }, project)
    await changes.carryOut(id)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ preset: 'recommended' })
    await changes.undo(id)
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it('says that nothing would change where it is so already', async () => {
    const { changes, project } = changing()
    expect(
      (await changes.propose(changeOf({ kind: 'preset', preset: 'recommended', to: 'on' }), project)).isNothing,
    ).toBe(true)
  })

  it('has no value that a command takes for a flag', () => {
    const flags = new Set([
      'on',
      'off',
      'param',
      'unset',
      'reason',
      'until',
      'remove',
      'once',
      'revoke',
      'preset',
      'via',
    ])
    const word = fc.oneof(fc.string(), fc.constantFrom('--on', '-h', '--dry-run', '--json', '/a', '/-x', 'a=b', '--'))
    const asked = fc.oneof(
      fc.record({ kind: fc.constant('preset'), preset: word, to: fc.constant('on') }),
      fc.record({ kind: fc.constant('pack'), pack: word, to: fc.constant('off') }),
      fc.record({ kind: fc.constant('rule'), pack: word, rule: word, to: fc.constant('off') }),
      fc.record({ kind: fc.constant('param'), pack: word, param: word, value: word }),
      fc.record({ kind: fc.constant('unsetParam'), pack: word, param: word }),
      fc.record({ kind: fc.constant('allow'), id: word, extent: fc.constant('once'), reason: word }),
      fc.record({ kind: fc.constant('allowUntil'), id: word, day: word, reason: word }),
      fc.record({ kind: fc.constant('removeException'), key: word }),
      fc.record({ kind: fc.constantFrom('trust', 'revokeTrust'), folder: word }),
      fc.record({ kind: fc.constant('enable'), agent: word, preset: word }),
    )
    fc.assert(
      fc.property(asked, (value) => {
        const { data } = PageChange.safeParse(value)
        if (data === undefined) return
        const argv = wordsOf(changeOf(data))
        const given = argv.slice(1).filter((one) => one.startsWith('-'))
        expect(given.map((one) => /^--([a-z]+)(?:=|$)/.exec(one)?.[1]).every((name) => flags.has(name ?? ''))).toBe(
          true,
        )
        // One flag of its kind, and none that the page's values could add.
        expect(given.length).toBeLessThanOrEqual(2)
      }),
      { numRuns: runsOf(2000) },
    )
    expect(PageChange.safeParse({ kind: 'pack', pack: '--dry-run', to: 'on' }).success).toBe(false)
    expect(PageChange.safeParse({ kind: 'trust', folder: '--list' }).success).toBe(false)
  })
})
