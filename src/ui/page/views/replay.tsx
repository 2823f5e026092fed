import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { AskedOf } from '../../api.ts'
import { agentTitle, plainText } from '../parts/text-parts.ts'
import { useAnswer } from '../fetch.ts'
import { Moment, Text } from '../parts/text.tsx'
import { Empty, Failed, Waiting } from '../parts/states.tsx'
import { Findings } from './replay/findings.tsx'
import { choices, choose, ReplayForm } from './replay/form.tsx'
import { Outputs } from './replay/outputs.tsx'
import { counted, numberText } from '../parts/counted.ts'
import { answers, answerWords, bytesText, placeOf, type ReplayRun, type ReportShown, run } from './replay/run-state.ts'

/** Decides past calls by other rules. */
export function ReplayView(): JSX.Element {
  const [{ state, answer, ...asking }, again] = useAnswer('replaySources', {})
  const error = 'error' in asking ? asking.error : undefined
  return (
    <>
      <h1>Replay</h1>
      <p class="faint">
        What would these rules have done to past calls? Choose calls and rules, and see the difference.
      </p>
      {state === 'failed' && error !== undefined && <Failed error={error} onRetry={again} />}
      {answer === undefined && state === 'waiting' && <Waiting what="Looking for sessions" />}
      {answer !== undefined && (
        <>
          {answer.agents.length === 0 && choices.value.calls === 'sessions' && (
            <Empty what="No sessions of agents were found.">
              {answer.isRecorded && (
                <button type="button" class="main" onClick={() => choose({ calls: 'record' })}>
                  Take the decisions that hookgate recorded
                </button>
              )}
              <p>You can also name files below.</p>
              <details>
                <summary>Folders that were looked at ({answer.folders.length})</summary>
                <ul>
                  {answer.folders.map(({ title, folder }) => (
                    <li key={folder}>
                      {title}: <Text text={folder} charactersMax={300} />
                    </li>
                  ))}
                </ul>
              </details>
            </Empty>
          )}
          <ReplayForm sources={answer} />
        </>
      )}
      <Outcome />
    </>
  )
}

function Outcome(): JSX.Element | null {
  const current = run.value
  switch (current.state) {
    case 'none':
      return null
    case 'running':
      return <ReplayProgress running={current} />
    case 'failed':
      return <Failed error={current.error} />
    case 'done':
      return <ReplayReportView report={current.report} names={rulesTitles(current.asked)} />
  }
}

function rulesTitles({ rules, against }: AskedOf<'replay'>): RulesTitles {
  const current = against.kind === 'git' ? '.hookgate' : 'the rules in force'
  return {
    now: rules.kind === 'preset' ? `preset ${rules.name}` : rules.kind === 'files' ? rules.paths.join(', ') : current,
    before: against.kind === 'files' ? against.paths.join(', ') : against.kind === 'git' ? against.revision : current,
  }
}

/** Shows how far a replay is, and stops it. */
function ReplayProgress({ running }: { readonly running: Extract<ReplayRun, { state: 'running' }> }): JSX.Element {
  const { progress, startedAtMs, stop } = running
  const { calls, bytes, bytesTotal } = progress
  const seconds = (performance.now() - startedAtMs) / 1000
  const rate = calls > 0 ? `, ${numberText(Math.round(calls / seconds))} a second` : ''
  return (
    <section class="card" aria-label="Progress">
      <div class="row">
        <strong>Replaying</strong>
        <span class="faint" role="status">
          {calls === 0 ? 'opening the rules' : `${counted(calls, 'call')}${rate}`}
        </span>
        <button type="button" class="end" onClick={stop}>
          Stop
        </button>
      </div>
      <progress
        class="replay-bar"
        aria-label="Part of the sessions that is read"
        max={1}
        {...(bytesTotal > 0 && { value: Math.min(1, bytes / bytesTotal) })}
      />
      {bytesTotal > 0 && (
        <p class="faint">
          {bytesText(bytes)} of {bytesText(bytesTotal)} read
        </p>
      )}
    </section>
  )
}

/** The report of a replay. */
function ReplayReportView({
  report,
  names,
}: {
  readonly report: ReportShown
  readonly names: RulesTitles
}): JSX.Element {
  return (
    <>
      <section class="card" aria-labelledby="replay-result">
        <div class="row">
          <h2 id="replay-result">Result</h2>
          {report.partial && <span class="badge asked">a part of the calls</span>}
          <Download report={report} />
        </div>
        <Headline report={report} />
        <Totals report={report} names={names} />
      </section>
      <Findings report={report} />
      {report.outputs !== undefined && <Outputs outputs={report.outputs} />}
      <Rest report={report} />
    </>
  )
}

/** Titles of the two sets of rules. */
interface RulesTitles {
  readonly now: string
  readonly before: string
}

function Headline({ report }: { readonly report: ReportShown }): JSX.Element {
  const { calls, decisions, distinctIsExact, files, from, to, seconds, agents } = report
  return (
    <p>
      {counted(calls, 'call')} ({numberText(decisions)} {distinctIsExact ? 'distinct' : 'decisions'}) in{' '}
      {counted(files, 'file')}
      {from !== null && to !== null && (
        <>
          , <Moment at={from} /> to <Moment at={to} />
        </>
      )}
      , in {seconds.toFixed(1)} s.{' '}
      <span class="faint">
        {Object.entries(agents).map(([agent, count], index) => (
          <span key={agent}>
            {index > 0 && ' · '}
            <Text text={agentTitle(agent)} charactersMax={60} /> {numberText(count)}
          </span>
        ))}
      </span>
    </p>
  )
}

function Totals({
  report: { now, before },
  names,
}: {
  readonly report: ReportShown
  readonly names: RulesTitles
}): JSX.Element {
  const shown = answers.filter((one) => one !== 'undecided' || now[one] + (before?.[one] ?? 0) > 0)
  return (
    <div class="scroll">
      <table class={`totals ${before === undefined ? '' : 'cards'}`}>
        <thead>
          <tr>
            <th scope="col">Calls</th>
            {before !== undefined && (
              <th scope="col" class="number">
                Before: <Text text={names.before} charactersMax={80} />
              </th>
            )}
            <th scope="col" class="number">
              {before !== undefined && 'Now: '}
              <Text text={names.now} charactersMax={80} />
            </th>
            {before !== undefined && (
              <th scope="col" class="number">
                Difference
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {shown.map((one) => (
            <tr key={one}>
              <th scope="row">{answerWords[one]}</th>
              {before !== undefined && (
                <td class="number" data-label={`Before: ${nameIn(names.before)}`}>
                  {numberText(before[one])}
                </td>
              )}
              <td class="number" data-label={before === undefined ? nameIn(names.now) : `Now: ${nameIn(names.now)}`}>
                {numberText(now[one])}
              </td>
              {before !== undefined && (
                <td class="number" data-label="Difference">
                  {difference(now[one] - before[one])}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Returns the title of rules as a label that style shows: it has no markup, and is cut. */
const nameIn = (title: string) => plainText(title).slice(0, 80)

const difference = (count: number) => (count === 0 ? '0' : `${count > 0 ? '+' : '−'}${numberText(Math.abs(count))}`)

/** Saves the report as `hookgate replay --json` prints it. */
function Download({ report }: { readonly report: ReportShown }): JSX.Element | null {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([JSON.stringify(report, null, 2)], { type: 'application/json' }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [report])
  return url === undefined ? null : (
    <a class="end" href={url} download="hookgate-replay.json">
      Save as JSON
    </a>
  )
}

/** Notes beside the findings. */
function Rest({ report }: { readonly report: ReportShown }): JSX.Element | null {
  const { unreadable, undecided, hooksNotRun, asOfNow, callsNotKept } = report
  const hooks = Object.entries(hooksNotRun)
  const circumstances = Object.entries(asOfNow)
  if (unreadable.length + undecided.length + hooks.length + circumstances.length + callsNotKept === 0) return null
  return (
    <section class="card" aria-labelledby="replay-rest">
      <h2 id="replay-rest">Not in these figures, or not certain</h2>
      {callsNotKept > 0 && (
        <p>Of {counted(callsNotKept, 'further call')} only the totals were kept: too many differ.</p>
      )}
      <Causes title="Not decided: such calls may be refused" one="call" causes={undecided} />
      <Causes title="Not read" one="place" causes={unreadable} />
      {hooks.length > 0 && (
        <details>
          <summary>Hooks were not started, so what they refuse is missing ({hooks.length})</summary>
          <ul>
            {hooks.map(([id, calls]) => (
              <li key={id}>
                {counted(calls, 'call')}: <Text text={id} charactersMax={300} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {circumstances.length > 0 && (
        <p class="faint">
          Judged by what is there today, since the past is not kept:{' '}
          {circumstances.map(([name, calls]) => `${name} (${counted(calls, 'call')})`).join(', ')}.
        </p>
      )}
    </section>
  )
}

function Causes({
  title,
  one,
  causes,
}: {
  readonly title: string
  readonly one: string
  readonly causes: ReportShown['unreadable']
}): JSX.Element | null {
  if (causes.length === 0) return null
  return (
    <details>
      <summary>
        {title} (
        {counted(
          causes.reduce((total, { times }) => total + times, 0),
          one,
        )}
        )
      </summary>
      <ul>
        {causes.map(({ why, times, first }) => (
          <li key={why}>
            {counted(times, one)}: <Text text={why} charactersMax={500} />{' '}
            <span class="faint">
              first in <Text text={placeOf(first)} charactersMax={300} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}
