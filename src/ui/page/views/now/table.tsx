import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ListedDecision } from '../../../listed-decision.ts'
import { linkTo } from '../../location.ts'
import { durationText, ranText } from '../../parts/duration.ts'
import { folderName } from '../../parts/folder.ts'
import { Moment } from '../../parts/moment.tsx'
import { FailedBadge, ObservedBadge, OutcomeBadge } from '../../parts/outcome.tsx'
import { shortRule } from '../../parts/rule-link.tsx'
import { Text } from '../../parts/text.tsx'
import { useRootSize, useVirtualRows } from '../../parts/virtual-list.tsx'

interface DecisionTableProps {
  readonly rows: readonly ListedDecision[]
  readonly hasOlder: boolean
  /** Asks for the rows below the last one. */
  readonly onEnd: () => void
  /** Says whether somebody reads below the newest row, so that new ones must not push it down. */
  readonly onReading: (isReading: boolean) => void
}

/** The decisions, the newest first: a table of which only the rows in sight are in the document. */
export function DecisionTable({ rows, hasOlder, onEnd, onReading }: DecisionTableProps): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null)
  const { rem, isNarrow } = useRootSize()
  const rowHeight = Math.round(rem * (isNarrow ? 3.7 : 2.35))
  /** The row that Tab leads to. */
  const [activeSeq, setActiveSeq] = useState<number>()
  const found = activeSeq === undefined ? -1 : rows.findIndex(({ seq }) => seq === activeSeq)
  const active = Math.max(0, found)
  const list = useVirtualRows({
    count: rows.length,
    scroller,
    rowHeight,
    keyOf: (index) => rows[index]?.seq ?? index,
    kept: found === -1 ? undefined : found,
  })
  const isNearEnd = hasOlder && list.endIndex > rows.length - aheadRows
  useEffect(() => {
    if (isNearEnd && rows.length > 0) onEnd()
  }, [isNearEnd, rows.length])
  const toFocus = useRef(false)
  useLayoutEffect(() => {
    if (!toFocus.current) return
    toFocus.current = false
    scroller.current?.querySelector<HTMLElement>('a[tabindex="0"]')?.focus({ preventScroll: true })
  })

  function report(): void {
    const isFocused = scroller.current?.contains(document.activeElement) === true
    onReading((scroller.current?.scrollTop ?? 0) > 1 || isFocused)
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = steps[event.key]
    const row = event.target instanceof HTMLElement ? event.target.closest('a') : null
    if (step === undefined || row === null || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const next = Math.min(rows.length - 1, Math.max(0, active + step))
    toFocus.current = true
    setActiveSeq(rows[next]?.seq)
    list.show(next)
  }

  return (
    <div
      class="decisions scroll"
      ref={scroller}
      onScroll={report}
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
                class="line"
                aria-rowindex={index + 2}
                style={{ height: `${rowHeight}px`, transform: `translateY(${start}px)` }}
              >
                <Cells row={row} isActive={index === active} onFocus={() => setActiveSeq(row.seq)} />
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

/** Rows that are loaded before they come into sight. */
const aheadRows = 50

const columns = [
  ['time', 'Time'],
  ['outcome', 'Outcome'],
  ['agent', 'Agent'],
  ['tool', 'Tool'],
  ['subject', 'Command or file'],
  ['rule', 'Rule'],
  ['project', 'Project'],
  ['duration', 'Took'],
] as const

const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 15,
  PageUp: -15,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

function Cells({
  row,
  isActive,
  onFocus,
}: {
  readonly row: ListedDecision
  readonly isActive: boolean
  readonly onFocus: () => void
}): JSX.Element {
  const {
    id,
    at,
    agent = '',
    project = '',
    tool,
    subject,
    outcome,
    isEnded = false,
    isObserved,
    isFailed,
    rule = '',
    durationMs,
    ran,
  } = row
  const [, pack = '', name = ''] = /^(.*\/)?(.*)$/s.exec(shortRule(rule)) ?? []
  return (
    <>
      <span role="cell" class="time">
        <Moment at={at} />
      </span>
      <span role="cell" class="outcome">
        <OutcomeBadge decision={outcome} isEnded={isEnded} />
      </span>
      <span role="cell" class="agent">
        <Text text={agent} charactersMax={100} />
      </span>
      <span role="cell" class="tool">
        <Text text={tool} charactersMax={100} />
      </span>
      <span role="cell" class="subject">
        {isObserved === true && <ObservedBadge />}
        {isFailed === true && <FailedBadge />}
        <a href={linkTo('decision', { id })} tabIndex={isActive ? 0 : -1} onFocus={onFocus}>
          {subject === '' ? <span class="faint">no command or file</span> : <Text text={subject} charactersMax={300} />}
        </a>
        {ran !== undefined && (
          <span class="faint">
            {' '}
            <Text text={ranText(ran)} charactersMax={100} />
          </span>
        )}
      </span>
      <span role="cell" class="rule">
        {pack !== '' && (
          <span class="pack">
            <Text text={pack} charactersMax={200} />
          </span>
        )}
        <Text text={name} charactersMax={200} />
      </span>
      <span role="cell" class="project">
        <Text text={folderName(project)} charactersMax={200} />
      </span>
      <span role="cell" class="duration">
        {durationText(durationMs)}
      </span>
    </>
  )
}
