import type { JSX } from 'preact'
import { offerChange } from '../../changes.ts'
import { linkTo } from '../../location.ts'
import { Coded } from '../../parts/coded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Failed, Waiting } from '../../parts/states.tsx'
import { Text } from '../../parts/text.tsx'
import { useSettings } from '../../use-settings.ts'

/** The exceptions: calls that pass although a rule would stop them, until when, and why. */
export function Exceptions({ project }: { readonly project: string }): JSX.Element {
  const [asking, again] = useSettings('exceptions', { project })
  return (
    <section aria-labelledby="exceptions">
      <h2 id="exceptions">Exceptions</h2>
      {asking.state === 'failed' && <Failed error={asking.error} onRetry={again} />}
      {asking.state === 'waiting' && asking.answer === undefined && <Waiting what="Reading the exceptions" />}
      {asking.state !== 'failed' && asking.answer !== undefined && <List answer={asking.answer} />}
    </section>
  )
}

type ExceptionsAnswer = NonNullable<ReturnType<typeof useSettings<'exceptions'>>[0]['answer']>

const remove = (key: string, rule: string) => () =>
  offerChange(`Remove the exception from ${rule}`, { kind: 'removeException', key })

function List({ answer }: { readonly answer: ExceptionsAnswer }): JSX.Element {
  const { exceptions, grants, days } = answer
  if (exceptions.length + grants.length === 0) {
    return (
      <p class="faint">
        There are none. A refused call can be let through where it is shown:{' '}
        <a href={linkTo('now', { params: { outcome: 'refused' } })}>look at what was refused</a>
      </p>
    )
  }
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Exceptions in force">
      <table class="cards">
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">Lifts it for</th>
            <th scope="col">In {days} days</th>
            <th scope="col">Until</th>
            <th scope="col">Reason</th>
            <th scope="col">
              <span class="hidden">Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {exceptions.map(({ key, rule, command, path, project, until, reason, over, lifted }) => (
            <tr key={key}>
              <th scope="row">
                <Text text={rule} />
              </th>
              <td data-label="Lifts it for">
                <Text text={command ?? path ?? ''} charactersMax={400} />
                {project !== undefined && (
                  <div class="faint">
                    in <Text text={project} />
                  </div>
                )}
              </td>
              <td data-label={`In ${days} days`}>{liftedText(lifted)}</td>
              <td data-label="Until">
                {until ?? 'for good'} {over && <span class="badge">over</span>}
              </td>
              <td data-label="Reason">
                <Coded text={reason ?? ''} charactersMax={400} />
              </td>
              <td>
                <button type="button" onClick={remove(key, rule)}>
                  Remove<span class="hidden"> the exception from {rule}</span> …
                </button>
              </td>
            </tr>
          ))}
          {grants.map(({ kind, id, endsAt }) => (
            <tr key={id}>
              <th scope="row">
                <Text text={id} />
              </th>
              <td data-label="Lifts it for">{kind === 'once' ? 'the same call, once' : 'the same, in its session'}</td>
              <td />
              <td data-label="Until">
                <Moment at={endsAt} />
              </td>
              <td />
              <td>
                <button type="button" onClick={remove(id, id)}>
                  Remove<span class="hidden"> {id}</span> …
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const liftedText = (times: number) =>
  times === 0 ? 'lifted nothing' : times === 1 ? 'lifted one answer' : `lifted ${times.toLocaleString('en')} answers`
