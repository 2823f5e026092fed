import type { JSX } from 'preact'
import type { AnswerOf } from '../../api.ts'
import { Moment } from './moment.tsx'

type ShownRecord = AnswerOf<'gate'>['record']

/** Says how much is recorded, since when, and whether the record is as hookgate wrote it. */
export function RecordState({
  record: { level, decisions = 0, since, lost = 0, verified },
}: {
  readonly record: ShownRecord
}): JSX.Element {
  return (
    <>
      {level === 'off' && 'off; '}
      {decisions === 1 ? 'one event' : `${decisions.toLocaleString('en')} events`}
      {typeof since === 'string' && (
        <>
          {' since '}
          <Moment at={since} />
        </>
      )}
      {lost > 0 && `, ${lost} lost`}
      {decisions > 0 && <Verified verified={verified} />}
    </>
  )
}

/** Says when the chain of the record was last verified, and what was found. */
function Verified({ verified }: { readonly verified: ShownRecord['verified'] }): JSX.Element {
  if (verified === undefined) return <>, not verified yet</>
  const at = <Moment at={verified.at} />
  if (verified.kind === 'whole') return <>, intact at {at}</>
  return (
    <>
      {' '}
      <span class="badge refused">changed by others</span> row {verified.seq}, found {at}
    </>
  )
}
