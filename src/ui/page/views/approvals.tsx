import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { AnswerOf } from '../../api.ts'
import { agentTitle, approvalText, shownText } from '../parts/text-parts.ts'
import { offerChange } from '../changes.ts'
import { ask, failureOf, type RequestFailed } from '../fetch.ts'
import { AllowNotices, type PageProtection } from '../use-protection.tsx'
import { Empty, Failed, StartGate, Waiting } from '../parts/states.tsx'
import { Coded, RuleLink, Text } from '../parts/text.tsx'

/** More than a request has. */
const shownCharactersMax = 40_000

type WaitingCall = NonNullable<AnswerOf<'approvals'>['requests']>[number]

/** The calls that wait for a person, each with its buttons. */
export function ApprovalsView({
  protection: { approvals: asking, askApprovals: look, gate },
}: {
  readonly protection: PageProtection
}): JSX.Element {
  const [last, setLast] = useState('')
  const { answer } = asking
  const isOff = gate.answer?.hasApprovals === false
  const shown = useRef<readonly WaitingCall[]>([])
  useEffect(() => {
    if (answer === undefined) return
    const now = answer.requests ?? []
    const gone = shown.current.find(({ id }) => now.every((one) => one.id !== id))
    shown.current = now
    // A call that vanishes before a person's eyes leaves them wondering.
    if (gone !== undefined) void endOf(gone).then((text) => text !== undefined && setLast(text))
  }, [answer])
  return (
    <>
      <h1>Approvals</h1>
      <p role="status">{last !== '' && <Coded text={last} />}</p>
      {!isOff && <AllowNotices />}
      {asking.state === 'failed' && <Failed error={asking.error} onRetry={look} />}
      {answer === undefined && asking.state === 'waiting' && <Waiting what="Looking for calls that wait" />}
      {answer !== undefined && (answer.requests ?? []).length === 0 && (
        <NoCalls
          isOff={isOff}
          isForbidden={gate.answer?.mayTurnApprovalsOn === false}
          hasGate={answer.requests !== null}
          onStarted={look}
        />
      )}
      <ul class="plain">
        {(answer?.requests ?? []).map((request) => (
          <li key={request.id}>
            <RequestCard
              request={request}
              nowMs={answer?.nowMs ?? 0}
              onAnswered={(text) => {
                shown.current = shown.current.filter(({ id }) => id !== request.id)
                setLast(text)
                look()
              }}
            />
          </li>
        ))}
      </ul>
    </>
  )
}

/** Says how a call ended that nobody has answered here; `undefined` if nobody knows. */
async function endOf({ id, words }: WaitingCall): Promise<string | undefined> {
  try {
    // Nothing waits under this id any more, so that this answers nothing.
    const { result } = await ask('answerApproval', { id, call: '', answer: 'deny' })
    if (result.kind !== 'over') return undefined
    const { ended } = result
    const next =
      ended.outcome === 'approved' ? '' : ` \`hookgate allow ${id}\` lets it through when the agent tries again.`
    return `\`${words.length > endedCharactersMax ? `${words.slice(0, endedCharactersMax).toWellFormed()}…` : words}\` waits no more: ${lowerFirst(approvalText(ended))}.${next}`
  } catch {
    return undefined
  }
}
/** As many as tell one call from another. */
const endedCharactersMax = 80

/** Says why no call waits, and has the button that changes it. */
function NoCalls({
  isOff,
  isForbidden,
  hasGate,
  onStarted,
}: {
  readonly isOff: boolean
  /** True where an administrator has turned them off. */
  readonly isForbidden: boolean
  readonly hasGate: boolean
  readonly onStarted: () => void
}): JSX.Element {
  if (isOff && isForbidden) {
    return (
      <Empty what="Whoever manages this machine has turned approvals off, so no call waits for you.">
        <p>A call that a rule asks about is refused, if its agent cannot ask by itself.</p>
      </Empty>
    )
  }
  if (isOff) {
    return (
      <Empty what="Approvals are off, so no call waits for you.">
        <p>
          With them, a call that a rule asks about waits for your answer here or in a terminal, if its agent cannot ask
          by itself. Without them, such a call is refused.
        </p>
        <button
          type="button"
          class="main"
          onClick={() => offerChange('Turn approvals on', { kind: 'approvals', to: 'on' })}
        >
          Turn approvals on …
        </button>
      </Empty>
    )
  }
  if (!hasGate) {
    return (
      <Empty what="No gate runs, so no call can wait for you.">
        <p>The next event of an enabled agent starts it, and so can you.</p>
        <StartGate onStarted={onStarted} />
      </Empty>
    )
  }
  return (
    <Empty what="No call waits for you.">
      <p>A call waits here if a rule asks about it and its agent cannot ask by itself.</p>
    </Empty>
  )
}

function RequestCard({
  request,
  nowMs,
  onAnswered,
}: {
  readonly request: WaitingCall
  readonly nowMs: number
  readonly onAnswered: (text: string) => void
}): JSX.Element {
  const { id, call, agent, project, folder, toolName, subject, words, input, altered, commands, rules, endsAtMs } =
    request
  const isCut = [subject, input ?? ''].some((text) => shownText(text, shownCharactersMax).left > 0)
  const [reason, setReason] = useState('')
  const [again, setAgain] = useState<Again>()
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<RequestFailed>()
  async function send(answer: 'approve' | 'deny'): Promise<void> {
    setSending(true)
    try {
      const more = { ...(reason !== '' && { reason }), ...(again !== undefined && { again }) }
      onAnswered(resultText(id, await ask('answerApproval', { id, call, answer, ...more })))
    } catch (cause) {
      setError(failureOf(cause))
      setSending(false)
    }
  }
  return (
    <section class="card" aria-label={`${toolName}: ${subject}`}>
      <h2>
        <code>
          <Text text={words} charactersMax={shownCharactersMax} />
        </code>
      </h2>
      {input !== undefined && (
        <p>
          <Text text={input} charactersMax={shownCharactersMax} />
        </p>
      )}
      <p class="faint">
        <Text text={`${agentTitle(agent)}, ${toolName}, in ${folder ?? project}; ${leftText(endsAtMs - nowMs)} left`} />
      </p>
      {(commands.length > 1 || (commands.length === 1 && commands[0] !== subject)) && (
        <ul class="plain">
          {commands.map((command, index) => (
            <li key={index}>
              <span class="faint">runs</span>{' '}
              <code>
                <Text text={command} />
              </code>
            </li>
          ))}
        </ul>
      )}
      <ul class="plain">
        {rules.map((rule) => (
          <li key={rule.id}>
            <RuleLink id={rule.id} />: <Coded text={rule.reason} />
          </li>
        ))}
      </ul>
      {altered !== undefined && (
        <p class="faint">
          Call <code>{call.slice(0, 16)}</code>, with secrets masked or characters shown as codes.
        </p>
      )}
      {isCut && (
        <p class="faint">
          This page cannot show all of it. <code>hookgate approvals approve {id}</code> shows it whole.
        </p>
      )}
      {error !== undefined && <Failed error={error} />}
      <div class="row">
        {!isCut && (
          <button type="button" disabled={isSending} onClick={() => void send('approve')}>
            Approve
          </button>
        )}
        {!isCut && rules.every(({ obstacle }) => obstacle === undefined) && (
          <Repeats chosen={again} onChosen={setAgain} />
        )}
        <button type="button" disabled={isSending} onClick={() => void send('deny')}>
          Deny
        </button>
        <label>
          Reason, for the model{' '}
          <input
            type="text"
            maxLength={1000}
            value={reason}
            onInput={(event) => setReason(event.currentTarget.value)}
          />
        </label>
      </div>
    </section>
  )
}

type Again = NonNullable<AnswerOf<'answerApproval'>['again']>

const repeats: readonly (readonly [again: Again | '', label: string])[] = [
  ['', 'this call'],
  ['thrice', 'this call 3 times'],
  ['halfHour', 'this call for 30 minutes'],
]

/** Chooses whether the same call of the same session is approved again without a question. */
function Repeats({
  chosen,
  onChosen,
}: {
  readonly chosen: Again | undefined
  readonly onChosen: (again: Again | undefined) => void
}): JSX.Element {
  return (
    <select
      aria-label="What to approve"
      value={chosen ?? ''}
      onChange={(event) => onChosen(repeats.find(([again]) => again === event.currentTarget.value)?.[0] || undefined)}
    >
      {repeats.map(([again, label]) => (
        <option key={again} value={again}>
          {label}
        </option>
      ))}
    </select>
  )
}

function resultText(id: string, { result, again, onlyThis }: AnswerOf<'answerApproval'>): string {
  switch (result.kind) {
    case 'taken': {
      const more = repeats.find(([one]) => one === again)?.[1]
      if (onlyThis !== undefined) return `${id} was approved, this call alone: ${onlyThis}`
      if (more !== undefined) return `${id} was approved: ${more}.`
      return `${id} was ${result.outcome === 'approved' ? 'approved' : 'refused'}.`
    }
    case 'over':
      return `${id} had ended before: ${lowerFirst(approvalText(result.ended))}.`
    case 'terminalOnly':
      return `${id} can only be approved at this machine.`
    case 'noPerson':
      return `${id} still waits: this approval does not count, since ${result.why}. Approve it in a terminal of your own.`
    case 'unknown':
      return `${id} does not wait any more.`
  }
}

/** Says how long a call still waits: `12 s`, `9 min`. */
function leftText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  return seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}

const lowerFirst = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`
