import type { JSX } from 'preact'
import { durationText } from '../../parts/duration.ts'
import type { ShownHistory } from './shown-history.ts'

/** Shows the sums over the range. */
export function KeyFigures({ history: { all, gate } }: { readonly history: ShownHistory }): JSX.Element {
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
          <dd class={kind}>{number.toLocaleString('en-US')}</dd>
        </div>
      ))}
      {gate !== undefined && (
        <>
          <div>
            <dt>p50</dt>
            <dd>{durationText(gate.p50Ms)}</dd>
          </div>
          <div>
            <dt>p99</dt>
            <dd>{durationText(gate.p99Ms)}</dd>
          </div>
        </>
      )}
    </dl>
  )
}
