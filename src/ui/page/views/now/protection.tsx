import { numberText } from '../../parts/counted.ts'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { AnswerOf } from '../../../api.ts'
import { offerChange } from '../../changes.ts'
import { linkTo } from '../../location.ts'
import { Coded, RecordState, Text } from '../../parts/text.tsx'
import { Failed } from '../../parts/states.tsx'
import { useAnswer } from '../../fetch.ts'
import type { PageProtection } from '../../use-protection.tsx'
import { agentKind, type AgentRow } from '../../parts/text-parts.ts'
import { type AgentProof, proofOf, protectionWords } from './protection-state.ts'

/**
 * Answers "am I protected?", and shows the figures of today.
 *
 * @param headSeq the newest recorded row: today's figures are requested again when it changes
 */
export function ProtectionPanel({
  protection,
  headSeq,
}: {
  readonly protection: PageProtection
  readonly headSeq: number
}): JSX.Element {
  const { gate, agents, turn, isBusy, state, again } = protection
  const { word, kind } = protectionWords[state.level]
  const failed = [gate, agents].find((one) => one.state === 'failed')
  // The message above the stream covers a page that is no longer served.
  const error = failed?.state === 'failed' && failed.error.code !== 'unreachable' ? failed.error : undefined
  return (
    <section class={`card protection ${kind}`} aria-labelledby="protection" aria-busy={isBusy}>
      <div class="row">
        <h2 id="protection">{word}</h2>
        <AgentStates agents={agents.answer?.agents ?? []} checks={turn.checks} />
        <button type="button" disabled={isBusy} onClick={again}>
          Check again
        </button>
      </div>
      {error !== undefined && <Failed error={error} onRetry={again} />}
      <ProtectionReasons reasons={state.reasons} />
      <FirstSteps agents={agents.answer?.agents} rules={gate.answer?.protection} />
      <Today headSeq={headSeq} gate={gate.answer} waiting={protection.waiting} />
    </section>
  )
}

/** Says what keeps agents from being checked. */
export const ProtectionReasons = ({ reasons }: { readonly reasons: readonly string[] }): JSX.Element => (
  <>
    {reasons.map((reason) => (
      <p key={reason}>
        <Coded text={reason} />
      </p>
    ))}
  </>
)

/** Each enabled agent, and whether a canary has proved that it asks. */
function AgentStates({
  agents,
  checks,
}: {
  readonly agents: readonly AgentRow[]
  readonly checks: PageProtection['turn']['checks']
}): JSX.Element {
  return (
    <ul class="row agent-states">
      {agents.map((row) => {
        const proof = proofOf(row, checks.get(row.agent))
        if (proof === undefined) return null
        const { word, kind } = proofWords[proof]
        return (
          <li key={row.agent}>
            <a href={linkTo('agents')}>{row.title}</a> <span class={`badge ${kind}`}>{word}</span>
          </li>
        )
      })}
    </ul>
  )
}

const proofWords: Readonly<Record<AgentProof, { readonly word: string; readonly kind: string }>> = {
  checking: { word: 'checking …', kind: '' },
  proved: { word: 'proved', kind: 'allowed' },
  partly: { word: 'not at every event', kind: 'asked' },
  failed: { word: 'does not ask', kind: 'refused' },
}

/** The buttons that make it better: agents that can be enabled, rules that can be turned on. */
export function FirstSteps({
  agents = [],
  rules,
}: {
  readonly agents: readonly AgentRow[] | undefined
  readonly rules: AnswerOf<'gate'>['protection'] | undefined
}): JSX.Element | null {
  const enabled = agents.filter((row) => agentKind(row) === 'enabled')
  const installed = agents.filter((row) => agentKind(row) === 'installed')
  const isUnruled = rules === 'none' && enabled.length > 0
  if (installed.length === 0 && !isUnruled) return null
  return (
    <div class="row">
      {isUnruled && (
        <button type="button" class="main" onClick={offerRecommended}>
          Turn recommended on …
        </button>
      )}
      {installed.length > 0 && enabled.length > 0 && <span class="faint">On this machine, not enabled:</span>}
      {installed.map(({ agent, title }) => (
        <button
          key={agent}
          type="button"
          class={enabled.length === 0 ? 'main' : ''}
          onClick={() => offerChange(`Enable ${title}`, { kind: 'enable', agent })}
        >
          Enable {title} …
        </button>
      ))}
    </div>
  )
}

/** Offers the preset that most people begin with. */
export const offerRecommended = (): void =>
  offerChange('Turn the preset recommended on', { kind: 'preset', preset: 'recommended', to: 'on' })

/** The day's figures, the gate, and the record. */
function Today({
  headSeq,
  gate,
  waiting,
}: {
  readonly headSeq: number
  readonly gate: AnswerOf<'gate'> | undefined
  readonly waiting: number
}): JSX.Element {
  const [{ answer }, again] = useAnswer('today', { sinceMs: new Date().setHours(0, 0, 0, 0) })
  useOncePer(figuresMs, headSeq, again)
  const { decided = 0, refused = 0, asked = 0, observed = 0 } = answer ?? {}
  const figures = [
    { name: 'refused', number: refused },
    { name: 'asked', number: asked },
    { name: 'observed', number: observed },
  ]
  return (
    <dl class="row today">
      {waiting > 0 && (
        <div>
          <dt>waiting for you</dt>
          <dd class="asked">
            <a href={linkTo('approvals')}>{waiting}</a>
          </dd>
        </div>
      )}
      {figures.map(({ name, number }) => (
        <div key={name}>
          <dt>{name} today</dt>
          <dd class={number === 0 ? '' : name}>
            {number === 0 ? '0' : <a href={linkTo('now', { params: { outcome: name } })}>{numberText(number)}</a>}
          </dd>
        </div>
      ))}
      <div>
        <dt>decided today</dt>
        <dd>{numberText(decided)}</dd>
      </div>
      {gate !== undefined && (
        <>
          <div class="fact">
            <dt>Gate</dt>
            <dd>{gate.running ? 'running' : 'starts with the next call'}</dd>
          </div>
          {gate.bundle?.release !== undefined && (
            <div class="fact">
              <dt>Signed rules</dt>
              <dd>
                <Text text={`${gate.bundle.release.name} ${gate.bundle.release.revision}`} />
                {gate.bundle.release.mode === 'observe' && ', which only observe'}
              </dd>
            </div>
          )}
          <div class="fact">
            <dt>Record</dt>
            <dd>
              <RecordState record={gate.record} />
            </dd>
          </div>
        </>
      )}
    </dl>
  )
}

/** Acts when a value has changed, at most once in a time: the last change is always acted upon. */
function useOncePer(ms: number, value: unknown, act: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const isFirst = useRef(true)
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    if (isFirst.current) isFirst.current = false
    else
      timer.current ??= setTimeout(() => {
        timer.current = undefined
        latest.current()
      }, ms)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
}

/** Time between two looks at today's figures while decisions arrive, ms. */
const figuresMs = 1000
