import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { AnswerOf } from '../../../api.ts'
import { agentTitle } from '../../agent-title.ts'
import { ask } from '../../fetch.ts'
import { here, setParams } from '../../location.ts'
import { folderName } from '../../parts/folder.ts'
import { shortRule } from '../../parts/rule-link.tsx'
import { plainText } from '../../parts/text-parts.ts'
import type { FeedFilter } from './use-feed.ts'

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
export function filterIn({ outcome = '', agent, session, project, rule, text, events }: Params): FeedFilter {
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
export const isFoldedBy = ({ outcome = '', text = '' }: Params): boolean => outcome === '' && text === ''

export const isFiltered = (params: Params): boolean => names.some((name) => params[name])

export const clearFilters = (): void => setParam(Object.fromEntries(names.map((name) => [name, undefined])))

const setParam = (changes: Readonly<Partial<Record<Name, string | undefined>>>) =>
  setParams({ ...here.value.params, ...changes })

/**
 * Chooses which decisions are shown. The choice is in the address.
 *
 * @param isReady whether the decisions are there: finding what there is to choose from takes longer, and must not be in
 *   their way
 */
export function Filters({ isReady }: { readonly isReady: boolean }): JSX.Element {
  const { params } = here.value
  const { agents, projects, rules } = useChoices(isReady)
  return (
    <search class="filters">
      <TextFilter text={params['text'] ?? ''} />
      <Choice name="outcome" all="Any outcome" values={Object.keys(outcomes)} />
      <Choice name="agent" all="All agents" values={agents} textOf={agentTitle} />
      <Choice name="project" all="All projects" values={projects} textOf={(path) => projectText(path, projects)} />
      <Choice name="rule" all="All rules" values={rules} textOf={shortRule} />
      <Choice name="events" all="Calls" values={['all']} textOf={() => 'All events'} />
      {params['session'] !== undefined && (
        <Choice name="session" all="All sessions" values={[]} textOf={(id) => `Session ${id.slice(0, 12)}`} />
      )}
      <Choice name="by" all="By time" values={['session']} textOf={() => 'By session'} />
      {isFiltered(params) && (
        <button type="button" onClick={clearFilters}>
          Clear
        </button>
      )}
    </search>
  )
}

/** Without an answer, a person can still look for a text, and the decisions say what is wrong. */
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
  readonly textOf?: (value: string) => string
}): JSX.Element {
  const value = here.value.params[name] ?? ''
  const shown = value === '' || values.includes(value) ? values : [value, ...values]
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
