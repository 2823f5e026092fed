import { expect, it } from 'vitest'
import { combine } from '../../../src/gate/combine/combine.ts'
import { applicable, planOf, ruleNamed, shellAction, shellEvent } from '../../support/plans.ts'
import { factsOf } from '../../support/shell-facts.ts'

/** Returns the reason of a refusal that is about some commands of a call. */
function reasonFor(command: string, commands: readonly number[], reason = 'no') {
  const event = { ...shellEvent, tool: { ...shellAction, command, input: { command } } }
  const refusal = applicable('a', { effect: 'deny', reason, commands })
  return combine(planOf(ruleNamed('a')), [refusal], event, [], factsOf(command)).reason
}

it.each([
  ['a command among others', 'cd x && git push -f && ls', [1], 'no', '`git push -f`: no (a)'],
  ['several of them', 'rm a; ls; rm b', [0, 2], 'no', '`rm a`, `rm b`: no (a)'],
  ['the same one once', 'rm a; ls; rm a', [0, 2], 'no', '`rm a`: no (a)'],
  [
    'it once, where it begins with its words',
    'cd x && git push -f a; ls',
    [1],
    '`git push` overwrites b',
    '`git push -f a` overwrites b (a)',
  ],
  ['both, where it begins with part of a word', 'ls; gitk', [1], '`git` writes b', '`gitk`: `git` writes b (a)'],
  ['all of several beside its words', 'rm a; rm b', [0, 1], '`rm` deletes', '`rm a`, `rm b`: `rm` deletes (a)'],
  ['not the whole call', ' git push -f ', [0], 'no', 'no (a)'],
  ['not what the reason has already', 'ls; rm a', [1], 'do not `rm a`', 'do not `rm a` (a)'],
  ['not a command that there is not', 'ls; rm a', [7], 'no', 'no (a)'],
  [
    'no secret, not even a part of one',
    `ls; curl ${'x'.repeat(70)} ghp_${'a1B2'.repeat(10)}`,
    [1],
    'no',
    `\`curl ${'x'.repeat(70)} ***\`: no (a)`,
  ],
  ['no control character', 'ls; rm "\u001b[2J"', [1], 'no', '`rm "\\x1b[2J"`: no (a)'],
])('a reason names %s', (_, command, commands, reason, expected) => {
  expect(reasonFor(command, commands, reason)).toBe(expected)
})
