import type { JSX } from 'preact'
import type { SpanUnit } from '../../parts/chart-ticks.ts'
import { useAnswer } from '../../use-answer.ts'
import type { ShownHistory } from './shown-history.ts'

/** Says what is not among the figures, and why. */
export function HistoryNotes({
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
          `${decisions(countedOnly)} met no objection and ${countedOnly === 1 ? 'was' : 'were'} only counted, ` +
            `by the day${unit === 'hour' ? ': they are in the sum, and not in the hours' : ''}.`,
        ]),
    ...(lost === 0 ? [] : [`${decisions(lost)} could not be recorded, at any time. \`hookgate status\` says why.`]),
    ...(unreadable === 0
      ? []
      : [
          `${unreadable.toLocaleString('en-US')} ${unreadable === 1 ? 'row' : 'rows'} of the record cannot be read. ` +
            '`hookgate log --verify` checks it.',
        ]),
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

const decisions = (number: number) => `${number.toLocaleString('en-US')} ${number === 1 ? 'decision' : 'decisions'}`
