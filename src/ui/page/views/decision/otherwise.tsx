import type { JSX } from 'preact'
import type { DecisionRecord } from '../../../../record/record.ts'
import type { WhyAnswer } from '../../../routes/why.ts'
import { outcomeWords } from '../../parts/outcome.tsx'
import { RuleLink } from '../../parts/rule-link.tsx'
import { Text } from '../../parts/text.tsx'

/** The decision without the rules that made it, and the decision of today's rules. */
export function Otherwise({ record, why }: { readonly record: DecisionRecord; readonly why: WhyAnswer }): JSX.Element {
  const { without, today } = why
  return (
    <section class="card" aria-labelledby="otherwise">
      {without !== null && (
        <>
          <h2>Without {record.determining.length === 1 ? 'this rule' : 'these rules'}</h2>
          <p>
            {without.decision === 'abstain' ? (
              'No other rule objected: the agent’s own permissions would have decided.'
            ) : (
              <>
                It would have been {outcomeWords[without.decision]} all the same, by{' '}
                {without.rules.map((id, index) => (
                  <span key={id}>
                    {index > 0 && ', '}
                    <RuleLink id={id} />
                  </span>
                ))}
                .
              </>
            )}
            {!without.isCertain && ' Not everything that matters for this is recorded.'}
          </p>
        </>
      )}
      <h2 id="otherwise">Today</h2>
      <p>{todayText(record, today)}</p>
      {today.decision !== undefined && today.decision !== record.decision && today.reason !== undefined && (
        <div class="told">
          <Text text={today.reason} />
        </div>
      )}
      {today.decision === undefined && today.unknown !== undefined && today.unknown !== '' && (
        <p>
          It was not decided again: <Text text={today.unknown} />
        </p>
      )}
      {today.hooksUnknown !== undefined && (
        <p class="faint">
          Hooks are not run for this, and nothing is recorded of <Text text={today.hooksUnknown.join(', ')} />.
        </p>
      )}
    </section>
  )
}

function todayText({ decision: was }: DecisionRecord, { rulesChanged, decision }: WhyAnswer['today']): string {
  const rules =
    rulesChanged === undefined
      ? 'Whether the rules are still the same is not known.'
      : rulesChanged
        ? 'The rules have changed since; line numbers are those of today’s rules.'
        : 'The same rules are in force as then.'
  if (decision === undefined) return rules
  if (decision === was) return `${rules} Decided now, it would be the same: ${outcomeWords[decision]}.`
  return `${rules} Decided now, it would be ${outcomeWords[decision]}.`
}
