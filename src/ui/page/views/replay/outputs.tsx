import type { JSX } from 'preact'
import { Text } from '../../parts/text.tsx'
import { counted, numberText } from '../../parts/counted.ts'
import type { ReportShown } from './run-state.ts'

type OutputsShown = NonNullable<ReportShown['outputs']>

const outputAnswers = ['changed', 'withheld', 'told', 'masked', 'noOpinion', 'undecided'] as const

const outputWords: Readonly<Record<keyof OutputsShown['now'], string>> = {
  changed: 'Changed before the model reads it',
  withheld: 'Withheld, since a rule failed',
  told: 'Shown, with a text beside it',
  masked: 'Masked already when it was read',
  noOpinion: 'No opinion',
  undecided: 'Not decided',
}

/** What rules make of what the calls have returned. */
export function Outputs({ outputs }: { readonly outputs: OutputsShown }): JSX.Element {
  const { now, notKept, said } = outputs
  return (
    <section class="card" aria-labelledby="replay-outputs">
      <h2 id="replay-outputs">Outputs</h2>
      <ul>
        {outputAnswers.map(
          (answer) =>
            now[answer] > 0 && (
              <li key={answer}>
                {outputWords[answer]}: {numberText(now[answer])}
              </li>
            ),
        )}
        {notKept > 0 && <li>Not kept, so not decided again: {numberText(notKept)}</li>}
      </ul>
      {said.length > 0 && (
        <ul>
          {said.slice(0, outputsShownMax).map(({ rule, reason, outputs: times }) => (
            <li key={`${rule} ${reason}`}>
              {counted(times, 'output')}: <Text text={`${rule}: ${reason}`} charactersMax={300} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
/** Things said of outputs that a person reads. */
const outputsShownMax = 20
