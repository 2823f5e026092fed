import { expect, it } from 'vitest'
import { weekLines } from '../../../src/ui/page/views/history/week-lines.ts'

type Week = Parameters<typeof weekLines>[0]
type Figures = Week['now']

const none = { decided: 0, refused: 0, asked: 0, observed: 0, failed: 0 }
const rule = (some: Partial<Figures['rules'][number][1]>) => ({
  answered: 0,
  refused: 0,
  asked: 0,
  observed: 0,
  failed: 0,
  ...some,
})
const figures = (all: Partial<Figures['all']>, more: Partial<Omit<Figures, 'all'>> = {}): Figures => ({
  all: { ...none, ...all },
  rules: [],
  agents: [],
  ...more,
})

/** Returns what is said, as one line each. */
const said = (week: Week) =>
  weekLines(week).map(({ text, rules = [], agents = [] }) =>
    [text, ...[...rules, ...agents].map(({ name, counts }) => `${name} (${counts})`)].join(' '),
  )

it.each<readonly [what: string, both: Figures, now: Figures, lines: readonly string[]]>([
  ['of two empty weeks', figures({}), figures({}), ['Nothing was decided in these two weeks.']],
  [
    'where the record begins with this week',
    figures({ decided: 5, refused: 2 }),
    figures({ decided: 5, refused: 2 }),
    ['Nothing is recorded of the week before, so there is nothing to compare with.'],
  ],
  [
    'where nothing is different',
    figures({ decided: 2000, refused: 6, asked: 2 }),
    figures({ decided: 1000, refused: 3, asked: 1 }),
    [
      '1,000 calls were decided, as many as before.',
      '3 calls were refused, as many as before.',
      '1 call was asked about, as many as before.',
    ],
  ],
  [
    'where more is refused, and less asked about',
    figures({ decided: 30, refused: 9, asked: 4, observed: 2, failed: 1 }),
    figures({ decided: 10, refused: 7, failed: 1 }),
    [
      '10 calls were decided, 10 fewer than before.',
      '7 calls were refused, 5 more than before.',
      'No call was asked about, 4 fewer than before.',
      'No call was only observed, 2 fewer than before.',
      '1 decision had a failure, 1 more than before.',
    ],
  ],
  [
    'of rules that are new, that are gone, and that object more or less often, the greatest change first',
    figures(
      { decided: 20 },
      {
        rules: [
          ['fresh', rule({ refused: 1, observed: 2 })],
          ['gone', rule({ asked: 3 })],
          ['more', rule({ refused: 3 })],
          ['most', rule({ refused: 10 })],
          ['less', rule({ asked: 3, refused: 2 })],
          ['same', rule({ refused: 2 })],
          ['onlyAnswered', rule({ answered: 9 })],
        ],
      },
    ),
    figures(
      { decided: 10 },
      {
        rules: [
          ['fresh', rule({ refused: 1, observed: 2 })],
          ['more', rule({ refused: 2 })],
          ['most', rule({ refused: 9 })],
          ['less', rule({ asked: 1 })],
          ['same', rule({ refused: 1 })],
          ['onlyAnswered', rule({ answered: 9 })],
        ],
      },
    ),
    [
      '10 calls were decided, as many as before.',
      'Rules that objected this week and not the week before: fresh (refused 1, observed 2)',
      'Rules that objected the week before and not since: gone (asked 3)',
      'Rules that objected more often: most (9, before 1) more (2, before 1)',
      'Rules that objected less often: less (1, before 4)',
    ],
  ],
  [
    'of agents that are new, and that are silent; one without a name is none',
    figures(
      { decided: 10 },
      {
        agents: [
          ['codex', 1],
          ['cursor', 1200],
          ['claude-code', 5],
          ['constructor', 2],
          ['', 3],
        ],
      },
    ),
    figures(
      { decided: 4 },
      {
        agents: [
          ['codex', 1],
          ['claude-code', 2],
          ['', 3],
        ],
      },
    ),
    [
      '4 calls were decided, 2 fewer than before.',
      'Agents that asked this week and not the week before: codex (1 call)',
      'Agents that asked the week before and not since: cursor (1,200 calls) constructor (2 calls)',
    ],
  ],
])('the changes since last week %s are told in plain sentences', (_what, both, now, lines) => {
  expect(said({ both, now })).toEqual(lines)
})
