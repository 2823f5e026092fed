import type { JSX } from 'preact'
import type { AnswerOf } from '../../../api.ts'
import { OutcomeBadge } from '../../parts/outcome.tsx'
import { Text } from '../../parts/text.tsx'

export type RuleExamples = AnswerOf<'packExamples'>['rules'][number]['examples']

/** The examples of a rule: what an agent is about to do, and what the rule decides. */
export function Examples({ examples }: { readonly examples: RuleExamples }): JSX.Element | null {
  if (examples.length === 0) return null
  return (
    <details class="examples">
      <summary>{examples.length === 1 ? 'One example' : `${examples.length} examples`}</summary>
      <ul>
        {examples.map(({ name, given, params, decision }, index) => (
          <li key={index}>
            <span class="faint">
              <Text text={name} charactersMax={200} />
            </span>
            <span>
              <Text text={given} charactersMax={400} />
              {params !== '' && (
                <span class="faint">
                  {' '}
                  with <Text text={params} charactersMax={200} />
                </span>
              )}
            </span>
            <span class="wanted">
              <span aria-hidden="true">→ </span>
              {decision === undefined ? 'the agent is told something' : <OutcomeBadge decision={decision} />}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}
