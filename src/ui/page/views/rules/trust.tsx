import type { JSX } from 'preact'
import { offerChange } from '../../changes.ts'
import { Moment } from '../../parts/moment.tsx'
import { Failed, Waiting } from '../../parts/states.tsx'
import { Text } from '../../parts/text.tsx'
import { useSettings } from '../../use-settings.ts'
import type { ShownRule } from './shown-rules.ts'

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
