import type { JSX } from 'preact'
import { linkTo } from '../../location.ts'
import { Moment } from '../../parts/moment.tsx'
import { RuleLink } from '../../parts/rule-link.tsx'
import { Text } from '../../parts/text.tsx'
import { FirstRows } from './first-rows.tsx'
import type { ShownHistory } from './shown-history.ts'

/** Lists what failed, how often, and how it did so last. */
export function FailureTable({ failures }: { readonly failures: ShownHistory['failures'] }): JSX.Element {
  return (
    <section class="card">
      <h2>Failures</h2>
      {failures.length === 0 ? (
        <p class="faint">Nothing failed in this time.</p>
      ) : (
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
                {number.toLocaleString('en-US')}
              </td>
              <td data-label="The last one">
                <a href={linkTo('decision', { id })}>{at === undefined ? 'the decision' : <Moment at={at} />}</a>
              </td>
            </tr>
          ))}
        />
      )}
    </section>
  )
}
