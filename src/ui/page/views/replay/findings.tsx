import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { agentTitle, onOneLine } from '../../parts/text-parts.ts'
import { useAnswer } from '../../fetch.ts'
import { linkTo } from '../../location.ts'
import { Empty } from '../../parts/states.tsx'
import { Coded, Text } from '../../parts/text.tsx'
import { counted, numberText } from '../../parts/counted.ts'
import {
  answers,
  answerWords,
  changes,
  type FindingKind,
  type FindingShown,
  kindColor,
  kindOf,
  kindWord,
  placeOf,
  type ReportShown,
  run,
} from './run-state.ts'

/** Commands that are shown at first, the most frequent ones first. A button shows more. */
const pageSize = 100

/** The commands that there is something to say of, by kind, rule and text. */
export function Findings({ report }: { readonly report: ReportShown }): JSX.Element {
  const [kind, setKind] = useState<FindingKind>()
  const [rule, setRule] = useState('')
  const [text, setText] = useState('')
  const [shown, setShown] = useState(pageSize)
  const { findings } = report
  const kinds = useMemo(() => kindsOf(findings), [findings])
  const rules = useMemo(() => rulesOf(findings), [findings])
  const matching = useMemo(
    () => bySubject(filterFindings(findings, { kind, rule, text })),
    [findings, kind, rule, text],
  )
  if (findings.length === 0) {
    const isCompared = report.before !== undefined
    return (
      <Empty what={isCompared ? 'No call is decided in another way.' : 'No call is refused or asked about.'}>
        <p>
          {isCompared
            ? 'Both sets of rules give each call the same answer.'
            : 'Try a preset: it shows what it would refuse.'}
        </p>
      </Empty>
    )
  }
  const reset = () => setShown(pageSize)
  return (
    <section class="card" aria-labelledby="replay-findings">
      <h2 id="replay-findings">{report.before === undefined ? 'Refused and asked' : 'What changes'}</h2>
      <div class="row" role="group" aria-label="Kind">
        <KindButton
          isOn={kind === undefined}
          onClick={() => (setKind(undefined), reset())}
          word="all"
          calls={callsIn(findings)}
        />
        {kinds.map(([one, calls]) => (
          <KindButton
            key={one}
            kind={one}
            isOn={kind === one}
            onClick={() => (setKind(one), reset())}
            word={kindWord(one)}
            calls={calls}
          />
        ))}
      </div>
      <div class="row replay-filters">
        <label class="field">
          Rule
          <select value={rule} onChange={(event) => (setRule(event.currentTarget.value), reset())}>
            <option value="">any ({rules.length})</option>
            {rules.map(([name, calls]) => (
              <option key={name} value={name}>
                {shownName(name)} ({numberText(calls)})
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          Text
          <input
            type="search"
            value={text}
            placeholder="command, rule or reason"
            onInput={(event) => (setText(event.currentTarget.value), reset())}
          />
        </label>
        <span class="faint" role="status">
          {counted(matching.length, 'command')}, {counted(callsIn(matching.flat()), 'call')}
        </span>
      </div>
      <ul class="findings">
        {matching.slice(0, shown).map((ways) => (
          <li key={ways[0].subject}>
            <CommandRow ways={ways} />
          </li>
        ))}
      </ul>
      {matching.length === 0 && (
        <p class="faint">No command matches. Choose another kind or rule, or clear the text.</p>
      )}
      {matching.length > shown && (
        <button type="button" onClick={() => setShown(shown + pageSize)}>
          Show {numberText(Math.min(pageSize, matching.length - shown))} more of {numberText(matching.length - shown)}
        </button>
      )}
      {report.findingsNotShown > 0 && (
        <p class="faint">{numberText(report.findingsNotShown)} more, each less frequent, are not listed.</p>
      )}
    </section>
  )
}

function KindButton({
  kind,
  isOn,
  onClick,
  word,
  calls,
}: {
  readonly kind?: FindingKind
  readonly isOn: boolean
  readonly onClick: () => void
  readonly word: string
  readonly calls: number
}): JSX.Element {
  return (
    <button
      type="button"
      class={`kind ${kind === undefined ? '' : kindColor(kind)}`}
      aria-pressed={isOn}
      onClick={onClick}
    >
      {word} <strong>{numberText(calls)}</strong>
    </button>
  )
}

function CommandRow({ ways }: { readonly ways: CommandWays }): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  const kinds = kindsOf(ways).map(([kind]) => kind)
  const rules = new Set(ways.flatMap((way) => decisiveOf(way).map(({ name }) => name)))
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="times">{numberText(callsIn(ways))} ×</span>
        <span class="kinds">
          {kinds.map((kind) => (
            <span key={kind} class={`badge ${kindColor(kind)}`}>
              {kindWord(kind)}
            </span>
          ))}
        </span>
        <span class="subject">
          <Text text={onOneLine(ways[0].subject)} charactersMax={200} />
        </span>
        <span class="faint rule">
          <Text text={[...rules].join(', ')} charactersMax={300} />
        </span>
      </summary>
      {isOpen && <CommandDetails ways={ways} />}
    </details>
  )
}

/** Brings together what was found about each command, the most frequent command first. */
function bySubject(findings: readonly FindingShown[]): readonly CommandWays[] {
  return [...Map.groupBy(findings, ({ subject }) => subject).values()]
    .flatMap(([first, ...others]): CommandWays[] => (first === undefined ? [] : [[first, ...others]]))
    .toSorted((a, b) => callsIn(b) - callsIn(a))
}

/** Returns the rules that make the difference: of a call that none objects to any more, those that did. */
const decisiveOf = ({ now, before }: FindingShown) =>
  now.rules.length > 0 || before === undefined ? now.rules : before.rules

const callsIn = (findings: readonly FindingShown[]) => findings.reduce((total, { calls }) => total + calls, 0)

function kindsOf(findings: readonly FindingShown[]): readonly (readonly [FindingKind, number])[] {
  const byKind = Map.groupBy(findings, kindOf)
  return [...changes, ...answers].flatMap((kind) => {
    const own = byKind.get(kind)
    return own === undefined ? [] : [[kind, callsIn(own)] as const]
  })
}

function rulesOf(findings: readonly FindingShown[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const finding of findings) {
    for (const { name } of decisiveOf(finding)) counts.set(name, (counts.get(name) ?? 0) + finding.calls)
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)
}

interface FindingFilter {
  readonly kind: FindingKind | undefined
  readonly rule: string
  readonly text: string
}

function filterFindings(
  findings: readonly FindingShown[],
  { kind, rule, text }: FindingFilter,
): readonly FindingShown[] {
  const wanted = text.trim().toLowerCase()
  return findings.filter((finding) => {
    if (kind !== undefined && kindOf(finding) !== kind) return false
    const rules = decisiveOf(finding)
    if (rule !== '' && !rules.some(({ name }) => name === rule)) return false
    return [finding.subject, ...rules.flatMap(({ name, reason }) => [name, reason])].some((one) =>
      one.toLowerCase().includes(wanted),
    )
  })
}

/** An option of a list can hold text only: what would change its direction is taken out. */
const shownName = (name: string) => name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '�').slice(0, 100)

/** A command that was found, once, with each way in which it was decided: by agent, by rule and by reason. */
type CommandWays = readonly [FindingShown, ...FindingShown[]]

/** Details of a command: each way in which it was decided, the most frequent first. */
function CommandDetails({ ways }: { readonly ways: CommandWays }): JSX.Element {
  return (
    <div class="details">
      <Text text={ways[0].subject} />
      {ways.map((finding, index) => (
        <FindingDetails key={index} finding={finding} isOneOfSeveral={ways.length > 1} />
      ))}
    </div>
  )
}

/** Both answers with their rules and reasons, and where the call came first. */
function FindingDetails({
  finding,
  isOneOfSeveral,
}: {
  readonly finding: FindingShown
  readonly isOneOfSeveral: boolean
}): JSX.Element {
  const { agent, calls, now, before, first, asOfNow } = finding
  return (
    <dl>
      {isOneOfSeveral && (
        <>
          <dt>Calls</dt>
          <dd>{counted(calls, 'call')}</dd>
        </>
      )}
      {before !== undefined && <Said title="Before" said={before} />}
      <Said title="Now" said={now} />
      <dt>Agent</dt>
      <dd>
        <Text text={agentTitle(agent)} charactersMax={60} />
      </dd>
      <dt>First in</dt>
      <dd>
        <Text text={placeOf(first)} charactersMax={1000} />
      </dd>
      <dt>Folder</dt>
      <dd>
        <Text text={first.cwd} charactersMax={1000} />
      </dd>
      {asOfNow.length > 0 && (
        <>
          <dt>As of now</dt>
          <dd>{asOfNow.join(', ')}: the answer depends on what is there today</dd>
        </>
      )}
      <Recorded finding={finding} />
    </dl>
  )
}

function Said({
  title,
  said: { answer, rules },
}: {
  readonly title: string
  readonly said: FindingShown['now']
}): JSX.Element {
  return (
    <>
      <dt>{title}</dt>
      <dd>
        <span class={`badge ${answer}`}>{answerWords[answer]}</span>
        {rules.map(({ id, name, reason, file }) => (
          <p key={id}>
            <Text text={name} charactersMax={200} />: <Coded text={reason} charactersMax={1000} />{' '}
            <span class="faint">
              of <Text text={file} charactersMax={300} />
            </span>
          </p>
        ))}
      </dd>
    </>
  )
}

/** Leads to what was really decided, if that is in the record. */
function Recorded({ finding: { agent, subject, first } }: { readonly finding: FindingShown }): JSX.Element | null {
  const isOfRecord = run.value.state === 'done' && run.value.asked.calls.kind === 'record'
  const [{ answer }] = useAnswer('recordedCall', {
    agent,
    subject,
    ...(isOfRecord && first.line !== undefined && { seq: first.line }),
  })
  if (answer === undefined || answer.id === null) return null
  return (
    <>
      <dt>Recorded</dt>
      <dd>
        <a href={linkTo('decision', { id: answer.id })}>What was decided {isOfRecord ? 'then' : 'about it last'}</a>
      </dd>
    </>
  )
}
