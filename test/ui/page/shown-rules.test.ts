import { expect, it } from 'vitest'
import { ownSource, titleOfSource } from '../../../src/ui/page/views/rules/shown-rules.ts'

const source = (id: string, scope: 'managed' | 'explicit' | 'user' | 'project') => ({ id, scope, file: `/etc/${id}` })

it('rules of the person’s own file can be changed on the page', () => {
  expect(titleOfSource(source(ownSource, 'user'))).toEqual({
    title: 'Your own rules',
    locked: undefined,
    file: `/etc/${ownSource}`,
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
