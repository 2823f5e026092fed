import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isPolicyRule } from '../../src/model/rule.ts'
import { packFiles, packRules } from '../support/packs.ts'
import { policyMachine, policyText } from '../support/policies.ts'

const file = 'work/.hookgate/hooks.json'
const secret = '{ "password": "hunter2" }'
const own = 'work/.hookgate/own'

describe('a pack from a workspace', () => {
  it.each(['../../outside', './../../outside', '../../work/../outside', './own/../../../outside'])(
    'cannot be a folder outside of it: %s',
    async (pack) => {
      const { read } = policyMachine({ [file]: packRules({ pack }), ...packFiles(own), ...packFiles('outside') })
      const { problems, ids } = await read()
      expect(problems).toEqual([expect.stringContaining('is outside the workspace; copy it into the workspace')])
      expect(ids).toEqual([])
    },
  )

  it('cannot be a link to a pack outside, and nothing of its content is revealed', async () => {
    const machine = policyMachine({
      [file]: packRules({ pack: './link' }),
      'outside/pack.json': secret,
      'outside/x.policy.ts': secret,
    })
    symlinkSync(join(machine.folder, 'outside'), join(machine.work, '.hookgate/link'))
    const { problems } = await machine.read()
    expect(problems).toEqual([expect.stringContaining('is outside the workspace')])
    expect(problems.join()).not.toMatch(/password|hunter2/)
  })

  it.each(['pack.json', 'first.policy.ts'])(
    'cannot have a link out of it for its %s, nor reveal the target',
    async (name) => {
      const machine = policyMachine({ [file]: packRules({ pack: './own' }), ...packFiles(own), 'outside/x': secret })
      rmSync(join(machine.folder, own, name))
      symlinkSync(join(machine.folder, 'outside/x'), join(machine.folder, own, name))
      const { problems } = await machine.read()
      expect(problems).toContainEqual(
        expect.stringMatching(/a link that points outside its pack|a symbolic link leads outside the workspace/),
      )
      expect(problems.join()).not.toMatch(/password|hunter2/)
    },
  )

  it('cannot import files outside of it', async () => {
    const machine = policyMachine({
      [file]: packRules({ pack: './own' }),
      ...packFiles(own),
      [`${own}/third.policy.ts`]: `import '../../../outside/x.ts'\n${policyText('third')}`,
      'outside/x.ts': secret,
    })
    expect((await machine.read()).problems).toEqual([expect.stringMatching(/leads outside/)])
  })

  it('is not a shipped one, whatever its folder is called', async () => {
    const { read } = policyMachine({
      [file]: packRules({ pack: './git-safety' }),
      ...packFiles('work/.hookgate/git-safety'),
    })
    const { rules } = await read()
    expect(rules.filter(isPolicyRule).every(({ handler }) => handler.file.includes('/work/.hookgate/'))).toBe(true)
    expect(rules).toHaveLength(2)
  })

  it('cannot loosen: until it is trusted, its `allow` answers are dropped', async () => {
    const { read } = policyMachine({ [file]: packRules({ pack: './own' }), ...packFiles(own) })
    expect((await read()).rules.map(({ untrustedReason }) => untrustedReason)).toEqual([
      expect.stringContaining('it came with the workspace'),
      expect.stringContaining('it came with the workspace'),
    ])
  })
})

describe('params of a pack', () => {
  it.each(['constructor', 'toString', 'hasOwnProperty', '__defineGetter__', 'valueOf'])(
    'that are named like inherited properties are unknown like others: %s',
    async (name) => {
      const { read } = policyMachine({ [file]: packRules({ pack: './own', params: { [name]: 1 } }), ...packFiles(own) })
      expect((await read()).problems).toEqual([
        expect.stringContaining(`no rule in the pack \`own\` has a param \`${name}\``),
      ])
    },
  )

  it('cannot be `__proto__`', async () => {
    const text = '{ "packs": [{ "pack": "./own", "params": { "__proto__": { "limit": 9 } } }] }'
    const { read } = policyMachine({ [file]: text, ...packFiles(own) })
    expect((await read()).problems).toContainEqual(expect.stringContaining('a key cannot be `__proto__`'))
  })

  it.each([
    ['params', { params: Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`limi${n}`, n])) }],
    ['switched off rules', { disable: Array.from({ length: 20_000 }, (_, n) => `firs${n}`) }],
  ])('may be misspelt by the thousand, and only some are reported: %s', async (_, more) => {
    const { read } = policyMachine({ [file]: packRules({ pack: './own', ...more }), ...packFiles(own) })
    expect((await read({ trustWorkspace: true })).problems).toHaveLength(100)
  })

  it('may be a thousand packs, of which a hundred are read', async () => {
    const packs = Array.from({ length: 1000 }, (_, n) => ({ pack: `none-${n}` }))
    const { read } = policyMachine({ [file]: packRules(...packs) })
    const { problems } = await read()
    expect(problems).toHaveLength(101)
    expect(problems).toContainEqual(expect.stringContaining('it turns on more than 100 packs'))
  })
})

describe('a pack.json', () => {
  it.each([
    ['that is huge', `{ "description": "${'x'.repeat(3 * 1024 * 1024)}" }`, /it cannot be read: /],
    ['that nests deep', `{ "description": ${'['.repeat(5000)}${']'.repeat(5000)} }`, /brackets are nested/],
    ['with a key twice', '{ "description": "x", "description": "y" }', /appears twice/],
    ['with `__proto__`', '{ "description": "x", "__proto__": {} }', /a key cannot be `__proto__`/],
    ['that is a list', '[]', /must be an object/],
  ])('%s is refused', async (_, text, problem) => {
    const { read } = policyMachine({
      [file]: packRules({ pack: './own' }),
      ...packFiles(own),
      [`${own}/pack.json`]: text,
    })
    expect((await read()).problems).toContainEqual(expect.stringMatching(problem))
  })

  it('that is a folder is refused', async () => {
    const { 'work/.hookgate/own/pack.json': _, ...rest } = packFiles(own)
    const { read } = policyMachine({ [file]: packRules({ pack: './own' }), ...rest, [`${own}/pack.json/x`]: '' })
    expect((await read()).problems).toContainEqual(expect.stringContaining('pack.json: it cannot be read'))
  })
})
