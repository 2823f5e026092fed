import { expect, it } from 'vitest'
import { namesRule, mayNameRule } from '../../../src/rules/match/word-pattern.ts'

const source = {
  id: 'user:hooks.json',
  scope: 'user',
  file: '/home/u/hooks.json',
  workspaceRoot: undefined,
  pluginRoot: undefined,
} as const

it.each([
  ['user:hooks.json/git-safety/force-push', 'git-safety/force-push', true],
  ['user:hooks.json/git-safety/force-push', 'git-safety/*', true],
  ['user:hooks.json/git-safety/force-push', 'user:hooks.json/git-safety/force-push', true],
  ['user:hooks.json/git-safety/force-push', '*', true],
  ['user:hooks.json/git-safety/force-push', 'git-safety', false],
  ['user:hooks.json/git-safety/force-push', 'git-safety/force', false],
  ['user:hooks.json#permissions.ask', 'permissions.ask', true],
  ['user:hooks.json#permissions.ask', 'permissions.deny', false],
] as const)('the rule %s is named by %s: %s, and may be where only its id is known', (id, pattern, isNamed) => {
  expect([namesRule(pattern, { id, source }), mayNameRule(pattern, id)]).toEqual([isNamed, isNamed])
})

it('where only its id is known, the end of its source is not: a pattern may then name more rules, and never fewer', () => {
  const rule = { id: 'user:hooks.json/git-safety/force-push', source }
  expect([namesRule('force-push', rule), mayNameRule('force-push', rule.id)]).toEqual([false, true])
})
