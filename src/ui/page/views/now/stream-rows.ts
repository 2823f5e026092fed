import type { ListedDecision } from '../../../routes/decisions.ts'

/** A line of the stream. */
export type StreamRow =
  | { readonly kind: 'decision'; readonly key: string; readonly row: ListedDecision }
  /** Several decisions about the same call, the newest first. */
  | { readonly kind: 'alike'; readonly key: string; readonly rows: Decisions; readonly isOpen: boolean }
  /** Several calls that passed, one after the other. */
  | { readonly kind: 'passed'; readonly key: string; readonly rows: Decisions; readonly isOpen: boolean }
  /** Begins the decisions of a session. */
  | { readonly kind: 'session'; readonly key: string; readonly rows: Decisions }

type Decisions = readonly [ListedDecision, ...ListedDecision[]]

/** Returns whether a person looks for a decision: it was more than a call that passed. */
export const standsOut = ({ outcome, ...marks }: ListedDecision): boolean =>
  (outcome !== 'abstain' && outcome !== 'allow') ||
  [marks.isApproved, marks.isObserved, marks.isFailed, marks.isEnded].includes(true)

/**
 * Folds decisions, the newest first: a call that is decided again joins the newest one, and calls that passed between
 * are one line.
 *
 * @param isOpen says whether the decisions of a folded line are shown below it
 */
export function foldAlike(
  decisions: readonly ListedDecision[],
  isOpen: (key: string) => boolean,
): readonly StreamRow[] {
  const result: StreamRow[] = []
  let alike: ListedDecision[] = []
  let passed: ListedDecision[] = []
  const add = (kind: 'alike' | 'passed', [first, ...others]: readonly ListedDecision[]) => {
    if (first === undefined) return
    if (others.length === 0) return void result.push(decisionRow(first))
    // The oldest stays the same while others come.
    const key = `${kind}-${others.at(-1)?.seq}`
    result.push({ kind, key, rows: [first, ...others], isOpen: isOpen(key) })
    if (isOpen(key)) result.push(...[first, ...others].map(decisionRow))
  }
  const flush = () => {
    add('alike', alike)
    add('passed', passed)
  }
  for (const row of decisions) {
    const [newest] = alike
    if (!standsOut(row)) passed.push(row)
    else if (newest !== undefined && isAlike(newest, row)) alike.push(row)
    else {
      flush()
      alike = [row]
      passed = []
    }
  }
  flush()
  return result
}

/** Lists every decision. */
export const unfolded = (decisions: readonly ListedDecision[]): readonly StreamRow[] => decisions.map(decisionRow)

/** Puts the decisions of each session together, that with the newest decision first. */
export function bySession(
  decisions: readonly ListedDecision[],
  rowsOf: (decisions: readonly ListedDecision[]) => readonly StreamRow[],
): readonly StreamRow[] {
  const sessions = Map.groupBy(decisions, ({ agent, session }) => JSON.stringify([agent, session]))
  const result: StreamRow[] = []
  for (const [key, [first, ...others]] of sessions) {
    if (first === undefined) continue
    result.push({ kind: 'session', key, rows: [first, ...others] }, ...rowsOf([first, ...others]))
  }
  return result
}

const decisionRow = (row: ListedDecision): StreamRow => ({ kind: 'decision', key: String(row.seq), row })

const isAlike = (a: ListedDecision, b: ListedDecision) =>
  a.subject === b.subject &&
  a.tool === b.tool &&
  a.outcome === b.outcome &&
  a.rule === b.rule &&
  a.isObserved === b.isObserved &&
  a.agent === b.agent &&
  a.session === b.session
