import { chmodSync, chownSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkRules } from '../../src/install/doctor/examine.ts'
import { rulesBy } from '../../src/install/rules-here.ts'
import { placesOf } from '../../src/files/state/places.ts'
import { placesFor, problemText, readRules, type RulesOptions } from '../../src/rules/index.ts'
import { policyText } from '../support/policies.ts'
import { testPolicies } from '../support/sandbox.ts'
import { folderWith } from '../support/workspace.ts'

// Whoever may write a managed file, or replace it, is an administrator of these rules. Where that is more than the
// administrator, nobody is told that the file is managed, and its rules stay in force.

const user = process.getuid?.() ?? 0
const isRoot = user === 0

const files = {
  'etc/hookgate/hooks.json': { json: { permissions: { deny: ['WebFetch'] } } },
  'etc/hookgate/policies/a.policy.ts': policyText('a'),
  'etc/hookgate/policies/deep/b.policy.ts': `import { word } from '../lib.ts'\n${policyText('b', '', 'return deny(word)')}`,
  'etc/hookgate/policies/lib.ts': "export const word = 'no'\n",
  'home/own/hooks.json': { json: { permissions: { deny: ['WebFetch'] } } },
  'opt/guard.sh': { script: '#!/bin/sh\n' },
}

/** A machine whose folders are as an administrator leaves them. */
function machine(more: Parameters<typeof folderWith>[0] = {}) {
  const folder = folderWith({ ...files, ...more })
  const at = (path: string) => join(folder, path)
  for (const path of ['', 'etc', 'etc/hookgate', 'etc/hookgate/policies', 'etc/hookgate/policies/deep', 'home', 'opt'])
    chmodSync(at(path), 0o755)
  for (const path of Object.keys(files)) chmodSync(at(path), path.startsWith('opt') ? 0o755 : 0o644)
  const options: RulesOptions = { home: at('home'), managedFolder: at('etc/hookgate'), env: {}, cwd: folder }
  const read = async (given: RulesOptions = {}) => {
    const { problems, unmanaged, errors, ruleSet } = await readRules(
      placesFor({ ...options, ...given }),
      [],
      testPolicies(),
    )
    const texts = unmanaged.map((one) => problemText(one).replaceAll(folder, ''))
    expect(problems).toEqual(unmanaged)
    return { texts, errors, ids: ruleSet.rules.map(({ id }) => id) }
  }
  return { folder, at, read, options }
}

type Machine = ReturnType<typeof machine>

const inForce = ['managed:hooks.json#permissions.deny', 'managed:policies#a', 'managed:policies#b']

const rows: readonly (readonly [string, (one: Machine) => void, string, string])[] = [
  [
    'the file is writable by everyone',
    ({ at }) => chmodSync(at('etc/hookgate/hooks.json'), 0o666),
    '/etc/hookgate/hooks.json: this does not count as managed: every user may write it',
    'chmod go-w /etc/hookgate/hooks.json',
  ],
  [
    'the file is writable by its group',
    ({ at }) => chmodSync(at('etc/hookgate/hooks.json'), 0o664),
    '/etc/hookgate/hooks.json: this does not count as managed: the group ',
    'chmod go-w /etc/hookgate/hooks.json',
  ],
  [
    'its folder is writable by everyone',
    ({ at }) => chmodSync(at('etc/hookgate'), 0o777),
    '/etc/hookgate/hooks.json: this does not count as managed, and /etc/hookgate leads to it: every user may replace what is in it',
    'chmod go-w /etc/hookgate',
  ],
  [
    'its folder is shared like that of temporary files: anybody may add policies',
    ({ at }) => chmodSync(at('etc/hookgate'), 0o1777),
    'and /etc/hookgate leads to it: every user may replace what is in it',
    'chmod go-w /etc/hookgate',
  ],
  [
    'a folder further up is writable by its group',
    ({ at }) => chmodSync(at('etc'), 0o775),
    'and /etc leads to it: the group ',
    'chmod go-w /etc',
  ],
  [
    'the folder of its policies is writable by everyone',
    ({ at }) => chmodSync(at('etc/hookgate/policies'), 0o757),
    '/etc/hookgate/policies: this does not count as managed: every user may replace what is in it',
    'chmod go-w /etc/hookgate/policies',
  ],
  [
    'a policy is writable by everyone',
    ({ at }) => chmodSync(at('etc/hookgate/policies/a.policy.ts'), 0o646),
    '/etc/hookgate/policies/a.policy.ts: this does not count as managed: every user may write it',
    'chmod go-w /etc/hookgate/policies/a.policy.ts',
  ],
  [
    'a module that a policy imports is writable by its group',
    ({ at }) => chmodSync(at('etc/hookgate/policies/lib.ts'), 0o664),
    '/etc/hookgate/policies/lib.ts: this does not count as managed: the group ',
    'chmod go-w /etc/hookgate/policies/lib.ts',
  ],
  [
    'a folder below its policies, which may yet get some, is writable by everyone',
    ({ at }) => {
      mkdirSync(at('etc/hookgate/policies/later'))
      chmodSync(at('etc/hookgate/policies/later'), 0o777)
    },
    '/etc/hookgate/policies/later: this does not count as managed: every user may replace what is in it',
    'chmod go-w /etc/hookgate/policies/later',
  ],
]

describe.skipIf(process.platform === 'win32')('a managed file is not called managed if', () => {
  it.each(rows)('%s', async (_, weaken, says, remedy) => {
    const one = machine()
    weaken(one)
    const { texts, errors, ids } = await one.read()
    expect(texts.join('\n')).toContain(says)
    expect(texts.join('\n')).toContain(`; its rules stay in force; run \`${remedy}\` as an administrator`)
    expect(errors).toEqual([])
    expect(ids).toEqual(inForce)
  })

  it('a link leads to a file that everyone may write', async () => {
    const one = machine({ 'home/own/shared.json': { json: { permissions: { deny: ['WebFetch'] } } } })
    chmodSync(one.at('home/own'), 0o755)
    chmodSync(one.at('home/own/shared.json'), 0o666)
    const elsewhere = one.at('etc/other')
    mkdirSync(elsewhere, { mode: 0o755 })
    symlinkSync('../../home/own/shared.json', join(elsewhere, 'hooks.json'))
    const { texts, ids } = await one.read({ managedFolder: elsewhere })
    expect(texts).toEqual([
      '/etc/other/hooks.json: this does not count as managed, and /home/own/shared.json leads to it: every user may write it; its rules stay in force; replace the link /etc/other/hooks.json by a copy that only an administrator can write',
    ])
    expect(ids).toEqual(['managed:hooks.json#permissions.deny'])
  })

  it('its folder is a link, and what holds the target may be replaced', async () => {
    const one = machine()
    chmodSync(one.at('home/own'), 0o777)
    symlinkSync('../home/own', one.at('etc/linked'))
    const { texts } = await one.read({ managedFolder: one.at('etc/linked') })
    expect(texts).toEqual([
      expect.stringMatching(/and \/home\/own leads to it: every user.*replace the link \/etc\/linked/),
    ])
  })

  it('the program of its hook is writable by everyone', async () => {
    const folder = folderWith({ 'guard.sh': { script: '#!/bin/sh\n' } })
    chmodSync(folder, 0o755)
    const guard = join(folder, 'guard.sh')
    const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: `"${guard}" --strict` }] }] }
    const one = machine({ 'etc/hookgate/hooks.json': { json: { hooks } } })
    chmodSync(one.at('etc/hookgate/hooks.json'), 0o644)
    expect((await one.read()).texts).toEqual([])
    chmodSync(guard, 0o777)
    expect((await one.read()).texts).toEqual([
      expect.stringContaining(`${guard}: this does not count as managed: every user`),
    ])
  })

  it('somebody else owns it, or a folder above it', async () => {
    for (const path of ['etc', 'etc/hookgate', 'etc/hookgate/hooks.json', 'etc/hookgate/policies/a.policy.ts']) {
      const one = machine()
      // Only root can give a file away. For anybody else, the administrator is another.
      if (isRoot) chownSync(one.at(path), 4321, 4321)
      // oxlint-disable-next-line no-await-in-loop -- one machine at a time
      const { texts, ids } = await one.read({ managedOwners: [0] })
      expect(texts.join('\n')).toMatch(
        isRoot ? /user id 4321 owns it and may change it; .* `chown 0 / : /user id \d+ owns it/,
      )
      expect(ids).toEqual(inForce)
    }
  })
})

describe.skipIf(process.platform === 'win32')('a managed file', () => {
  it('that only an administrator may write is called managed, also below a folder of temporary files', async () => {
    const { read } = machine()
    expect(await read()).toEqual({ texts: [], errors: [], ids: inForce })
  })

  it('is root’s by default, and that of whoever runs the gate where the folder is named', () => {
    expect(placesFor({}).managedOwners).toEqual([0])
    expect(placesFor({ managedFolder: '/x' }).managedOwners).toEqual([0, user])
  })

  it('that anyone may write is what `doctor` and `status` report', async () => {
    const { at, folder, options } = machine()
    chmodSync(at('etc/hookgate/hooks.json'), 0o666)
    const says = /hooks\.json: this does not count as managed: every user may write it/
    const { managedFolder } = options
    const here = { env: {}, cwd: folder, home: at('home'), managedFolder }
    const places = placesOf({ env: {}, platform: 'linux', uid: user, home: at('home') })
    expect(await checkRules({ ...here, places, version: '0' }, [])).toContainEqual({
      about: 'rules',
      state: 'notSafe',
      what: expect.stringMatching(says),
    })
    const { unmanaged, protection } = await rulesBy(testPolicies(), here, [])
    expect(unmanaged).toEqual([expect.stringMatching(says)])
    expect(protection).toBe('enforce')
  })
})
