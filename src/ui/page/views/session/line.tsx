import { Fragment, type JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { SessionCall } from '../../../routes/sessions.ts'
import { ask, failureOf, type RequestFailed } from '../../fetch.ts'
import { linkTo } from '../../location.ts'
import { Failed } from '../../parts/states.tsx'
import { approvalText, onOneLine, ranText } from '../../parts/text-parts.ts'
import { ApprovedBadge, Coded, FailedBadge, Moment, ObservedBadge, OutcomeBadge, Text } from '../../parts/text.tsx'
import { useRootSize, useVirtualRows } from '../../parts/virtual-list.tsx'

interface CallLineProps {
  /** The numbers of the rows, in their order. */
  readonly seqs: readonly number[]
  readonly agent: string
  readonly ids: readonly string[]
  readonly outcome: 'refused' | 'asked' | undefined
  /** What the rows have set, by their numbers. */
  readonly marks: ReadonlyMap<number, readonly string[]>
  /** The id of the decision that a person comes from. */
  readonly at: string | undefined
}

/** Rows that are read at once: some screens full. */
const pageRows = 100

/** The calls of a session, the first one first. Only those in sight are in the document, and only their pages are read. */
export function CallLine(props: CallLineProps): JSX.Element {
  const { seqs, marks, at } = props
  const scroller = useRef<HTMLDivElement>(null)
  const { rem, layout } = useRootSize()
  const height = Math.round(rem * heights[layout])
  const [active, setActive] = useState(0)
  const list = useVirtualRows({
    count: seqs.length,
    scroller,
    heightOf: () => height,
    keyOf: (index) => seqs[index] ?? index,
    kept: active,
  })
  const inSight = list.rows.filter(({ index }) => index !== active || list.rows.length === 1).map(({ index }) => index)
  const { rowOf, failed, retry } = usePages(props, inSight)
  const toFocus = useRef(false)
  useLayoutEffect(() => {
    // A row that is not read yet has no link.
    const link = toFocus.current ? scroller.current?.querySelector<HTMLElement>('a[tabindex="0"]') : undefined
    if (link === null || link === undefined) return
    toFocus.current = false
    link.focus({ preventScroll: true })
  })
  const start = useStart(props)
  useEffect(() => {
    if (start === undefined) return
    setActive(start)
    list.show(start)
  }, [start])

  function onKeyDown(event: KeyboardEvent): void {
    const step = steps[event.key]
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const next = Math.min(seqs.length - 1, Math.max(0, active + step))
    toFocus.current = true
    setActive(next)
    list.show(next)
  }

  return (
    <>
      {failed !== undefined && <Failed error={failed} onRetry={retry} />}
      <div class="decisions scroll" ref={scroller}>
        <div role="table" aria-label="Calls of the session, the first one first" aria-rowcount={seqs.length}>
          <div role="rowgroup" class="body" style={{ height: `${list.totalHeight}px` }} onKeyDown={onKeyDown}>
            {list.rows.map(({ index, key, start: top }) => {
              const row = rowOf(index)
              return (
                <div
                  key={key}
                  role="row"
                  class={`line ${at !== undefined && row?.id === at ? 'here' : ''}`}
                  aria-rowindex={index + 1}
                  style={{ height: `${height}px`, transform: `translateY(${top}px)` }}
                >
                  <CallCells
                    row={row}
                    number={index + 1}
                    marks={marks.get(seqs[index] ?? 0) ?? []}
                    tabIndex={index === active ? 0 : -1}
                    onFocus={() => setActive(index)}
                  />
                </div>
              )
            })}
          </div>
        </div>
      </div>
    </>
  )
}

/** The height of a row, as the style sheet has it. */
const heights = { phone: 5.4, tablet: 3.6, wide: 3.6 } as const

const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

/** Finds the row that a person comes from. */
function useStart({ seqs, at }: CallLineProps): number | undefined {
  const [start, setStart] = useState<number>()
  useEffect(() => {
    if (at === undefined) return undefined
    const stop = new AbortController()
    void ask('decision', { id: at }, stop.signal).then(
      ({ seq }) => seqs.includes(seq) && setStart(seqs.indexOf(seq)),
      () => {},
    )
    return () => stop.abort()
  }, [at])
  return start
}

/** Reads the pages of rows that are in sight, each once. */
function usePages({ seqs, agent, ids, outcome }: CallLineProps, inSight: readonly number[]) {
  const [pages, setPages] = useState<ReadonlyMap<number, readonly SessionCall[]>>(new Map())
  const [failed, setFailed] = useState<RequestFailed>()
  const asked = useRef(new Set<string>())
  const keyOf = (page: number) => `${page} ${seqs[page * pageRows]} ${Math.min(seqs.length, (page + 1) * pageRows)}`
  const wanted = [...new Set(inSight.map((index) => Math.floor(index / pageRows)))].filter(
    (page) => !asked.current.has(keyOf(page)),
  )

  async function read(page: number): Promise<void> {
    const key = keyOf(page)
    const fromSeq = seqs[page * pageRows]
    if (fromSeq === undefined) return
    asked.current.add(key)
    try {
      const of = outcome === undefined ? {} : { outcome }
      const { rows } = await ask('sessionCalls', { agent, ids: [...ids], fromSeq, limit: pageRows, ...of })
      setPages((before) => new Map([...before, [page, rows]]))
      setFailed(undefined)
    } catch (cause) {
      asked.current.delete(key)
      setFailed(failureOf(cause))
    }
  }

  useEffect(() => {
    if (failed === undefined) for (const page of wanted) void read(page)
  }, [wanted.join(' '), failed])
  return {
    rowOf: (index: number) => pages.get(Math.floor(index / pageRows))?.[index % pageRows],
    failed,
    retry: () => setFailed(undefined),
  }
}

function CallCells({
  row,
  number,
  marks,
  tabIndex,
  onFocus,
}: {
  readonly row: SessionCall | undefined
  readonly number: number
  readonly marks: readonly string[]
  readonly tabIndex: 0 | -1
  readonly onFocus: () => void
}): JSX.Element {
  if (row === undefined) {
    return (
      <>
        <span role="cell" class="time">
          {number}
        </span>
        <span role="cell" class="outcome" />
        <span role="cell" class="subject faint">
          …
        </span>
      </>
    )
  }
  const { id, at, subject, tool, reason, ran, agentId, approval } = row
  const said = [
    agentId === undefined ? undefined : `by sub-agent ${agentId.slice(0, agentIdCharacters)}`,
    approval && approvalText(approval),
    ran && ranText(ran),
    reason,
  ].filter((text) => text !== undefined)
  return (
    <>
      <span role="cell" class="time">
        <Moment at={at} />
      </span>
      <span role="cell" class="outcome">
        <Became row={row} />
      </span>
      <span role="cell" class="subject">
        <span class="first">
          <a href={linkTo('decision', { id })} {...{ tabIndex, onFocus }}>
            {row.isPrompt === true ? (
              'The person wrote a prompt'
            ) : subject === '' ? (
              tool
            ) : (
              <Text text={onOneLine(subject)} charactersMax={300} />
            )}
          </a>
        </span>
        {marks.length + said.length > 0 && (
          <span class="why">
            {marks.map((mark) => (
              <span key={mark} class="badge observed">
                {mark}
              </span>
            ))}
            <span class="reason">
              {said.map((text, index) => (
                <Fragment key={index}>
                  {index > 0 && ': '}
                  <Coded text={onOneLine(text)} charactersMax={300} />
                </Fragment>
              ))}
            </span>
          </span>
        )}
      </span>
    </>
  )
}

/** Characters of a sub-agent's id that tell it from others. */
const agentIdCharacters = 12

/** What became of a call: the last that is known of it. */
function Became({ row }: { readonly row: SessionCall }): JSX.Element {
  const { outcome, isEnded = false, isApproved, isObserved, isPrompt, ran } = row
  if (isPrompt === true && outcome === 'abstain') return <span class="badge">prompt</span>
  return (
    <>
      {isApproved === true ? (
        <ApprovedBadge />
      ) : isObserved === true ? (
        <ObservedBadge />
      ) : outcome === 'abstain' && !isEnded ? (
        <span class="badge">allowed</span>
      ) : (
        <OutcomeBadge decision={outcome} isEnded={isEnded} />
      )}
      {ran?.succeeded === false && <FailedBadge />}
    </>
  )
}
