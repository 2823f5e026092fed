import type { JSX } from 'preact'
import type { ListedDecision } from '../../../listed-decision.ts'
import { agentTitle } from '../../agent-title.ts'
import { linkTo } from '../../location.ts'
import { ranText } from '../../parts/duration.ts'
import { folderName } from '../../parts/folder.ts'
import { Moment } from '../../parts/moment.tsx'
import { ApprovedBadge, FailedBadge, ObservedBadge, OutcomeBadge } from '../../parts/outcome.tsx'
import { shortRule } from '../../parts/rule-link.tsx'
import { onOneLine } from '../../parts/text-parts.ts'
import { Text } from '../../parts/text.tsx'
import { standsOut, type StreamRow } from './stream-rows.ts'

/** The cells of a line of the stream. @param tabIndex 0 in the line that Tab leads to */
export function Cells({
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
      <a href={linkTo('now', { params: { session } })} {...link}>
        <Text text={agentTitle(agent)} charactersMax={100} /> in <Text text={folderName(project)} charactersMax={200} />
      </a>{' '}
      <span class="faint">
        since <Moment at={rows.at(-1)?.at ?? ''} />, {rows.length} decisions, {number} of note, session{' '}
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
              <Text text={onOneLine(reason)} charactersMax={300} />
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
