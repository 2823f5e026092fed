import { numberText } from '../parts/counted.ts'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { AnswerOf } from '../../api.ts'
import { useAnswer } from '../fetch.ts'
import { here, linkTo, pageTitle, setParams } from '../location.ts'
import { Empty, Failed, Waiting } from '../parts/states.tsx'
import { agentTitle, plainText } from '../parts/text-parts.ts'
import { Text } from '../parts/text.tsx'
import { CallLine } from './session/line.tsx'
import { isLabel, isLittle, stateName, States } from './session/states.tsx'

/** One session: its calls in their order, and what rules have counted in it. */
export function SessionView({ session }: { readonly session: string }): JSX.Element {
  const { agent = '' } = here.value.params
  const asked = { agent, session }
  const [asking, again] = useAnswer('session', asked)
  const states = useAnswer('sessionStates', asked)
  useEffect(() => {
    pageTitle.value = plainText(`Session ${session}`, titleCharacters)
  }, [session])
  const { answer } = asking
  function readAgain(): void {
    again()
    states[1]()
  }
  return (
    <>
      <p>
        <a href={linkTo('sessions')}>All sessions</a>
      </p>
      <div class="row head">
        <h1>
          Session
          {agent !== '' && (
            <>
              {' of '}
              <Text text={agentTitle(agent)} charactersMax={100} />
            </>
          )}
        </h1>
        <button type="button" onClick={readAgain}>
          Read again
        </button>
      </div>
      <p class="faint">
        <Text text={session} charactersMax={200} />
      </p>
      {asking.state === 'failed' && <Failed error={asking.error} onRetry={again} />}
      {answer === undefined && asking.state === 'waiting' && <Waiting what="Reading the record" />}
      {answer !== undefined && (
        <div class="session">
          <States asking={states} session={session} />
          <Calls outline={answer} agent={agent} states={states[0].answer?.states ?? []} />
        </div>
      )}
    </>
  )
}

const titleCharacters = 80

function Calls({
  outline,
  agent,
  states,
}: {
  readonly outline: AnswerOf<'session'>
  readonly agent: string
  readonly states: AnswerOf<'sessionStates'>['states']
}): JSX.Element {
  const { params } = here.value
  const shown = choices.find(({ name }) => name !== undefined && name === params['outcome'])?.name
  const seqs = outline[shown ?? 'all']
  const marks = new Map<number, readonly string[]>()
  for (const state of states.filter((one) => !isLittle(one))) {
    for (const { seq } of state.setBy)
      if (seq !== undefined) marks.set(seq, [...(marks.get(seq) ?? []), markText(state)])
  }
  if (outline.all.length === 0) {
    return (
      <Empty what="No call of this session is recorded.">
        <p>
          Its calls may have been removed for their age, or only counted. <a href={linkTo('now')}>Now</a> shows the
          latest decisions.
        </p>
      </Empty>
    )
  }
  return (
    <section class="line" aria-label="Calls, in their order">
      <div class="row" role="group" aria-label="Which calls">
        {choices.map(({ name, title }) => (
          <button
            key={title}
            type="button"
            aria-pressed={shown === name}
            onClick={() => setParams({ ...params, at: undefined, outcome: name })}
          >
            {title} {numberText(outline[name ?? 'all'].length)}
          </button>
        ))}
      </div>
      {seqs.length === 0 ? (
        <Empty what={shown === 'asked' ? 'No call was asked about.' : 'No call was refused.'} />
      ) : (
        <CallLine key={shown} {...{ seqs, agent, ids: outline.ids, outcome: shown, marks }} at={params['at']} />
      )}
    </section>
  )
}

const choices = [
  { name: undefined, title: 'All' },
  { name: 'refused', title: 'Refused' },
  { name: 'asked', title: 'Asked about' },
] as const

/** Says what a call did to a state. */
function markText(state: AnswerOf<'sessionStates'>['states'][number]): string {
  if (state.kind === 'reused') return 'shows a secret'
  if (!isLabel(state)) return `counted by ${stateName(state)}`
  return state.about === undefined ? `sets ${stateName(state)}` : `sets “${state.about}”`
}
