import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { AnswerOf } from '../../api.ts'
import { agentTitle } from '../agent-title.ts'
import { ask, failureOf, type RequestFailed } from '../fetch.ts'
import { AllowNotices } from '../notify-waiting.tsx'
import { CommandLine } from '../parts/copy.tsx'
import { Empty, Failed, Waiting } from '../parts/states.tsx'
import { Text } from '../parts/text.tsx'
import { useAnswer } from '../use-answer.ts'

type WaitingCall = NonNullable<AnswerOf<'approvals'>['requests']>[number]

/** Time between two looks, ms: a call that waits has minutes. */
const lookMs = 2000

/** The calls that wait for a person, each with its buttons. */
export function ApprovalsView(): JSX.Element {
  const [waiting, look] = useAnswer('approvals', {})
  const [last, setLast] = useState('')
  useEffect(() => {
    const timer = setInterval(look, lookMs)
    return () => clearInterval(timer)
  }, [])
  const { answer } = waiting
  return (
    <>
      <h1>Approvals</h1>
      <p role="status">{last}</p>
      <AllowNotices />
      {waiting.state === 'failed' && <Failed error={waiting.error} onRetry={look} />}
      {answer === undefined && waiting.state === 'waiting' && <Waiting what="Looking for calls that wait" />}
      {answer?.requests === null && <NoGate onStarted={look} />}
      {answer?.requests?.length === 0 && (
        <Empty what="No call waits for you.">
          <p>A call waits here if a rule asks about it, its agent cannot ask by itself, and your hooks.json has:</p>
          <CommandLine line={'"approvals": true'} what="the setting" />
        </Empty>
      )}
      <ul class="plain">
        {(answer?.requests ?? []).map((request) => (
          <li key={request.id}>
            <RequestCard
              request={request}
              nowMs={answer?.nowMs ?? 0}
              onAnswered={(text) => {
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

/** Says that calls can only wait in a gate, and starts one. */
function NoGate({ onStarted }: { readonly onStarted: () => void }): JSX.Element {
  const [isStarting, setStarting] = useState(false)
  const [error, setError] = useState<RequestFailed>()
  async function start(): Promise<void> {
    setStarting(true)
    setError(undefined)
    try {
      await ask('startGate', {})
      onStarted()
    } catch (cause) {
      setError(failureOf(cause))
    }
    setStarting(false)
  }
  return (
    <Empty what="No gate runs, so no call can wait for you.">
      <p>The next event of an enabled agent starts it, and so can you.</p>
      {error !== undefined && <Failed error={error} />}
      <button type="button" class="main" disabled={isStarting} onClick={() => void start()}>
        Start the gate
      </button>
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
  const { id, call, agent, project, toolName, subject, rules, endsAtMs } = request
  const [reason, setReason] = useState('')
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<RequestFailed>()
  async function send(answer: 'approve' | 'deny'): Promise<void> {
    setSending(true)
    try {
      const result = await ask('answerApproval', { id, call, answer, ...(reason !== '' && { reason }) })
      onAnswered(resultText(id, result))
    } catch (cause) {
      setError(failureOf(cause))
      setSending(false)
    }
  }
  return (
    <section class="card" aria-label={`${toolName}: ${subject}`}>
      <h2>
        <code>
          <Text text={subject === '' ? toolName : subject} />
        </code>
      </h2>
      <p class="faint">
        <Text
          text={`${agentTitle(agent)}, ${toolName}, in ${project}; ${Math.max(0, Math.round((endsAtMs - nowMs) / 1000))} s left`}
        />
      </p>
      <ul class="plain">
        {rules.map((rule) => (
          <li key={rule.id}>
            <Text text={`${rule.name}: ${rule.reason}`} />
          </li>
        ))}
      </ul>
      {error !== undefined && <Failed error={error} />}
      <div class="row">
        <button type="button" disabled={isSending} onClick={() => void send('approve')}>
          Approve
        </button>
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

function resultText(id: string, result: AnswerOf<'answerApproval'>): string {
  switch (result.kind) {
    case 'taken':
      return `${id} was ${result.outcome === 'approved' ? 'approved' : 'refused'}.`
    case 'over':
      return `${id} was over: it had ended before.`
    case 'terminalOnly':
      return `${id} can only be approved at this machine.`
    case 'unknown':
      return `${id} does not wait any more.`
  }
}
