import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { AnswerOf } from '../../api.ts'
import { agentTitle, folderName, plainText } from '../parts/text-parts.ts'
import { ask } from '../fetch.ts'
import { here, setParams } from '../location.ts'
import { Empty, Failed, Waiting } from '../parts/states.tsx'
import { shortRule } from '../parts/text.tsx'
import type { PageProtection } from '../use-protection.tsx'
import { ProtectionPanel } from './now/protection.tsx'
import { DecisionTable } from './now/table.tsx'
import { type Connection, type DecisionFeed, type FeedFilter, useDecisionFeed } from './now/use-feed.ts'

/** The first screen: whether agents are checked, and the decisions as they come. */
export function NowView({ protection }: { readonly protection: PageProtection }): JSX.Element {
  const { params } = here.value
  const [isPaused, setPaused] = useState(false)
  const [isReading, setReading] = useState(false)
  const filter = filterIn(params)
  const decisions = useDecisionFeed(filter, isPaused || isReading)
  const choices = useChoices(decisions.feed !== undefined)
  const number = decisions.feed?.heldNumber ?? 0
  const isWaiting = isPaused || isReading
  useEffect(() => {
    if (!isWaiting && number > 0) decisions.release()
  }, [isWaiting, number])

  function showNew(): void {
    setPaused(false)
    setReading(false)
    decisions.release()
    document.querySelector('.decisions')?.scrollTo({ top: 0 })
  }

  return (
    <div class="now">
      <div class="row top">
        <h1>Now</h1>
        <ConnectionState connection={decisions.connection} isPaused={isPaused} />
        {number > 0 && !isPaused && (
          <button type="button" class="main" onClick={showNew}>
            {number} new
          </button>
        )}
        <button type="button" class={isPaused ? 'main' : ''} onClick={isPaused ? showNew : () => setPaused(true)}>
          {isPaused ? `Resume${number > 0 ? `, ${number} new` : ''}` : 'Pause'}
        </button>
      </div>
      <ProtectionPanel protection={protection} headSeq={decisions.feed?.headSeq ?? 0} />
      {(decisions.feed?.headSeq !== 0 || isFiltered(params)) && <Filters choices={choices} />}
      <ConnectionProblem connection={decisions.connection} />
      <Rows
        key={JSON.stringify(filter)}
        decisions={decisions}
        params={params}
        choices={choices}
        onReading={setReading}
      />
    </div>
  )
}

function Rows({
  decisions: { feed, failed, olderFailed, loadOlder, retry },
  params,
  choices: { agents, projects },
  onReading,
}: {
  readonly decisions: DecisionFeed
  readonly choices: AnswerOf<'choices'>
  readonly params: Readonly<Record<string, string>>
  readonly onReading: (isReading: boolean) => void
}): JSX.Element {
  if (failed !== undefined) return <Failed error={failed} onRetry={retry} />
  if (feed === undefined) return <Waiting what="Reading the record" />
  const { shown, hasOlder } = feed
  if (shown.length === 0) return isFiltered(params) ? <NothingMatches /> : <NothingRecorded />
  return (
    <>
      <DecisionTable
        decisions={shown}
        isFolded={isFoldedBy(params)}
        isBySession={params['by'] === 'session'}
        isOneAgent={agents.length === 1}
        isOneProject={projects.length === 1}
        hasOlder={hasOlder}
        onEnd={loadOlder}
        onReading={onReading}
      />
      {olderFailed !== undefined && <Failed error={olderFailed} onRetry={loadOlder} />}
    </>
  )
}

const NothingRecorded = () => (
  <Empty what="Nothing is recorded yet.">
    <p>Decisions appear here as soon as an enabled agent makes a call.</p>
  </Empty>
)

const NothingMatches = () => (
  <Empty what="No recorded decision matches these filters.">
    <p>New ones that match appear here.</p>
    <button type="button" onClick={clearFilters}>
      Clear the filters
    </button>
  </Empty>
)

/** Says in a word whether new decisions arrive. */
function ConnectionState({
  connection: { state },
  isPaused,
}: {
  readonly connection: Connection
  readonly isPaused: boolean
}): JSX.Element {
  const shown = state === 'open' && isPaused ? 'paused' : state
  return (
    <span class={`connection ${shown}`} role="status">
      {connectionWords[shown]}
    </span>
  )
}

const connectionWords: Readonly<Record<Connection['state'] | 'paused', string>> = {
  opening: 'Connecting',
  open: 'Live',
  paused: 'Paused',
  broken: 'Reconnecting',
  ended: 'Ended',
}

/** Says why no new decisions arrive. What was read stays in sight. */
function ConnectionProblem({ connection }: { readonly connection: Connection }): JSX.Element | null {
  switch (connection.state) {
    case 'opening':
    case 'open':
      return null
    case 'broken':
      return (
        <div class="notice" role="alert">
          {connection.error.code === 'unreachable' ? (
            <>
              <strong>
                No new decisions arrive: <code>hookgate ui</code> does not answer.
              </strong>{' '}
              This page tries again by itself. If it was stopped, run <code>hookgate ui</code> and open its link; agents
              are gated all the same.
            </>
          ) : (
            <>
              <strong>No new decisions arrive: {connection.error.message}.</strong> This page tries again by itself. To
              do: {connection.error.remedy}.
            </>
          )}
        </div>
      )
    case 'ended':
      return (
        <div class="notice" role="alert">
          <strong>
            No new decisions arrive: another <code>hookgate ui</code> is running now.
          </strong>{' '}
          Press Enter in its terminal, and open the link that it prints.
        </div>
      )
  }
}

type Params = Readonly<Record<string, string>>

const names = ['text', 'outcome', 'agent', 'project', 'rule', 'session', 'events'] as const
type Name = (typeof names)[number] | 'by'

/** Filters by the outcome that the address names. */
const outcomes: Readonly<Record<string, Pick<FeedFilter, 'outcomes' | 'marks'>>> = {
  refused: { outcomes: ['deny'] },
  asked: { outcomes: ['ask', 'defer'] },
  allowed: { outcomes: ['allow'] },
  passed: { outcomes: ['abstain'] },
  observed: { marks: ['observed'] },
  approved: { marks: ['approved'] },
  failed: { marks: ['failed'] },
}

/** Returns what the address asks for. */
function filterIn({ outcome = '', agent, session, project, rule, text, events }: Params): FeedFilter {
  return {
    ...(agent && { agent }),
    ...(session && { session }),
    ...(project && { project }),
    ...(rule && { rule }),
    ...(text && { text }),
    ...(events === 'all' && { everyEvent: true as const }),
    ...outcomes[outcome],
  }
}

/** Folds what passed, unless a person looks for an outcome or a text: then each decision is wanted. */
const isFoldedBy = ({ outcome = '', text = '' }: Params): boolean => outcome === '' && text === ''

const isFiltered = (params: Params): boolean => names.some((name) => params[name])

const clearFilters = (): void => setParam(Object.fromEntries(names.map((name) => [name, undefined])))

const setParam = (changes: Readonly<Partial<Record<Name, string | undefined>>>) =>
  setParams({ ...here.value.params, ...changes })

/**
 * Chooses which decisions are shown. The choice is in the address.

 */
function Filters({ choices: { agents, projects, rules } }: { readonly choices: AnswerOf<'choices'> }): JSX.Element {
  const { params } = here.value
  const [isOpen, setOpen] = useState(false)
  const texts: Readonly<Partial<Record<string, (value: string) => string>>> = {
    agent: agentTitle,
    project: (path) => projectText(path, projects),
    rule: shortRule,
    session: (id) => id.slice(0, 12),
    events: () => 'All events',
  }
  const isBySession = params['by'] === 'session'
  return (
    <search class="filters">
      <TextFilter text={params['text'] ?? ''} />
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Filter
      </button>
      <button
        type="button"
        role="switch"
        aria-checked={isBySession}
        onClick={() => setParam({ by: isBySession ? undefined : 'session' })}
      >
        By session
      </button>
      {!isOpen &&
        names.map((name) => {
          const value = name === 'text' ? '' : (params[name] ?? '')
          if (value === '') return null
          const text = plainText(texts[name]?.(value) ?? value)
          return (
            <button
              key={name}
              type="button"
              class="chip"
              aria-label={`Show all again: ${labels[name]} ${text}`}
              onClick={() => setParam({ [name]: undefined })}
            >
              {text} ×
            </button>
          )
        })}
      {isOpen && (
        <>
          <Choice name="outcome" all="Any outcome" values={Object.keys(outcomes)} />
          <Choice name="agent" all="All agents" values={agents} textOf={texts['agent']} />
          <Choice name="project" all="All projects" values={projects} textOf={texts['project']} />
          <Choice name="rule" all="All rules" values={rules} textOf={texts['rule']} />
          <Choice name="events" all="Calls" values={['all']} textOf={texts['events']} />
          <Choice name="session" all="All sessions" values={[]} textOf={texts['session']} />
        </>
      )}
      {isFiltered(params) && (
        <button type="button" onClick={clearFilters}>
          Clear
        </button>
      )}
    </search>
  )
}

/**
 * Finds what the record has to choose from. Without an answer, a person can still look for a text, and the decisions say what is
 * wrong.
 *
 * @param isReady whether the decisions are there: this takes longer, and must not be in their way
 */
function useChoices(isReady: boolean): AnswerOf<'choices'> {
  const [choices, setChoices] = useState(noChoices)
  useEffect(() => {
    if (!isReady) return undefined
    const stop = new AbortController()
    void ask('choices', {}, stop.signal).then(setChoices, () => {})
    return () => stop.abort()
  }, [isReady])
  return choices
}

const noChoices: AnswerOf<'choices'> = { agents: [], projects: [], rules: [] }

/** Two projects may have the same name. */
const projectText = (path: string, all: readonly string[]) =>
  all.some((other) => other !== path && folderName(other) === folderName(path)) ? path : folderName(path)

/** A text to search for. The search begins after a short pause in typing. */
function TextFilter({ text }: { readonly text: string }): JSX.Element {
  const [typed, setTyped] = useState(text)
  const sent = useRef(text)
  useEffect(() => {
    // The address was changed by something else.
    if (text === sent.current) return
    sent.current = text
    setTyped(text)
  }, [text])
  useEffect(() => {
    if (typed === sent.current) return undefined
    const timer = setTimeout(() => {
      sent.current = typed
      setParam({ text: typed })
    }, typingMs)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <input
      type="search"
      aria-label="Text in the command or the reason"
      placeholder="Command or reason"
      value={typed}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
    />
  )
}

const typingMs = 250

/** A list to choose one value from. The one in the address is in it, even if the record does not have it. */
function Choice({
  name,
  all,
  values,
  textOf = (value) => value,
}: {
  readonly name: Name
  readonly all: string
  readonly values: readonly string[]
  readonly textOf?: ((value: string) => string) | undefined
}): JSX.Element | null {
  const value = here.value.params[name] ?? ''
  const shown = value === '' || values.includes(value) ? values : [value, ...values]
  // What the record has only one of is no choice.
  if (value === '' && values.length < (name === 'agent' || name === 'project' ? 2 : 1)) return null
  return (
    <select
      aria-label={labels[name]}
      class={value === '' ? '' : 'chosen'}
      value={value}
      onChange={({ currentTarget }) => setParam({ [name]: currentTarget.value })}
    >
      <option value="">{all}</option>
      {shown.map((one) => (
        <option key={one} value={one}>
          {plainText(textOf(one))}
        </option>
      ))}
    </select>
  )
}

const labels: Readonly<Record<Name, string>> = {
  text: 'Text',
  outcome: 'Outcome',
  agent: 'Agent',
  project: 'Project',
  rule: 'Rule',
  session: 'Session',
  events: 'Events',
  by: 'Order',
}
