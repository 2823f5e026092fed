import type { ListedDecision } from '../../../listed-decision.ts'

/** The decisions of a list that grows at both ends. The newest come first. */
export interface FeedRows {
  readonly shown: readonly ListedDecision[]
  /** True if the record has older rows that match. */
  readonly hasOlder: boolean
  /** New ones that are not shown yet. Empty if there were too many to keep. */
  readonly held: readonly ListedDecision[]
  readonly heldNumber: number
  /** All rows up to this one have been seen. */
  readonly headSeq: number
}

interface DecisionPage {
  readonly rows: readonly ListedDecision[]
  readonly headSeq: number
}

/**
 * Begins a list with the newest page of the record.
 *
 * @param limit how many rows were requested
 */
export const firstRows = ({ rows, headSeq }: DecisionPage, limit: number): FeedRows => ({
  shown: rows,
  hasOlder: rows.length === limit,
  held: [],
  heldNumber: 0,
  headSeq,
})

/** Adds the page below the oldest row. A page that was requested below another row is left out. */
export function withOlder(feed: FeedRows, below: number, rows: readonly ListedDecision[], limit: number): FeedRows {
  if (feed.shown.at(-1)?.seq !== below) return feed
  return { ...feed, shown: [...feed.shown, ...rows], hasOlder: rows.length === limit }
}

/**
 * Adds rows that were recorded since, the oldest first. What was seen before is left out.
 *
 * @param isHeld whether they are kept back for now
 */
export function withNew(feed: FeedRows, rows: readonly ListedDecision[], isHeld: boolean): FeedRows {
  const fresh = rows.filter(({ seq }) => seq > feed.headSeq).toReversed()
  const [newest] = fresh
  if (newest === undefined) return feed
  const headSeq = newest.seq
  const heldNumber = feed.heldNumber + fresh.length
  if (!isHeld && feed.heldNumber === 0) return cut({ ...feed, headSeq, shown: [...fresh, ...feed.shown] })
  // Once some had no room, those that come later have no place to join.
  const hasRoom = feed.held.length === feed.heldNumber && heldNumber <= heldMax
  return { ...feed, headSeq, heldNumber, held: hasRoom ? [...fresh, ...feed.held] : [] }
}

/** Adds how calls ended to their rows. */
export function withRan(feed: FeedRows, ran: readonly Required<Pick<ListedDecision, 'seq' | 'ran'>>[]): FeedRows {
  const bySeq = new Map(ran.map((one) => [one.seq, one.ran]))
  const ended = (row: ListedDecision) => {
    const own = bySeq.get(row.seq)
    return own === undefined ? row : { ...row, ran: own }
  }
  return { ...feed, shown: feed.shown.map(ended), held: feed.held.map(ended) }
}

/** Shows what was held back. @returns `undefined` if there were too many to keep: the record has to be read again */
export function releaseHeld(feed: FeedRows): FeedRows | undefined {
  if (feed.heldNumber === 0) return feed
  if (feed.held.length < feed.heldNumber) return undefined
  return cut({ ...feed, shown: [...feed.held, ...feed.shown], held: [], heldNumber: 0 })
}

/** Leaves out the oldest rows of a list that only grows at its beginning: they are in the record. */
const cut = (feed: FeedRows): FeedRows =>
  feed.shown.length <= shownMax ? feed : { ...feed, shown: feed.shown.slice(0, shownMax), hasOlder: true }

/** More than anybody scrolls through to see what has just happened; as many as two pages are read at once. */
export const heldMax = 1000
/** All of the record of some months, at some hundred bytes a row. */
const shownMax = 200_000
