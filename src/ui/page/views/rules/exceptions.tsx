import { counted } from '../../parts/counted.ts'
import type { JSX } from 'preact'
import { offerChange, useSettings } from '../../changes.ts'
import { linkTo } from '../../location.ts'
import { Coded, Moment, Text } from '../../parts/text.tsx'
import { Failed, Waiting } from '../../parts/states.tsx'
import type { ShownRule } from './shown-rules.ts'

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
        You have made none. A refused call can be let through where it is shown:{' '}
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
          {grants.map(({ kind, id, endsAt, refused, ...grant }) => (
            <tr key={`${kind} ${id} ${'nth' in grant ? grant.nth : ''}`}>
              <th scope="row">
                <Text text={refused?.names.join(', ') ?? id} />
              </th>
              <td data-label="Lifts it for">
                <Text text={refused?.words ?? `the call of the refusal ${id}`} charactersMax={400} />
                <div class="faint">{grantWords[kind]}</div>
              </td>
              <td />
              <td data-label="Until">
                <Moment at={endsAt} />
              </td>
              <td />
              <td>
                <button type="button" onClick={remove(id, refused?.names.join(', ') ?? id)}>
                  Remove<span class="hidden"> what is allowed for the refusal {id}</span> …
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const grantWords = {
  once: 'once',
  while: 'as often as it comes',
  session: 'as often as it comes, until its session ends',
} as const

const liftedText = (times: number) => (times === 0 ? 'lifted nothing' : `lifted ${counted(times, 'answer')}`)

/** Trust in the project's own rules, with the files that are pinned. */
export function Trust({
  project,
  rules,
}: {
  readonly project: string
  readonly rules: readonly ShownRule[]
}): JSX.Element {
  const [asking, again] = useSettings('trusted', { project })
  return (
    <section aria-labelledby="trust">
      <h2 id="trust">Trust in this project</h2>
      {asking.state === 'failed' && <Failed error={asking.error} onRetry={again} />}
      {asking.state === 'waiting' && asking.answer === undefined && <Waiting what="Reading what is trusted" />}
      {asking.state !== 'failed' && asking.answer !== undefined && (
        <State
          project={project}
          pins={asking.answer.pins}
          own={rules.filter(({ source }) => source.scope === 'project')}
        />
      )}
    </section>
  )
}

type ProjectPins = NonNullable<ReturnType<typeof useSettings<'trusted'>>[0]['answer']>['pins']

function State({
  project,
  pins,
  own,
}: {
  readonly project: string
  readonly pins: ProjectPins
  readonly own: readonly ShownRule[]
}): JSX.Element {
  const untrusted = own.filter(({ untrustedReason }) => untrustedReason !== null)
  if (own.length === 0 && pins === null) {
    return <p class="faint">The project has no rules of its own, so there is nothing to trust.</p>
  }
  return (
    <div class="card">
      {pins === null ? (
        <p>
          <strong>Not trusted.</strong> Its hooks are not run, and its policies can only tighten. Review its files
          before you trust them: what a script itself loads is not pinned.
        </p>
      ) : (
        <p>
          <strong>Trusted</strong> since <Moment at={pins.trustedAt} exact />: these files, as they were then.
        </p>
      )}
      {pins !== null && (
        <ul class="files">
          {pins.files.map((file) => (
            <li key={file}>
              <Text text={file} />
            </li>
          ))}
        </ul>
      )}
      {pins !== null && untrusted.length > 0 && (
        <p>
          {untrusted.length} of its {own.length} rules are not trusted all the same: a file changed since, or cannot be
          told from the hook. Review it, and trust it again.
        </p>
      )}
      <div class="row">
        {(pins === null || untrusted.length > 0) && (
          <button
            type="button"
            onClick={() => offerChange('Trust the rules of this project', { kind: 'trust', folder: project })}
          >
            Trust {pins === null ? 'this project' : 'it as it is now'} …
          </button>
        )}
        {pins !== null && (
          <button
            type="button"
            onClick={() => offerChange('Trust this project no longer', { kind: 'revokeTrust', folder: project })}
          >
            Revoke …
          </button>
        )}
      </div>
    </div>
  )
}
