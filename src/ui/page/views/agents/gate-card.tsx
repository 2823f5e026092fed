import type { ComponentChildren, JSX } from 'preact'
import type { AnswerOf } from '../../../api.ts'
import { CommandLine } from '../../parts/copy.tsx'
import { Moment } from '../../parts/moment.tsx'
import { RecordState } from '../../parts/record-state.tsx'
import { StartGate } from '../../parts/start-gate.tsx'
import { Text } from '../../parts/text.tsx'
import { TextList } from '../../parts/text-list.tsx'

type ShownGate = AnswerOf<'gate'>

/** The gate that answers all agents. */
export function GateCard({
  gate,
  onStarted,
}: {
  readonly gate: ShownGate
  readonly onStarted: () => void
}): JSX.Element {
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
          <RecordState record={gate.record} />
        </Fact>
      </dl>
      {gate.running ? (
        <CommandLine line="hookgate down" does="stops it; your agents are then answered by a process for each event" />
      ) : (
        <div class="row">
          <StartGate onStarted={onStarted} />
          <span class="faint">The first event of an agent does so, too.</span>
        </div>
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
