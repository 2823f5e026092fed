import { counted } from '../../parts/counted.ts'
import type { JSX } from 'preact'
import { offerChange } from '../../changes.ts'
import { here } from '../../location.ts'
import { Coded, OutcomeBadge, Text } from '../../parts/text.tsx'
import { didText, endingBy, rowIdOf, type ShownRule } from './shown-rules.ts'
import type { AnswerOf } from '../../../api.ts'

/** One row: a rule that is in force, or one of a pack that is not. */
export interface RuleRow {
  readonly name: string
  readonly description: string
  readonly severity: string | null
  /** `undefined` if it is off. */
  readonly rule: ShownRule | undefined
  /** Set for a rule that can be turned on and off here. */
  readonly pack?: string
}

/** The rules of one source or pack. */
export function RuleTable({
  rows,
  days,
  examples,
}: {
  readonly rows: readonly RuleRow[]
  readonly days: number
  /** Examples of each rule, by the policy's name; absent if there are none, or none yet. */
  readonly examples?: readonly { readonly id: string; readonly examples: RuleExamples }[] | undefined
}): JSX.Element {
  const hasSeverity = rows.some(({ severity }) => severity !== null)
  const canSwitch = rows.some(({ pack }) => pack !== undefined)
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Rules">
      <table class="rules cards">
        <thead>
          <tr>
            <th scope="col">Rule</th>
            {hasSeverity && <th scope="col">Severity</th>}
            <th scope="col">Mode</th>
            <th scope="col">If it fails</th>
            <th scope="col">Last {days} days</th>
            {canSwitch && <th scope="col">In force</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row
              key={row.rule?.id ?? row.name}
              row={row}
              days={days}
              hasSeverity={hasSeverity}
              canSwitch={canSwitch}
              examples={examples?.find(({ id }) => id === row.name)?.examples ?? []}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({
  row,
  days,
  hasSeverity,
  canSwitch,
  examples,
}: {
  readonly row: RuleRow
  readonly days: number
  readonly hasSeverity: boolean
  readonly canSwitch: boolean
  readonly examples: RuleExamples
}): JSX.Element {
  const { name, description, severity, rule, pack } = row
  const isMeant = rule !== undefined && here.value.params['rule'] === rule.id
  const turn = () => {
    if (pack === undefined) return
    const to = rule === undefined ? 'on' : 'off'
    offerChange(
      `Turn the rule ${name} ${to}`,
      { kind: 'rule', pack, rule: name, to },
      endingBy(to, rule ? [rule.id] : []),
    )
  }
  return (
    <tr id={rule === undefined ? undefined : rowIdOf(rule.id)} class={isMeant ? 'meant' : undefined}>
      <th scope="row">
        <Text text={name} charactersMax={200} />
        <div class="faint about">
          {description !== '' && (
            <p>
              <Coded text={description} charactersMax={400} />
            </p>
          )}
          {rule !== undefined && rule.kind !== 'policy' && rule.kind !== 'built in' && <p>{kindTexts[rule.kind]}</p>}
          {rule?.untrustedReason && (
            <p class="untrusted">
              Not trusted: {rule.kind === 'hook' ? 'it is not run.' : 'it can only tighten, not allow.'}{' '}
              <Coded text={rule.untrustedReason} charactersMax={400} />
            </p>
          )}
        </div>
        <Examples examples={examples} />
      </th>
      {hasSeverity && <td data-label="Severity">{severity}</td>}
      <td data-label="Mode">
        <ModeBadge mode={rule?.mode} />
      </td>
      <td data-label="If it fails">{rule?.onFailure}</td>
      <td data-label={`Last ${days} days`}>{rule === undefined ? '' : didText(rule.did)}</td>
      {canSwitch && (
        <td data-label="In force">
          {pack !== undefined && (
            <button type="button" role="switch" class="switch" aria-checked={rule !== undefined} onClick={turn}>
              <span class="hidden">The rule {name}</span>
            </button>
          )}
        </td>
      )}
    </tr>
  )
}

const kindTexts = { hook: 'A hook', permissions: 'A list of permissions', limit: 'A limit' } as const

/** Says whether something refuses, only observes, or is off. */
export function ModeBadge({ mode }: { readonly mode: 'enforce' | 'observe' | undefined }): JSX.Element {
  if (mode === undefined) return <span class="badge">off</span>
  return mode === 'observe' ? <span class="badge observed">observes</span> : <span class="badge allowed">enforced</span>
}

type RuleExamples = AnswerOf<'packExamples'>['rules'][number]['examples']

/** The examples of a rule: what an agent is about to do, and what the rule decides. */
function Examples({ examples }: { readonly examples: RuleExamples }): JSX.Element | null {
  if (examples.length === 0) return null
  return (
    <details class="examples">
      <summary>{counted(examples.length, 'example')}</summary>
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
