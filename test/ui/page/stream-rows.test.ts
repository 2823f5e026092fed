import { expect, it } from 'vitest'
import type { ListedDecision } from '../../../src/ui/routes/decisions.ts'
import { bySession, foldAlike, type StreamRow, unfolded } from '../../../src/ui/page/views/now/use-feed.ts'

/** Decisions, the newest first, each `COMMAND` that passed or `!COMMAND` that was refused, with `@SESSION`. */
const decisions = (...texts: readonly string[]): readonly ListedDecision[] =>
  texts.map((text, index) => {
    const [, refused = '', subject = '', session = 's'] = /^(!?)(.*?)(?:@(.*))?$/.exec(text) ?? []
    return {
      seq: texts.length - index,
      id: text,
      at: '2026-11-26T10:00:00.000Z',
      session,
      tool: 'Bash',
      subject,
      outcome: refused === '' ? 'abstain' : 'deny',
      durationMs: 1,
    }
  })

const shown = (rows: readonly StreamRow[]) =>
  rows.map((one) => (one.kind === 'decision' ? one.row.id : `${one.kind} ${one.rows.map(({ id }) => id).join(' ')}`))

const never = () => false

it.each([
  ['nothing', [], []],
  ['one call that passed', ['a'], ['a']],
  ['calls that passed', ['a', 'b', 'c'], ['passed a b c']],
  ['a refusal between them', ['a', 'b', '!x', 'c', 'd'], ['passed a b', '!x', 'passed c d']],
  ['the same refusal twice', ['!x', '!x', 'a'], ['alike !x !x', 'a']],
  ['the same refusal after calls that passed', ['!x', 'a', 'b', '!x', 'c'], ['alike !x !x', 'passed a b c']],
  ['another refusal between', ['!x', '!y', '!x'], ['!x', '!y', '!x']],
  ['the same refusal in another session', ['!x@1', '!x@2'], ['!x@1', '!x@2']],
])('%s is folded so that what stands out is seen first', (_what, texts, rows) => {
  expect(shown(foldAlike(decisions(...texts), never))).toEqual(rows)
})

it('a decision that only observed, failed or ended a turn stands out as a refusal does', () => {
  for (const mark of ['isObserved', 'isFailed', 'isEnded'] as const) {
    const marked = decisions('a', 'b', 'c').map((row) => (row.id === 'a' ? Object.assign(row, { [mark]: true }) : row))
    expect(shown(foldAlike(marked, never))).toEqual(['a', 'passed b c'])
  }
})

it('an opened line has its decisions below it, and stays open while newer ones join', () => {
  const [line] = foldAlike(decisions('a', 'b'), never)
  const isOpen = (key: string) => key === line?.key
  expect(shown(foldAlike(decisions('a', 'b'), isOpen))).toEqual(['passed a b', 'a', 'b'])
  expect(shown(foldAlike(decisions('new', 'a', 'b'), isOpen))).toEqual(['passed new a b', 'new', 'a', 'b'])
})

it('sessions are put together, each folded by itself, and every line has a name of its own', () => {
  const rows = bySession(decisions('a@1', '!x@2', 'b@1', 'c@2', 'd@2'), (own) => foldAlike(own, never))
  expect(shown(rows)).toEqual(['session a@1 b@1', 'passed a@1 b@1', 'session !x@2 c@2 d@2', '!x@2', 'passed c@2 d@2'])
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
  expect(shown(bySession(decisions('a@1', 'b@2'), unfolded))).toEqual(['session a@1', 'a@1', 'session b@2', 'b@2'])
})
