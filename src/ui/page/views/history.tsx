import { counted, numberText } from '../parts/counted.ts'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { AnswerOf } from '../../api.ts'
import { here, linkTo } from '../location.ts'
import { CommandLine, Moment, RuleLink, Text } from '../parts/text.tsx'
import { Empty, Failed, Waiting } from '../parts/states.tsx'
import { useAnswer } from '../fetch.ts'
import type { PageProtection } from '../use-protection.tsx'
import {
  CourseOfTime,
  HistoryFilters,
  type HistoryRange,
  rangeNamed,
  type ShownHistory,
  type SpanUnit,
  startsOf,
} from './history/course.tsx'
import { FirstRows, RefusingRules, TimesTable } from './history/tables.tsx'
import { WeekChanges } from './history/week.tsx'
import { FirstSteps } from './now/protection.tsx'
import { durationText } from '../parts/text-parts.ts'

/** Decisions over time. */
export function HistoryView({ protection }: { readonly protection: PageProtection }): JSX.Element {
  const { range: named, agent, project } = here.value.params
  /** True if the default range is empty. */
  const [isWide, setWide] = useState(false)
  const range = rangeNamed(named ?? (isWide ? '90d' : undefined))
  const startsMs = startsOf(range, Date.now())
  const [asking, again] = useAnswer('history', {
    startsMs: [...startsMs],
    ...(agent !== undefined && { agent }),
    ...(project !== undefined && { project }),
  })
  const { answer } = asking
  const isEmpty = asking.state === 'answered' && answer?.history?.all.decided === 0
  useEffect(() => {
    if (isEmpty && named === undefined && agent === undefined && project === undefined) setWide(true)
  }, [isEmpty, named, agent, project])
  return (
    <div class="history" aria-busy={asking.state === 'waiting'}>
      <div class="row head">
        <h1>History</h1>
        <HistoryFilters
          range={range}
          agents={answer?.history?.agents ?? []}
          projects={answer?.history?.projects ?? []}
          onRefresh={again}
        />
      </div>
      {asking.state === 'failed' ? (
        <Failed error={asking.error} onRetry={again} />
      ) : answer === undefined ? (
        <Waiting what="Reading the record" />
      ) : (
        <HistoryAnswer {...{ answer, range, startsMs, protection }} />
      )}
    </div>
  )
}

function HistoryAnswer({
  answer: { history, byHand, lost },
  range,
  startsMs,
  protection,
}: {
  readonly answer: AnswerOf<'history'>
  readonly range: HistoryRange
  readonly startsMs: readonly number[]
  readonly protection: PageProtection
}): JSX.Element {
  const { agent, project } = here.value.params
  if (history === undefined) {
    return (
      <>
        <HistoryNotes lost={lost} />
        <Empty what="Nothing is recorded yet.">
          <p>
            The record begins with the first call of an enabled agent. <a href={linkTo('agents')}>Agents</a> says which
            are.
          </p>
          <FirstSteps agents={protection.agents.answer?.agents} rules={protection.gate.answer?.protection} />
        </Empty>
      </>
    )
  }
  const isFiltered = agent !== undefined || project !== undefined
  const decided = history.all.decided
  return (
    <>
      <HistoryNotes lost={lost} history={history} unit={range.unit} />
      {decided === 0 ? (
        <Empty what={`Nothing was decided in the last ${range.title}${isFiltered ? ' for this choice' : ''}.`}>
          <p>
            {isFiltered ? (
              <a href={linkTo('history', { params: { range: range.name } })}>Look at every agent and project</a>
            ) : range.name === '90d' ? (
              'It fills with what agents do from now on.'
            ) : (
              <a href={linkTo('history', { params: { range: '90d' } })}>Look at the last 90 days</a>
            )}
          </p>
        </Empty>
      ) : (
        <>
          <KeyFigures history={history} />
          <CourseOfTime history={history} range={range} startsMs={startsMs} />
          <div class="pair">
            <div class="stack">
              <WeekChanges agent={agent} project={project} />
              {history.failures.length > 0 && <FailureTable failures={history.failures} />}
            </div>
            <RefusingRules rules={history.rules} />
          </div>
        </>
      )}
      {(decided > 0 || history.gate !== undefined) && <TimesTable gate={history.gate} times={history.times} />}
      <div class="by-hand">
        <span class="faint">The same by hand</span>
        <CommandLine line={byHand} />
      </div>
    </>
  )
}

/** Lists what failed, how often, and how it did so last. */
function FailureTable({ failures }: { readonly failures: ShownHistory['failures'] }): JSX.Element {
  return (
    <section class="card">
      <h2>Failures</h2>
      <FirstRows
        what="failures"
        head={
          <tr>
            <th scope="col">What failed, and how it did so last</th>
            <th scope="col" class="number">
              Times
            </th>
            <th scope="col">The last one</th>
          </tr>
        }
        rows={failures.map(({ rule, number, message, id, at }) => (
          <tr key={rule ?? ''}>
            <th scope="row" class="named">
              {rule === undefined ? 'hookgate itself' : <RuleLink id={rule} />}
              <span class="message">
                <Text text={message} charactersMax={300} />
              </span>
            </th>
            <td class="number" data-label="Times">
              {numberText(number)}
            </td>
            <td data-label="The last one">
              <a href={linkTo('decision', { id })}>{at === undefined ? 'the decision' : <Moment at={at} />}</a>
            </td>
          </tr>
        ))}
      />
    </section>
  )
}

/** Shows the sums over the range. */
function KeyFigures({ history: { all, gate } }: { readonly history: ShownHistory }): JSX.Element {
  const figures = [
    { name: 'decided', number: all.decided, kind: '' },
    { name: 'refused', number: all.refused, kind: 'refused' },
    { name: 'asked', number: all.asked, kind: 'asked' },
    { name: 'observed', number: all.observed, kind: 'observed' },
    { name: 'failed', number: all.failed, kind: all.failed === 0 ? '' : 'refused' },
  ]
  return (
    <dl class="key-figures">
      {figures.map(({ name, number, kind }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class={kind}>{numberText(number)}</dd>
        </div>
      ))}
      {gate !== undefined && (
        <>
          <div>
            <dt>p50, p99</dt>
            <dd>
              {durationText(gate.p50Ms)} <span class="faint">{durationText(gate.p99Ms)}</span>
            </dd>
          </div>
        </>
      )}
    </dl>
  )
}

/** Says what is not among the figures, and why. */
function HistoryNotes({
  lost,
  history,
  unit,
}: {
  readonly lost: number
  readonly history?: ShownHistory
  readonly unit?: SpanUnit
}): JSX.Element | null {
  const [asking] = useAnswer('recordLevel', {})
  const { countedOnly = 0, unreadable = 0 } = history ?? {}
  const notes = [
    ...(asking.answer?.level === 'off'
      ? ['Nothing is recorded now: the record is off in a hooks.json. What is shown was recorded before.']
      : []),
    ...(asking.answer?.level === 'decisions' && countedOnly === 0
      ? ['Decisions that met no objection are only counted.']
      : []),
    ...(countedOnly === 0
      ? []
      : [
          `${counted(countedOnly, 'decision')} met no objection and ${countedOnly === 1 ? 'was' : 'were'} only counted, ` +
            `by the day${unit === 'day' ? '' : ': they are in the sum, and not in the chart'}.`,
        ]),
    ...(lost === 0
      ? []
      : [`${counted(lost, 'decision')} could not be recorded, at any time. \`hookgate status\` says why.`]),
    ...(unreadable === 0
      ? []
      : [`${counted(unreadable, 'row')} of the record cannot be read. \`hookgate log --verify\` checks it.`]),
  ]
  if (notes.length === 0) return null
  return (
    <ul class="notes">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  )
}
