import { expect, it } from 'vitest'
import { watchRuleProblems } from '../../../src/service/server/gate-status.ts'

const nowhere = { info: () => undefined, warn: () => undefined }

it('a mistake in the user’s rules is not said again for each workspace', () => {
  const problems = watchRuleProblems(nowhere as unknown as Parameters<typeof watchRuleProblems>[0])
  const at = (time: string) => `the rules do not load: a.json:1: wrong; the rules as of ${time} stay in force`
  problems.onRulesRead([], [at('2026-11-28T06:49:14Z')])
  problems.onRulesRead(['/work'], [at('2026-11-28T06:49:19Z'), 'b.json:1: wrong'])
  expect(problems.everywhere).toEqual([at('2026-11-28T06:49:14Z')])
  expect(problems.inWorkspaces).toEqual(['in /work: b.json:1: wrong'])
})
