import type { ComponentChildren, JSX } from 'preact'
import type { AnswerOf } from '../../../api.ts'
import { CommandLine } from '../../parts/copy.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Text } from '../../parts/text.tsx'
import { TextList } from '../../parts/text-list.tsx'

type ShownGate = AnswerOf<'gate'>

/** The gate that answers all agents. */
export function GateCard({ gate }: { readonly gate: ShownGate }): JSX.Element {
  return (
    <section class="card gate" aria-labelledby="gate-title">
      <div class="row">
        <h2 id="gate-title">Resident gate</h2>
        {gate.running ? (
          <span class="badge allowed">running</span>
        ) : (
          <span class={`badge ${gate.why === null ? '' : 'refused'}`}>not running</span>
        )}
      </div>
      <Warnings gate={gate} />
      <dl class="facts">
        {gate.running && <RunningFacts gate={gate} />}
        <Fact name="Socket">
          <Text text={gate.socket} />
        </Fact>
        <Fact name="Log">
          <Text text={gate.log} />
        </Fact>
        <Fact name="Record">
          <RecordFact record={gate.record} />
        </Fact>
      </dl>
      {gate.running ? (
        <CommandLine line="hookgate down" does="stops it; your agents are then answered by a process for each event" />
      ) : (
        <CommandLine line="hookgate up" does="starts it; the first event of an agent does so, too" />
      )}
    </section>
  )
}

function RunningFacts({ gate }: { readonly gate: ShownGate & { readonly running: true } }): JSX.Element {
  const { pid, version, startedAt, http, tokenFile, inFlight, rules, export: exported } = gate
  return (
    <>
      <Fact name="Version">
        <Text text={version} />
      </Fact>
      <Fact name="Running since">
        <Moment at={startedAt} /> <span class="faint">(process {pid})</span>
      </Fact>
      <Fact name="HTTP">
        {http === null ? (
          'off'
        ) : (
          <>
            <Text text={http} /> <span class="faint">with the token in</span> <Text text={tokenFile ?? ''} />
          </>
        )}
      </Fact>
      <Fact name="Events in flight">{inFlight}</Fact>
      {typeof rules === 'number' && <Fact name="Rules for all projects">{rules}</Fact>}
      {exported.map(({ name, sent, refused, removed }) => (
        <Fact key={name} name="Export">
          <Text text={name} />: {sent} sent{refused + removed > 0 && `, ${refused + removed} dropped`}
        </Fact>
      ))}
    </>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function RecordFact({
  record: { level, decisions = 0, since, lost = 0, verified },
}: Pick<ShownGate, 'record'>): JSX.Element {
  return (
    <>
      {level === 'off' && 'off; '}
      {decisions === 1 ? 'one decision' : `${decisions.toLocaleString('en')} decisions`}
      {typeof since === 'string' && (
        <>
          {' since '}
          <Moment at={since} />
        </>
      )}
      {lost > 0 && `, ${lost} lost`}
      {verified !== undefined && decisions > 0 && <Verified verified={verified} />}
    </>
  )
}

/** When the chain of the record was last verified, and what was found. */
function Verified({ verified }: { readonly verified: NonNullable<ShownGate['record']['verified']> }): JSX.Element {
  const at = <Moment at={verified.at} />
  return verified.kind === 'whole' ? (
    <>; its chain was verified {at}, and intact</>
  ) : (
    <>
      {' '}
      <span class="badge refused">changed by others</span> row {verified.seq} is not as hookgate wrote it, as verified{' '}
      {at}: <code>hookgate log --verify</code> says more
    </>
  )
}

function Warnings({ gate }: { readonly gate: ShownGate }): JSX.Element {
  const { why, record, notAsking } = { why: null, ...gate }
  const rules = gate.running && typeof gate.rules !== 'number' ? [`Its rules do not load: ${gate.rules.problem}`] : []
  const all = [
    ...(why === null ? [] : [why]),
    ...rules,
    ...(gate.running ? gate.warnings : []),
    ...(record.problem === undefined ? [] : [record.problem]),
    ...notAsking,
  ]
  return <TextList kind="complaints" texts={all} />
}
