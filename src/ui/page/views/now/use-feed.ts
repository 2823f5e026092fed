import { useEffect, useRef, useState } from 'preact/hooks'
import type { AskedOf } from '../../../api.ts'
import type { ListedDecision } from '../../../routes/decisions.ts'
import { ask, askForParts, failureOf, RequestFailed } from '../../fetch.ts'

/** Selects the decisions that the feed shows. */
export type FeedFilter = Omit<AskedOf<'feed'>, 'afterSeq'>

/** The state of the feed: a `broken` one is tried again, an `ended` one is not. */
export type Connection =
  | { readonly state: 'opening' | 'open' }
  | { readonly state: 'broken' | 'ended'; readonly error: RequestFailed }

export interface DecisionFeed {
  /** `undefined` until the first page is there. */
  readonly feed: FeedRows | undefined
  /** The failure to read the first page. */
  readonly failed: RequestFailed | undefined
  readonly connection: Connection
  /** The failure to read older rows. */
  readonly olderFailed: RequestFailed | undefined
  readonly loadOlder: () => void
  /** Shows what was held back. */
  readonly release: () => void
  readonly retry: () => void
}

/**
 * Follows the decisions that match a filter.
 *
 * @param isHeld while it is true, new ones are counted and not shown
 */
export function useDecisionFeed(filter: FeedFilter, isHeld: boolean): DecisionFeed {
  const [feed, setFeed] = useState<FeedRows>()
  const [failed, setFailed] = useState<RequestFailed>()
  const [connection, setConnection] = useState<Connection>({ state: 'opening' })
  const [olderFailed, setOlderFailed] = useState<RequestFailed>()
  const [turn, setTurn] = useState(0)
  /** The rows of the next rendering: several changes may come between two. */
  const current = useRef<FeedRows | undefined>(undefined)
  const held = useRef(isHeld)
  const loading = useRef<AbortController | undefined>(undefined)
  held.current = isHeld
  const key = JSON.stringify(filter)

  function update(next: FeedRows): void {
    current.current = next
    setFeed(next)
  }

  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    const queue = frameQueue((rows) => {
      if (current.current !== undefined) update(withNew(current.current, rows, held.current))
    }, signal)

    async function begin(): Promise<void> {
      try {
        const page = await ask('decisions', { ...filter, limit: firstPageRows }, signal)
        update(firstRows(page, firstPageRows))
        setFailed(undefined)
        setOlderFailed(undefined)
      } catch (cause) {
        if (!signal.aborted) setFailed(failureOf(cause))
        return
      }
      while (!signal.aborted) {
        // oxlint-disable-next-line no-await-in-loop -- one connection after the other
        const ended = await follow()
        if (signal.aborted) return
        if (ended === 'other') return setTurn((before) => before + 1)
        const isOver = ended.code === 'unauthorized'
        setConnection({ state: isOver ? 'ended' : 'broken', error: ended })
        if (isOver) return
        // oxlint-disable-next-line no-await-in-loop -- waiting is the point
        await pause(retryMs, signal)
      }
    }

    /** Receives until the connection ends, and says why, or that another record has taken the place of this one. */
    async function follow(): Promise<RequestFailed | 'other'> {
      try {
        const asked = { ...filter, afterSeq: current.current?.headSeq ?? 0 }
        const parts = askForParts('feed', asked, signal, () => setConnection({ state: 'open' }))
        for await (const { rows, ran, isOther } of parts) {
          if (isOther) return 'other'
          queue.add(rows)
          if (ran.length === 0) continue
          queue.flush()
          if (current.current !== undefined) update(withRan(current.current, ran))
        }
        return new RequestFailed(
          'unreachable',
          'the connection has ended',
          'run `hookgate ui` again, and open its link',
        )
      } catch (cause) {
        return failureOf(cause)
      } finally {
        queue.flush()
      }
    }

    void begin()
    return () => {
      stop.abort()
      loading.current?.abort()
      loading.current = undefined
    }
  }, [key, turn])

  async function loadOlder(): Promise<void> {
    const last = current.current?.shown.at(-1)
    if (last === undefined || current.current?.hasOlder !== true || loading.current !== undefined) return
    const stop = new AbortController()
    loading.current = stop
    try {
      const { rows } = await ask('decisions', { ...filter, beforeSeq: last.seq, limit: pageRows }, stop.signal)
      if (stop.signal.aborted || current.current === undefined) return
      update(withOlder(current.current, last.seq, rows, pageRows))
      setOlderFailed(undefined)
    } catch (cause) {
      if (!stop.signal.aborted) setOlderFailed(failureOf(cause))
    } finally {
      if (loading.current === stop) loading.current = undefined
    }
  }

  return {
    feed,
    failed,
    connection,
    olderFailed,
    loadOlder: () => void loadOlder(),
    release() {
      const next = current.current && releaseHeld(current.current)
      if (next === undefined) setTurn((before) => before + 1)
      else update(next)
    },
    retry: () => setTurn((before) => before + 1),
  }
}

/** Some screens full, so that the first one is there at once. */
const firstPageRows = 100
const pageRows = 500
const retryMs = 1000

/** Collects rows, and hands them over once for each frame that the browser draws. */
function frameQueue(use: (rows: readonly ListedDecision[]) => void, signal: AbortSignal) {
  let waiting: ListedDecision[] = []
  let frame: number | undefined
  function flush(): void {
    if (frame !== undefined) cancelAnimationFrame(frame)
    frame = undefined
    const rows = waiting
    waiting = []
    if (rows.length > 0 && !signal.aborted) use(rows)
  }
  return {
    flush,
    add(rows: readonly ListedDecision[]): void {
      waiting.push(...rows)
      // A tab that is not in sight draws nothing.
      if (document.hidden || waiting.length > heldMax) flush()
      else frame ??= requestAnimationFrame(flush)
    },
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** The decisions of a list that grows at both ends. The newest come first. */
interface FeedRows {
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
const firstRows = ({ rows, headSeq }: DecisionPage, limit: number): FeedRows => ({
  shown: rows,
  hasOlder: rows.length === limit,
  held: [],
  heldNumber: 0,
  headSeq,
})

/** Adds the page below the oldest row. A page that was requested below another row is left out. */
function withOlder(feed: FeedRows, below: number, rows: readonly ListedDecision[], limit: number): FeedRows {
  if (feed.shown.at(-1)?.seq !== below) return feed
  return { ...feed, shown: [...feed.shown, ...rows], hasOlder: rows.length === limit }
}

/**
 * Adds rows that were recorded since, the oldest first. What was seen before is left out.
 *
 * @param isHeld whether they are kept back for now
 */
function withNew(feed: FeedRows, rows: readonly ListedDecision[], isHeld: boolean): FeedRows {
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
function withRan(feed: FeedRows, ran: readonly Required<Pick<ListedDecision, 'seq' | 'ran'>>[]): FeedRows {
  const bySeq = new Map(ran.map((one) => [one.seq, one.ran]))
  const ended = (row: ListedDecision) => {
    const own = bySeq.get(row.seq)
    return own === undefined ? row : { ...row, ran: own }
  }
  return { ...feed, shown: feed.shown.map(ended), held: feed.held.map(ended) }
}

/** Shows what was held back. @returns `undefined` if there were too many to keep: the record has to be read again */
function releaseHeld(feed: FeedRows): FeedRows | undefined {
  if (feed.heldNumber === 0) return feed
  if (feed.held.length < feed.heldNumber) return undefined
  return cut({ ...feed, shown: [...feed.held, ...feed.shown], held: [], heldNumber: 0 })
}

/** Leaves out the oldest rows of a list that only grows at its beginning: they are in the record. */
const cut = (feed: FeedRows): FeedRows =>
  feed.shown.length <= shownMax ? feed : { ...feed, shown: feed.shown.slice(0, shownMax), hasOlder: true }

/** More than anybody scrolls through to see what has just happened; as many as two pages are read at once. */
const heldMax = 1000
/** All of the record of some months, at some hundred bytes a row. */
const shownMax = 200_000

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
