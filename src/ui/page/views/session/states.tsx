import { numberText } from '../../parts/counted.ts'
import type { JSX } from 'preact'
import type { AnswerOf } from '../../../api.ts'
import type { WhyAnswer } from '../../../routes/decisions.ts'
import { linkTo } from '../../location.ts'
import { Failed, Waiting } from '../../parts/states.tsx'
import { onOneLine } from '../../parts/text-parts.ts'
import { Coded, CommandLine, Moment, Text } from '../../parts/text.tsx'
import type { useAnswer } from '../../fetch.ts'

type SessionStates = AnswerOf<'sessionStates'>
export type ShownState = SessionStates['states'][number]
type AnyState = Exclude<NonNullable<WhyAnswer['states']>, string>[number]

/** Names a state: what a limit is about, or the rule with its state. */
export const StateName = ({ state }: { readonly state: AnyState }): JSX.Element => (
  <span class="state-name">
    {state.about !== undefined && (
      <>
        <Coded text={capital(state.about)} />{' '}
      </>
    )}
    <a href={linkTo('rules', { params: { rule: state.ruleId } })}>
      <Text text={stateName(state)} charactersMax={400} />
    </a>
  </span>
)

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Returns the name of a state as `hookgate state --clear` takes it. */
export const stateName = ({ rule, name }: Pick<AnyState, 'rule' | 'name'>): string =>
  name === undefined ? rule : `${rule}.${name}`

/** The share of a limit or budget that is used, with what is left of it; `undefined` for other states. */
function shareOf({ kind, value, most }: AnyState): { readonly used: number; readonly of: number } | undefined {
  if ((kind === 'limit' || kind === 'tokens') && typeof value === 'number' && most !== undefined)
    return { used: value, of: most }
  const said = fieldsOf(value)
  if (kind !== 'budget') return undefined
  return { used: Number(said['spent']), of: Number(said['spent']) + Number(said['left']) }
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

/** True for what names the call that has set it. */
export const isLabel = ({ kind, value }: AnyState): boolean =>
  kind === 'label' || (kind === 'custom' && typeof fieldsOf(value)['label'] === 'string')

/** The value of a state: what is used and left of a limit, the call that has set a label. */
export function StateValue({ state }: { readonly state: AnyState }): JSX.Element {
  const { kind, value, unknown } = state
  if (unknown !== undefined)
    return (
      <span class="faint">
        not known: <Text text={unknown} />
      </span>
    )
  const share = shareOf(state)
  if (share !== undefined) {
    const left = Math.max(0, share.of - share.used)
    return (
      <span class="used">
        <meter min={0} max={share.of} value={share.used} aria-label={`${stateName(state)}: used`} />
        <span>
          {numberText(share.used)} of {numberText(share.of)},{' '}
          <strong class={left === 0 ? 'none-left' : ''}>{left === 0 ? 'none left' : `${numberText(left)} left`}</strong>
        </span>
      </span>
    )
  }
  const text = fieldsOf(value)['text']
  switch (kind) {
    case 'count':
      return <span>{value === 1 ? 'once' : `${Number(value)} times`}</span>
    case 'streak':
      return <span>{Number(value)} in a row</span>
    case 'since':
      return <span>{value === true ? 'yes' : 'no'}</span>
    case 'label':
    case 'last':
      if (typeof text !== 'string') return <span class="faint">{kind === 'label' ? 'not set' : 'none yet'}</span>
      return (
        <span>
          {kind === 'label' && 'set by '}
          <Text text={onOneLine(text)} charactersMax={300} />
        </span>
      )
    case 'reused':
      return <span class="faint">depends on the call</span>
    case 'custom':
      if (typeof value === 'object' && value !== null && !Array.isArray(value))
        return <Fields value={fieldsOf(value)} />
      return <Text text={JSON.stringify(value) ?? ''} charactersMax={300} />
    case 'budget':
    case 'limit':
    case 'tokens':
      return <Text text={JSON.stringify(value) ?? ''} charactersMax={300} />
  }
}

/** What a policy keeps of its own making, field by field. */
const Fields = ({ value }: { readonly value: Readonly<Record<string, unknown>> }): JSX.Element => (
  <>
    {Object.entries(value).map(([name, field]) => (
      <div key={name}>
        <span class="faint">{fieldWords(name)}:</span> <Text text={onOneLine(wordsOf(field))} charactersMax={300} />
      </div>
    ))}
  </>
)

/** Words the name of a field; `label` has the call that has set the state, see `isLabel`. */
const fieldWords = (name: string): string =>
  name === 'label'
    ? 'set by'
    : name.replaceAll(/([a-z])([A-Z])/g, (_, end: string, next: string) => `${end} ${next.toLowerCase()}`)

const wordsOf = (field: unknown): string =>
  typeof field === 'string'
    ? field
    : Array.isArray(field) && field.every((one) => typeof one === 'string')
      ? field.length === 0
        ? 'none'
        : field.join(', ')
      : field === null
        ? 'none'
        : JSON.stringify(field)

/** What rules have counted in a session. Those that have counted nothing are folded away. */
export function States({
  asking: [asking, again],
  session,
}: {
  readonly asking: ReturnType<typeof useAnswer<'sessionStates'>>
  readonly session: string
}): JSX.Element {
  const { answer } = asking
  const states = answer?.states ?? []
  const full = states.filter((state) => !isLittle(state))
  const empty = states.filter(isLittle)
  // What was spent stays spent.
  const clearable = full.filter(({ kind }) => kind !== 'tokens')
  return (
    <section class="card states" aria-labelledby="states" aria-busy={asking.state === 'waiting'}>
      <h2 id="states">What rules have counted</h2>
      {asking.state === 'failed' && <Failed error={asking.error} onRetry={again} />}
      {answer === undefined && asking.state === 'waiting' && <Waiting what="Asking the rules of today" />}
      {answer?.problem !== undefined && (
        <p>
          The rules of this session do not load: <Text text={answer.problem} />
        </p>
      )}
      {answer !== undefined && answer.problem === undefined && full.length === 0 && (
        <p class="faint">
          {answer.steps === 0
            ? 'Nothing: no rule counted while this session ran, or it is long ago. Limits and policies with a state do.'
            : states.length === 0
              ? 'Nothing: no rule of today counts.'
              : 'Nothing yet.'}
        </p>
      )}
      <StateList states={full} />
      {empty.length > 0 && (
        <details>
          <summary>{empty.length} more, counted once or never</summary>
          <StateList states={empty} />
        </details>
      )}
      {clearable.length > 0 && (
        <details>
          <summary>Have one begin anew</summary>
          <p class="faint">It is kept as a step of the session, and cannot be undone.</p>
          <div class="ways">
            {[...new Set(clearable.map(stateName))].map((name) => (
              <CommandLine key={name} line={`hookgate state ${quotedWord(session)} --clear '${name}'`} />
            ))}
          </div>
        </details>
      )}
    </section>
  )
}

/** True for what has counted nothing, or a call once of those that it counts apart: that is no row yet. */
export const isLittle = ({ isEmpty, of, value }: ShownState): boolean => isEmpty || (of !== undefined && value === 1)

/** Quotes a word of a command line where a shell would read it otherwise. */
const quotedWord = (word: string): string => (/^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

const StateList = ({ states }: { readonly states: readonly ShownState[] }): JSX.Element | null =>
  states.length === 0 ? null : (
    <ul class="plain">
      {states.map((state) => (
        <li key={`${state.ruleId} ${state.name} ${state.of}`}>
          <StateName state={state} />
          {state.scope !== 'session' && <span class="badge">of the {state.scope}</span>}
          {state.of !== undefined && (
            <div class="faint">
              for <Text text={onOneLine(state.of)} charactersMax={300} />
            </div>
          )}
          <div>
            <StateValue state={state} />
          </div>
          {state.setBy.length > 0 && (
            <ul class="set-by">
              {state.setBy.map(({ id, text, outcome, atMs }, index) => (
                <li key={index}>
                  <span class="faint">
                    <Moment at={new Date(atMs).toISOString()} /> {outcome}
                  </span>{' '}
                  <SettingCall id={id} text={text} />
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  )

const SettingCall = ({ id, text }: { readonly id: string | undefined; readonly text: string }): JSX.Element => {
  const shown = <Text text={onOneLine(text)} charactersMax={300} />
  return id === undefined ? shown : <a href={linkTo('decision', { id })}>{shown}</a>
}
