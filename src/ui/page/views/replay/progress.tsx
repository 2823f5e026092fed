import type { JSX } from 'preact'
import type { ReplayRun } from './run-state.ts'
import { bytesText, counted, numberText } from './words.ts'

/** Shows how far a replay is, and stops it. */
export function ReplayProgress({
  running,
}: {
  readonly running: Extract<ReplayRun, { state: 'running' }>
}): JSX.Element {
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
