import type { JSX } from 'preact'
import { linkTo } from '../../location.ts'
import { RuleLink } from '../../parts/rule-link.tsx'
import { FirstRows } from './first-rows.tsx'
import type { ShownHistory } from './shown-history.ts'

/** Lists the rules that refuse, ask or observe, those that refuse most first. */
export function RefusingRules({ rules }: { readonly rules: ShownHistory['rules'] }): JSX.Element {
  const restricting = rules.filter(({ refused, asked, observed }) => refused + asked + observed > 0)
  const most = Math.max(1, ...restricting.map(({ refused, asked, observed }) => refused + asked + observed))
  return (
    <section class="card">
      <h2>Rules that refuse most</h2>
      {restricting.length === 0 ? (
        <p class="faint">No rule refused, asked or observed anything in this time.</p>
      ) : (
        <FirstRows
          what="rules"
          head={
            <tr>
              <th scope="col">Rule</th>
              <th scope="col" class="number">
                Refused
              </th>
              <th scope="col" class="number">
                Asked
              </th>
              <th scope="col" class="number">
                Observed
              </th>
              <th scope="col">
                <span class="hidden">Its decisions</span>
              </th>
            </tr>
          }
          rows={restricting.map(({ rule, refused, asked, observed }) => (
            <tr key={rule}>
              <th scope="row" class="named">
                <RuleLink id={rule} />
                <span class="share" aria-hidden="true">
                  <span class="refused" style={{ width: `${(refused / most) * 100}%` }} />
                  <span class="asked" style={{ width: `${(asked / most) * 100}%` }} />
                  <span class="observed" style={{ width: `${(observed / most) * 100}%` }} />
                </span>
              </th>
              <td class="number" data-label="Refused">
                {refused.toLocaleString('en-US')}
              </td>
              <td class="number" data-label="Asked">
                {asked.toLocaleString('en-US')}
              </td>
              <td class="number" data-label="Observed">
                {observed.toLocaleString('en-US')}
              </td>
              <td class="number">
                <a href={linkTo('now', { params: { rule } })}>decisions</a>
              </td>
            </tr>
          ))}
        />
      )}
    </section>
  )
}
