import type { JSX } from 'preact'
import { agentTitle } from '../../agent-title.ts'
import { linkTo } from '../../location.ts'
import { Text } from '../../parts/text.tsx'
import { useAnswer } from '../../use-answer.ts'
import { type FindingShown, run } from './run-state.ts'
import { answerWords, counted, placeOf } from './words.ts'

/** A command that was found, once, with each way in which it was decided: by agent, by rule and by reason. */
export type CommandWays = readonly [FindingShown, ...FindingShown[]]

/** Details of a command: each way in which it was decided, the most frequent first. */
export function CommandDetails({ ways }: { readonly ways: CommandWays }): JSX.Element {
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
            <Text text={name} charactersMax={200} />: <Text text={reason} charactersMax={1000} />{' '}
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
