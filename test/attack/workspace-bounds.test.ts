import { mkdirSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { userName } from '../../src/files/home-folder.ts'
import { createGate } from '../../src/gate/gate.ts'
import { limits } from '../../src/model/limits.ts'
import { openRuleCache, placesFor, readRules, type RulesOptions, trustWorkspace } from '../../src/rules/index.ts'
import { testPolicies } from '../support/sandbox.ts'
import { claudeShell } from '../support/wire.ts'
import { folderWith, rulesWith } from '../support/workspace.ts'

// An agent, or its environment, may change the folders that decide what is a workspace and what is the user's own.

describe('a home folder', () => {
  it.each(['', '.', 'home'])('that is %j does not make the files of a workspace the user’s own', (home) => {
    // A user without an entry in the system's list has no other home folder.
    if (userName() === undefined) {
      expect(() => placesFor({ home, env: {}, cwd: folderWith() })).toThrow('is not an absolute path')
      return
    }
    const places = placesFor({ home, env: {}, cwd: folderWith() })
    expect(places.home).toBe(userInfo().homedir)
    expect(places.configFolder.startsWith(places.home)).toBe(true)
  })
})

describe('a folder called `.git`', () => {
  it('made below a guard does not hide it', async () => {
    const folder = folderWith({
      'home/x': '',
      'proj/.git/HEAD': '',
      'proj/.hookgate/hooks.json': rulesWith('PreToolUse', 'exit 2'),
      'proj/sub/x': '',
    })
    const options: RulesOptions = { home: join(folder, 'home'), managedFolder: folder, env: {}, cwd: folder }
    const sub = join(folder, 'proj/sub')
    await trustWorkspace(join(folder, 'proj'), options, testPolicies())
    mkdirSync(join(sub, '.git'))
    const { rules } = (await readRules(placesFor(options), [sub], testPolicies())).ruleSet
    expect(rules.map(({ id, untrustedReason }) => [id, untrustedReason])).toEqual([
      ['project:hooks.json#PreToolUse[0].hooks[0]', undefined],
    ])
    expect((await openRuleCache(options, testPolicies()).rulesFor([sub])).rules).toHaveLength(1)
  })
})

describe('a working folder', () => {
  it.each(['/a'.repeat(limits.folderCharactersMax), '/a'.repeat(300_000), `/${'a'.repeat(600_000)}`])(
    'that is longer than any path is refused, and its parents are not looked at',
    async (cwd) => {
      const gate = createGate({ discover: false, home: folderWith() })
      const answer = await gate.answer(claudeShell('ls', cwd), { agent: 'claude-code' })
      await gate.close()
      expect(answer).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('at most 4096 characters') })
    },
  )

  it('of many levels that do not exist is one like any other', async () => {
    const gate = createGate({ home: folderWith(), managedFolder: folderWith() })
    const cwd = '/a'.repeat(1500)
    const answer = await gate.answer(claudeShell('ls', cwd), { agent: 'claude-code' })
    await gate.close()
    expect(answer).toMatchObject({ exitCode: 0, stderr: '' })
  })
})
