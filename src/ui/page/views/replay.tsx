import type { JSX } from 'preact'
import type { AskedOf } from '../../api.ts'
import { Empty, Failed, Waiting } from '../parts/states.tsx'
import { Text } from '../parts/text.tsx'
import { useAnswer } from '../use-answer.ts'
import { choices, choose } from './replay/form-state.ts'
import { ReplayForm } from './replay/form.tsx'
import { ReplayReportView, type RulesTitles } from './replay/report.tsx'
import { type ReplayRun, run } from './replay/run-state.ts'
import { bytesText, counted, numberText } from './replay/words.ts'

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
