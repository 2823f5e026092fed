import { counted } from '../../parts/counted.ts'
import type { JSX } from 'preact'
import type { DecisionRecord, RecordedEvaluation } from '../../../../record/record.ts'
import type { WhyAnswer } from '../../../routes/decisions.ts'
import { Coded, ObservedBadge, OutcomeBadge, outcomeWords, RuleLink, Text } from '../../parts/text.tsx'
import { durationText } from '../../parts/text-parts.ts'

type ExplainedRule = WhyAnswer['rules'][number]

/** Each rule that answered or failed: its answer, and how long it took. */
export function Evaluations({
  record,
  why,
}: {
  readonly record: DecisionRecord
  readonly why: WhyAnswer | undefined
}): JSX.Element {
  const { evaluations, determining, rules, evaluationsLeftOut, slowest } = record
  const longestMs = Math.max(slowest?.durationMs ?? 0, ...evaluations.map(({ durationMs }) => durationMs))
  const sorted = evaluations.toSorted(
    (a, b) => Number(determining.includes(b.ruleId)) - Number(determining.includes(a.ruleId)),
  )
  return (
    <section class="card" aria-labelledby="rules">
      <h2 id="rules">Rules</h2>
      <p class="faint">
        {evaluations.length} of {counted(rules, 'rule')} objected, allowed, failed or noted something
        {evaluationsLeftOut !== undefined && `; ${evaluationsLeftOut} more did, for which the record had no room`}. The
        others: no objection.
      </p>
      {evaluations.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-labelledby="rules">
          <table class="evaluations">
            <thead>
              <tr>
                <th scope="col">Rule</th>
                <th scope="col">Said</th>
                <th scope="col">Reason</th>
                <th scope="col" class="number">
                  Took
                </th>
              </tr>
            </thead>
            <tbody>
              {sorted.map((one, index) => (
                <tr key={index} class={determining.includes(one.ruleId) ? 'decides' : ''}>
                  <th scope="row">
                    <RuleLink id={one.ruleId} />
                    {determining.includes(one.ruleId) && <span class="badge">decided</span>}
                    {one.severity !== undefined && <span class="faint"> {one.severity}</span>}
                    {one.rewritten === true && <span class="faint"> of the rewritten call</span>}
                  </th>
                  <td>
                    <Said one={one} />
                  </td>
                  <td class="reason">
                    <Reason
                      one={one}
                      rule={why?.rules.find(
                        ({ ruleId, rewritten }) => ruleId === one.ruleId && rewritten === one.rewritten,
                      )}
                    />
                  </td>
                  <td class="number">
                    <Took ms={one.durationMs} ofMs={longestMs} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

function Said({ one }: { readonly one: RecordedEvaluation }): JSX.Element {
  if (one.effect !== undefined) {
    return (
      <>
        <OutcomeBadge decision={one.effect} /> {one.observed === true && <ObservedBadge />}
      </>
    )
  }
  return one.failure === undefined ? <span class="faint">no objection</span> : <span class="badge refused">failed</span>
}

function Reason({
  one: { reason, failure, remarks = [], observed },
  rule,
}: {
  readonly one: RecordedEvaluation
  readonly rule: ExplainedRule | undefined
}): JSX.Element {
  return (
    <>
      {reason !== undefined && <Coded text={reason} />}
      {failure !== undefined && (
        <div>
          <strong>{failure.code}</strong>: <Text text={failure.message} />
        </div>
      )}
      {remarks.map((remark) => (
        <div key={remark}>
          <Text text={remark} />
        </div>
      ))}
      {observed === true && <div class="faint">It only observes: this did not count.</div>}
      {rule?.place !== undefined && <DecidedAt place={rule.place} />}
      {rule?.facts?.map(({ name, declared, value }) => (
        <div key={name} class="faint">
          Fact {name} (<Text text={declared} />
          ), as of now: <Text text={value} />
        </div>
      ))}
      {rule?.source !== undefined && (
        <div class="faint">
          From <Text text={placeText(rule.source)} /> ({rule.source.scope})
        </div>
      )}
    </>
  )
}

function DecidedAt({ place }: { readonly place: NonNullable<ExplainedRule['place']> }): JSX.Element | null {
  switch (place.kind) {
    case 'policy':
      return (
        <>
          {place.lines.map((line, index) => (
            <div key={index}>
              <span class="faint">
                {index === 0 ? 'Decided at ' : 'And at '}
                <Text text={placeText(line)} />
              </span>
              <pre class="line">
                <Text text={line.text} />
              </pre>
            </div>
          ))}
        </>
      )
    case 'policyFile':
      return (
        <div class="faint">
          Decided in <Text text={placeText(place.place)} />; the line is not known: <Text text={place.why} />
        </div>
      )
    case 'hook':
      return place.files.length === 0 ? null : (
        <div class="faint">
          Decided by <Text text={place.files.join(', ')} />
        </div>
      )
    case 'entries':
      return (
        <div class="faint">
          Decided by the entry at <Text text={place.places.map(placeText).join(', ')} />
        </div>
      )
    case 'selfProtection':
      return <div class="faint">It protects hookgate itself.</div>
  }
}

/** A time, and its share of the longest as a bar. */
const Took = ({ ms, ofMs }: { readonly ms: number; readonly ofMs: number }) => (
  <>
    {durationText(ms)}
    <span class="bar-of" aria-hidden="true">
      <span style={{ width: `${ofMs === 0 ? 0 : Math.max(2, (100 * ms) / ofMs)}%` }} />
    </span>
  </>
)

/** Formats a place in a file: `FILE:LINE:COLUMN`. */
const placeText = (place: {
  readonly file: string
  readonly line?: number | undefined
  readonly column?: number | undefined
}): string => [place.file, place.line, place.column].filter((part) => part !== undefined).join(':')

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
