import type { ComponentChildren, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { CallResult, DecisionRecord } from '../../../record/record.ts'
import type { AnswerOf } from '../../api.ts'
import type { WhyAnswer } from '../../routes/decisions.ts'
import { agentTitle, approvalText, durationText, plainText, ranText } from '../parts/text-parts.ts'
import { offerChange } from '../changes.ts'
import { useAnswer } from '../fetch.ts'
import { linkTo, pageTitle } from '../location.ts'
import { CommandLine, FailedBadge, Moment, ObservedBadge, OutcomeBadge, outcomeWords, Text } from '../parts/text.tsx'
import { Failed, Waiting } from '../parts/states.tsx'
import { Commands } from './decision/commands.tsx'
import { StateName, StateValue } from './session/states.tsx'
import { Evaluations, Otherwise } from './decision/evaluations.tsx'

/** One decision and its explanation. The record is shown at once; the explanation follows. */
export function DecisionView({ id }: { readonly id: string }): JSX.Element {
  const [asking, again] = useAnswer('decision', { id })
  if (asking.state === 'failed') {
    return (
      <>
        <h1>Decision</h1>
        <Failed error={asking.error} onRetry={again} />
        <p>
          <a href={linkTo('now')}>Look at the latest decisions</a>
        </p>
      </>
    )
  }
  if (asking.answer === undefined) return <Waiting what="Looking for the decision" />
  return <Explained found={asking.answer} />
}

function Explained({ found }: { readonly found: AnswerOf<'decision'> }): JSX.Element {
  const { record, ran } = found
  const [asking, again] = useAnswer('why', { id: record.id })
  const why = asking.answer
  useEffect(() => {
    pageTitle.value = plainText(titleText(found), titleCharacters)
  }, [record.id])
  return (
    <div class="decision">
      <p>
        <a href={linkTo('now')}>All decisions</a>
      </p>
      <Head found={found} {...(why?.expressed !== undefined && { expressed: why.expressed })} />
      {why !== undefined && <Commands record={record} why={why} />}
      <Evaluations record={record} why={why} />
      <LetThrough record={record} lift={why?.lift} />
      {why?.states !== undefined && <Counted states={why.states} />}
      <div class="columns">
        <section class="card" aria-labelledby="event">
          <h2 id="event">The event</h2>
          <EventFacts record={record} ran={ran} />
        </section>
        {why !== undefined && <Otherwise record={record} why={why} />}
        {asking.state === 'waiting' && why === undefined && <Waiting what="Explaining it by the rules of today" />}
        {asking.state === 'failed' && <Failed error={asking.error} onRetry={again} />}
      </div>
    </div>
  )
}

/** What rules had counted when they decided, or why that is not known. */
const Counted = ({ states }: { readonly states: NonNullable<WhyAnswer['states']> }): JSX.Element => (
  <section class="card" aria-labelledby="counted">
    <h2 id="counted">What rules had counted</h2>
    {typeof states === 'string' ? (
      <p>
        It is not known: <Text text={states} />.
      </p>
    ) : (
      <ul class="plain">
        {states.map((state) => (
          <li key={`${state.ruleId} ${state.name}`}>
            <StateName state={state} /> <StateValue state={state} />
          </li>
        ))}
      </ul>
    )}
  </section>
)

/** Returns what a decision is called: the call in words, else the event. */
const titleText = ({ words, record }: AnswerOf<'decision'>) =>
  words === '' ? (record.event ?? 'An event that was not understood') : words

/** More than a tab or a list of windows shows. */
const titleCharacters = 80

/** The call and the answer to it. */
function Head({
  found,
  expressed,
}: {
  readonly found: AnswerOf<'decision'>
  readonly expressed?: string
}): JSX.Element {
  const { record, into } = found
  const {
    subjectAltered,
    decision,
    told = decision,
    reason,
    evaluations,
    error,
    severity,
    rewritten,
    approval,
  } = record
  const isEnded = (told === 'allow' || told === 'abstain') && record.obligations.includes('stop')
  const text = error?.message ?? (isEnded && reason === '' ? endedText(record) : reason)
  return (
    <header class={`card verdict ${outcomeWords[told]}`}>
      <div class="row">
        <OutcomeBadge decision={told} isEnded={isEnded} />
        {evaluations.some(({ observed, effect }) => observed === true && effect !== 'allow') && <ObservedBadge />}
        {(error !== undefined || evaluations.some(({ failure }) => failure !== undefined)) && <FailedBadge />}
        {severity !== undefined && <span class="badge">{severity}</span>}
        <span class="when faint">
          <Moment at={record.at} exact />
        </span>
      </div>
      <h1 class="subject">
        <Text text={titleText(found)} />
      </h1>
      {(subjectAltered === true || record.inputAltered === true) && (
        <p class="faint">
          Shown as recorded: secrets are masked, long texts are cut, and of several paths it is the first.
        </p>
      )}
      {rewritten !== undefined && (
        <>
          <h2>What rules made of it</h2>
          <pre class="subject">
            <Text text={into ?? rewritten.toolName} />
          </pre>
          <p class="faint">
            Rewritten by <Text text={rewritten.by.join(', ')} />
            {rewritten.subjectAltered === true && '; shown as recorded'}
          </p>
        </>
      )}
      <h2>{told === 'abstain' ? 'What hookgate said' : 'What the agent was told'}</h2>
      {text === '' ? (
        <p>Nothing: no rule objected, and the agent’s own permissions decided.</p>
      ) : (
        <div class="told">
          <Text text={text} />
        </div>
      )}
      {approval !== undefined && (
        <p>
          <Text text={approvalText(approval)} />
        </p>
      )}
      {expressed !== undefined && (
        <p>
          <Text text={expressed} />
        </p>
      )}
    </header>
  )
}

function endedText({ evaluations }: DecisionRecord): string {
  const by = evaluations.length === 0 ? '' : `, by ${evaluations.map(({ ruleId }) => ruleId).join(', ')}`
  return `The agent’s turn was ended${by}.`
}

function EventFacts({
  record,
  ran,
}: {
  readonly record: DecisionRecord
  readonly ran: CallResult | undefined
}): JSX.Element {
  const { id, refusal, agent, agentId, session, project, cwd, event, tool, toolName, via, version, who, onBehalfOf } =
    record
  const result = ran ?? record.result
  const called = toolName === undefined || toolName === tool ? tool : `${toolName} (${tool ?? ''})`
  return (
    <dl class="facts">
      <Fact name="Event">{event}</Fact>
      <Fact name="Tool">{called}</Fact>
      <Fact name="Agent">
        {agent === undefined ? 'unknown' : <Text text={agentTitle(agent)} charactersMax={100} />}
      </Fact>
      <Fact name="Session">
        {session !== undefined && (
          <a href={linkTo('session', { id: session, params: { agent, at: id } })}>
            <Text text={session} />
          </a>
        )}
      </Fact>
      <Fact name="Sub-agent">{agentId}</Fact>
      <Fact name="Project">
        {project !== undefined && (
          <a href={linkTo('now', { params: { project } })}>
            <Text text={project} />
          </a>
        )}
      </Fact>
      <Fact name="Working folder">{cwd}</Fact>
      <Fact name="Source">{ways[via]}</Fact>
      <Fact name="Asked by">{who !== undefined && <Text text={who} />}</Fact>
      <Fact name="On behalf of">{onBehalfOf !== undefined && <Text text={onBehalfOf} />}</Fact>
      <Fact name="Decided in">{durationText(record.durationMs)}</Fact>
      <Fact name="The call">{result && ranText(result)}</Fact>
      <Fact name="Context given">{contextText(record)}</Fact>
      <Fact name="Obligations">{record.obligations.join(', ')}</Fact>
      <Fact name="Recorded as">{refusal === undefined ? id : `${id}, refusal ${refusal}`}</Fact>
      <Fact name="hookgate">{version}</Fact>
    </dl>
  )
}

function contextText({ contextBytes, contextTruncatedBytes }: DecisionRecord): string | undefined {
  if (contextBytes === 0) return undefined
  return `${contextBytes} bytes${contextTruncatedBytes === 0 ? '' : `, of which ${contextTruncatedBytes} were cut off`}`
}

const ways: Readonly<Record<DecisionRecord['via'], string>> = {
  client: 'hook',
  http: 'HTTP hook',
  run: 'hookgate run',
  library: 'library',
  remote: 'another machine',
}

/** A name and what is known of it. Nothing if nothing is. */
function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }): JSX.Element | null {
  if (children === undefined || children === '' || children === false) return null
  return (
    <div>
      <dt>{name}</dt>
      <dd>{typeof children === 'string' ? <Text text={children} /> : children}</dd>
    </div>
  )
}

/** Ways to let a refused call through. @param lift absent until it is known what prevents it */
function LetThrough({
  record: { refusal },
  lift,
}: {
  readonly record: DecisionRecord
  readonly lift: WhyAnswer['lift'] | undefined
}): JSX.Element | null {
  const id = lift?.id ?? refusal
  if (id === undefined || lift === null) return null
  const obstacles = lift?.rules.filter(({ obstacle }) => obstacle !== undefined) ?? []
  const exceptions = lift?.rules.flatMap((rule) => rule.exceptions ?? []) ?? []
  const isDescribed = exceptions.length > 0 && lift?.rules.every((rule) => rule.exceptions !== undefined) === true
  return (
    <section class="card" aria-labelledby="let-through">
      <h2 id="let-through">Let it through</h2>
      {lift === undefined && <Ways id={id} isDescribed={false} />}
      {lift !== undefined && obstacles.length > 0 && (
        <>
          <p>It cannot be let through here:</p>
          <ul>
            {obstacles.map(({ name, obstacle = '' }) => (
              <li key={name}>
                <Text text={name} />: <Text text={obstacle} />
              </li>
            ))}
          </ul>
        </>
      )}
      {lift !== undefined && obstacles.length === 0 && lift.id === undefined && (
        <p>The refusal is no longer kept: have the agent try again, and let that one through.</p>
      )}
      {lift !== undefined && obstacles.length === 0 && lift.id !== undefined && (
        <>
          <Ways id={id} isDescribed={isDescribed} />
          {isDescribed ? (
            <>
              <p class="faint">For longer than once, an exception lifts:</p>
              <ul class="exceptions">
                {exceptions.map(({ rule, command, path, project }) => (
                  <li key={`${rule} ${command} ${path}`}>
                    the rule <Text text={rule} />, {command === undefined ? 'the path ' : 'the command '}
                    <Text text={command ?? path ?? ''} />, in <Text text={project} />
                  </li>
                ))}
              </ul>
            </>
          ) : (
            <p class="faint">No exception describes exactly this call; once lets the call itself through.</p>
          )}
        </>
      )}
    </section>
  )
}

const extents = [
  { extent: 'once', label: 'Once', does: 'this very call, one time' },
  { extent: 'session', label: 'This session', does: 'the exception below, until the session ends' },
  { extent: 'always', label: 'Always', does: 'the exception below, for good' },
] as const

function Ways({ id, isDescribed }: { readonly id: string; readonly isDescribed: boolean }): JSX.Element {
  const offeredExtents = isDescribed ? extents : extents.slice(0, 1)
  return (
    <>
      <div class="row">
        {offeredExtents.map(({ extent, label }) => (
          <button
            key={extent}
            type="button"
            class={extent === 'once' ? 'main' : ''}
            onClick={() => offerChange(`Let it through: ${label.toLowerCase()}`, { kind: 'allow', id, extent })}
          >
            {label} …
          </button>
        ))}
      </div>
      <details>
        <summary>The same by hand</summary>
        <div class="ways">
          {offeredExtents.map(({ extent, does }) => (
            <CommandLine key={extent} line={`hookgate allow ${id} --${extent}`} does={does} />
          ))}
          {isDescribed && (
            <CommandLine
              line={`hookgate allow ${id} --until DATE`}
              does="the exception below, to the end of that day"
            />
          )}
        </div>
      </details>
    </>
  )
}
