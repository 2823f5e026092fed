import { counted } from '../../parts/counted.ts'
import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ListedDecision } from '../../../routes/decisions.ts'
import { agentTitle, folderName, onOneLine, ranText } from '../../parts/text-parts.ts'
import { linkTo } from '../../location.ts'
import {
  ApprovedBadge,
  Coded,
  FailedBadge,
  Moment,
  ObservedBadge,
  OutcomeBadge,
  shortRule,
  Text,
} from '../../parts/text.tsx'
import { useRootSize, useVirtualRows } from '../../parts/virtual-list.tsx'
import { bySession, foldAlike, standsOut, type StreamRow, unfolded } from './use-feed.ts'

interface DecisionTableProps {
  readonly decisions: readonly ListedDecision[]
  /** True where calls that passed are a number, and repeated decisions one line. */
  readonly isFolded: boolean
  readonly isBySession: boolean
  /** What all decisions share has no column. */
  readonly isOneAgent: boolean
  readonly isOneProject: boolean
  readonly hasOlder: boolean
  /** Asks for the decisions before the last one. */
  readonly onEnd: () => void
  /** Says whether somebody reads below the newest row, so that new ones must not push it down. */
  readonly onReading: (isReading: boolean) => void
}

/** The decisions, the newest first: a table of which only the rows in sight are in the document. */
export function DecisionTable(props: DecisionTableProps): JSX.Element {
  const { decisions, isFolded, isBySession, isOneAgent, isOneProject, hasOlder, onEnd, onReading } = props
  const scroller = useRef<HTMLDivElement>(null)
  const size = useRootSize()
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const rows = useMemo(() => {
    const rowsOf = (some: readonly ListedDecision[]) =>
      isFolded ? foldAlike(some, (key) => opened.has(key)) : unfolded(some)
    return isBySession ? bySession(decisions, rowsOf) : rowsOf(decisions)
  }, [decisions, isFolded, isBySession, opened])
  const heights = useMemo(() => rows.map((row) => heightOf(row, size)), [rows, size])
  /** The row that Tab leads to. */
  const [activeKey, setActiveKey] = useState<string>()
  const found = activeKey === undefined ? -1 : rows.findIndex(({ key }) => key === activeKey)
  const active = Math.max(0, found)
  const list = useVirtualRows({
    count: rows.length,
    scroller,
    heightOf: (index) => heights[index] ?? 0,
    keyOf: (index) => rows[index]?.key ?? index,
    kept: found === -1 ? undefined : found,
  })
  /** Pages that were requested since the last scroll. */
  const pages = useRef(0)
  const isNearEnd = hasOlder && list.endIndex > rows.length - aheadRows
  useEffect(() => {
    if (!isNearEnd || decisions.length === 0 || pages.current >= pagesAhead) return
    pages.current += 1
    onEnd()
  }, [isNearEnd, decisions.length])
  const toFocus = useRef(false)
  useLayoutEffect(() => {
    if (!toFocus.current) return
    toFocus.current = false
    const of = (selector: string) => scroller.current?.querySelector<HTMLElement>(selector)
    const line = of('a[tabindex="0"]') ?? of('button[tabindex="0"]')
    line?.focus({ preventScroll: true })
  })

  function report(): void {
    const isFocused = scroller.current?.contains(document.activeElement) === true
    onReading((scroller.current?.scrollTop ?? 0) > 1 || isFocused)
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = steps[event.key]
    const row = event.target instanceof HTMLElement ? event.target.closest('a, button') : null
    if (step === undefined || row === null || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const next = Math.min(rows.length - 1, Math.max(0, active + step))
    toFocus.current = true
    setActiveKey(rows[next]?.key)
    list.show(next)
  }

  function toggle(key: string): void {
    const next = new Set(opened)
    if (!next.delete(key)) next.add(key)
    setOpened(next)
  }

  return (
    <>
      <div
        class={`decisions scroll ${isOneAgent ? 'one-agent' : ''} ${isOneProject ? 'one-project' : ''}`}
        ref={scroller}
        onScroll={() => {
          pages.current = 0
          report()
        }}
        onFocusIn={report}
        onFocusOut={() => setTimeout(report)}
      >
        <div role="table" aria-label="Decisions, the newest first" aria-rowcount={hasOlder ? -1 : rows.length + 1}>
          <div role="rowgroup" class="head">
            <div role="row" class="line" aria-rowindex={1}>
              {columns.map(([name, title]) => (
                <span key={name} role="columnheader" class={name}>
                  {title}
                </span>
              ))}
            </div>
          </div>
          <div role="rowgroup" class="body" style={{ height: `${list.totalHeight}px` }} onKeyDown={onKeyDown}>
            {list.rows.map(({ index, key, start }) => {
              const row = rows[index]
              if (row === undefined) return null
              return (
                <div
                  key={key}
                  role="row"
                  class={`line ${row.kind === 'decision' && !standsOut(row.row) ? 'quiet' : row.kind}`}
                  aria-rowindex={index + 2}
                  style={{ height: `${heights[index]}px`, transform: `translateY(${start}px)` }}
                >
                  <Cells
                    row={row}
                    tabIndex={index === active ? 0 : -1}
                    onFocus={() => setActiveKey(row.key)}
                    onToggle={() => toggle(row.key)}
                  />
                </div>
              )
            })}
          </div>
        </div>
      </div>
      {hasOlder && pages.current >= pagesAhead && (
        <button type="button" onClick={onEnd}>
          Look further back
        </button>
      )}
    </>
  )
}

/** Lines that are loaded before they come into sight. */
const aheadRows = 20
/** Pages that are read without a person who scrolls: among thousands of calls that passed, few stand out. */
const pagesAhead = 4

const columns = [
  ['time', 'Time'],
  ['outcome', 'Outcome'],
  ['subject', 'Command or file, and why'],
  ['agent', 'Agent'],
  ['project', 'Project'],
] as const

const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 15,
  PageUp: -15,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

/** Returns the height of a line in pixels: a rule that is longer than the line is wide gets more lines, and is not cut. */
function heightOf(row: StreamRow, { rem, layout, widthPx }: ReturnType<typeof useRootSize>): number {
  const [newest] = row.kind === 'decision' ? [row.row] : row.rows
  if (row.kind === 'session' || row.kind === 'passed' || !standsOut(newest)) return Math.round(rem * 2.1)
  const { besidesRem, ownRem } = layouts[layout]
  const perLine = Math.max(20, Math.floor((widthPx - rem * besidesRem) / (rem * ruleCharacterRem)))
  const more = Math.ceil(shortRule(newest.rule ?? '').length / perLine) - 1
  return Math.round(rem * (ownRem + Math.max(0, more) * 1.3))
}

/** The room beside a rule's name, and the height of a line with a reason, as the style sheet has them. */
const layouts = {
  phone: { besidesRem: 4, ownRem: 6.7 },
  tablet: { besidesRem: 18, ownRem: 5.3 },
  wide: { besidesRem: 43, ownRem: 3.6 },
} as const

/** The width of a letter of a rule's name, as the style sheet has it. */
const ruleCharacterRem = 0.54

/** The cells of a line of the stream. @param tabIndex 0 in the line that Tab leads to */
function Cells({
  row,
  tabIndex,
  onFocus,
  onToggle,
}: {
  readonly row: StreamRow
  readonly tabIndex: 0 | -1
  readonly onFocus: () => void
  readonly onToggle: () => void
}): JSX.Element {
  const toggle = (text: string, isOpen: boolean) => (
    <button type="button" class="link" aria-expanded={isOpen} onClick={onToggle} {...{ tabIndex, onFocus }}>
      {text}
    </button>
  )
  switch (row.kind) {
    case 'decision':
      return <DecisionCells row={row.row} link={{ tabIndex, onFocus }} />
    case 'alike':
      return (
        <DecisionCells
          row={row.rows[0]}
          link={{ tabIndex, onFocus }}
          times={toggle(`× ${row.rows.length}`, row.isOpen)}
        />
      )
    case 'passed':
      return (
        <>
          <span role="cell" class="time">
            <Moment at={row.rows[0].at} />
          </span>
          <span role="cell" class="passed">
            {toggle(`${row.rows.length} passed`, row.isOpen)}
            <span class="faint">
              <Text text={subjectsOf(row.rows)} charactersMax={300} />
            </span>
          </span>
        </>
      )
    case 'session':
      return <SessionCells rows={row.rows} link={{ tabIndex, onFocus }} />
  }
}

/** Returns the first commands of calls, each once. */
const subjectsOf = (rows: readonly ListedDecision[]) =>
  [
    ...new Set(rows.slice(0, subjectsMax).map(({ subject, tool }) => (subject === '' ? tool : onOneLine(subject)))),
  ].join(' · ')
const subjectsMax = 12

/** Attributes of a line's link: one Tab leads to the list, and arrows through it. */
interface LineLink {
  readonly tabIndex: 0 | -1
  readonly onFocus: () => void
}

function SessionCells({
  rows,
  link,
}: {
  readonly rows: readonly [ListedDecision, ...ListedDecision[]]
  readonly link: LineLink
}): JSX.Element {
  const [{ agent = '', session = '', project = '' }] = rows
  const number = rows.filter(standsOut).length
  return (
    <span role="cell" class="session">
      <a href={linkTo('session', { id: session, params: { agent } })} {...link}>
        <Text text={agentTitle(agent)} charactersMax={100} /> in <Text text={folderName(project)} charactersMax={200} />
      </a>{' '}
      <span class="faint">
        since <Moment at={rows.at(-1)?.at ?? ''} />, {counted(rows.length, 'decision')}, {number} of note, session{' '}
        <Text text={session} charactersMax={40} />
      </span>
    </span>
  )
}

function DecisionCells({
  row,
  link,
  times,
}: {
  readonly row: ListedDecision
  readonly link: LineLink
  readonly times?: JSX.Element
}): JSX.Element {
  const { id, at, agent = '', project = '', subject, tool, outcome, isEnded = false, rule = '', reason = '', ran } = row
  return (
    <>
      <span role="cell" class="time">
        <Moment at={at} />
      </span>
      <span role="cell" class="outcome">
        {row.isApproved === true ? (
          <ApprovedBadge />
        ) : row.isObserved === true ? (
          <ObservedBadge />
        ) : row.isFailed === true && outcome === 'abstain' ? (
          <FailedBadge />
        ) : (
          <OutcomeBadge decision={outcome} isEnded={isEnded} />
        )}
        {times}
      </span>
      <span role="cell" class="subject">
        <span class="first">
          <a href={linkTo('decision', { id })} {...link}>
            {subject === '' ? (
              <span class="faint">{tool}</span>
            ) : (
              <Text text={onOneLine(subject)} charactersMax={300} />
            )}
          </a>
          {ran !== undefined && (
            <span class="faint">
              {' '}
              <Text text={`(${ranText(ran)})`} charactersMax={100} />
            </span>
          )}
        </span>
        {standsOut(row) && (
          <span class="why">
            {rule !== '' && (
              <span class="rule">
                <Text text={shortRule(rule)} charactersMax={400} />
              </span>
            )}
            <span class="reason">
              <Coded text={onOneLine(reason)} charactersMax={300} />
            </span>
          </span>
        )}
      </span>
      <span role="cell" class="agent">
        <Text text={agentTitle(agent)} charactersMax={100} />
      </span>
      <span role="cell" class="project">
        <Text text={folderName(project)} charactersMax={200} />
      </span>
    </>
  )
}
