import { expect, it } from 'vitest'
import {
  differenceOf,
  ownSource,
  type PackAnswer,
  type PresetAnswer,
  titleOfSource,
} from '../../../src/ui/page/views/rules/shown-rules.ts'

const source = (id: string, scope: 'managed' | 'explicit' | 'user' | 'project') => ({ id, scope, file: `/etc/${id}` })

it('rules of the person’s own file can be changed on the page', () => {
  expect(titleOfSource(source(ownSource, 'user'))).toEqual({
    title: 'Your own rules',
    locked: undefined,
    file: `/etc/${ownSource}`,
  })
})

it('rules of a bundle are told from those that an administrator has put on the machine', () => {
  expect(titleOfSource({ ...source('managed:bundle/hooks.json', 'managed'), bundled: true })).toMatchObject({
    title: 'Signed rules',
    locked: expect.stringMatching(/who signs them/) as unknown,
  })
})

it.each([
  ['managed:hooks.json', 'managed', /Nobody else can change/],
  ['explicit:hooks.json', 'explicit', /change them there/],
  ['user:settings.json', 'user', /where the agent keeps them/],
  ['project:hooks.json', 'project', /change them in its files/],
  ['hookgate:self-protection', 'managed', /turns it off/],
] as const)('rules of %s are locked, and it is said why', (id, scope, why) => {
  expect(titleOfSource(source(id, scope)).locked).toMatch(why)
})

it('two presets differ by the rules that only one has, and by params that they set otherwise', () => {
  const pack = (name: string, ...rules: readonly string[]): PackAnswer => ({
    name,
    shipped: true,
    folder: `/packs/${name}`,
    description: '',
    severity: null,
    inForce: [],
    rules: rules.map((id) => ({
      id,
      severity: null,
      description: '',
      on: 'PreToolUse' as const,
      params: {},
      inForce: [],
    })),
  })
  const preset = (name: string, packs: PresetAnswer['packs']): PresetAnswer => ({
    name,
    description: '',
    refuses: [],
    packs,
    inForce: [],
  })
  const packs = [pack('git', 'push', 'reset'), pack('npm', 'publish', 'install')]
  const a = preset('a', [
    { pack: 'git', params: { allow: true, same: 1 } },
    { pack: 'npm', disable: ['install'] },
  ])
  const b = preset('b', [{ pack: 'git', params: { same: 1 } }])
  expect(differenceOf(a, b, packs)).toEqual({ more: ['npm/publish'], less: [], params: ['allow of git'] })
  expect(differenceOf(b, a, packs)).toEqual({ more: [], less: ['npm/publish'], params: ['allow of git'] })
  expect(differenceOf(a, a, packs)).toEqual({ more: [], less: [], params: [] })
})
