import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { AnswerOf } from '../../api.ts'
import { here, linkTo } from '../location.ts'
import { CommandLine } from '../parts/copy.tsx'
import { Empty, Failed, Waiting } from '../parts/states.tsx'
import { useAnswer } from '../use-answer.ts'
import type { PageProtection } from '../use-protection.ts'
import { CourseOfTime } from './history/course.tsx'
import { FailureTable } from './history/failures.tsx'
import { HistoryFilters } from './history/filters.tsx'
import { KeyFigures } from './history/key-figures.tsx'
import { HistoryNotes } from './history/notes.tsx'
import { type HistoryRange, rangeNamed, startsOf } from './history/ranges.ts'
import { RefusingRules } from './history/refusing-rules.tsx'
import { TimesTable } from './history/times.tsx'
import { FirstSteps } from './now/protection.tsx'

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
            <RefusingRules rules={history.rules} />
            <FailureTable failures={history.failures} />
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
