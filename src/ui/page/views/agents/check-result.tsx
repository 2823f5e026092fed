import type { JSX } from 'preact'
import type { PartOf } from '../../../api.ts'
import { durationText } from '../../parts/duration.ts'
import { Text } from '../../parts/text.tsx'
import { TextList } from '../../parts/text-list.tsx'

type CheckedAgent = Extract<PartOf<'checkAgents'>, { readonly check: unknown }>['check']

/** The result of a canary: a harmless event, sent as the agent sends its own. */
export function CheckResult({
  check,
  obstacles,
}: {
  readonly check: PartOf<'checkAgents'> | undefined
  /** Obstacles that are known before the check. */
  readonly obstacles: readonly string[]
}): JSX.Element {
  if (check === undefined) {
    return (
      <>
        <p class="faint">A harmless event is sent as the agent would send it …</p>
        <TextList kind="complaints" texts={obstacles} />
      </>
    )
  }
  if ('problem' in check) return <TextList kind="complaints" texts={[check.problem]} />
  const { scopes, uncoveredEvents, notes } = check.check
  const wrong = [...check.check.obstacles, ...scopes.flatMap(({ problems }) => problems)]
  return (
    <>
      <Canaries scopes={scopes} />
      <TextList kind="complaints" texts={wrong} />
      {uncoveredEvents.length > 0 && (
        <p>
          It does not ask at <Text text={uncoveredEvents.join(', ')} />, though rules are about these events.
        </p>
      )}
      <TextList kind="remarks faint" texts={notes} />
    </>
  )
}

function Canaries({ scopes }: Pick<CheckedAgent, 'scopes'>): JSX.Element | null {
  const canaries = scopes.flatMap((scope) => scope.canaries)
  if (canaries.length === 0) return null
  return (
    <ul class="canaries">
      {canaries.map(({ way, answered, by, durationMs, problem }) => (
        <li key={way}>
          <details>
            <summary class={answered ? '' : 'wrong'}>
              {answered ? (
                `Answered in ${durationText(durationMs)} by ${by === 'gate' ? 'the resident gate' : 'a process of its own'}`
              ) : (
                <>
                  No answer: <Text text={problem ?? 'it is not known why'} />
                </>
              )}
            </summary>
            <span class="faint">Asked by</span> <Text text={way} />
          </details>
        </li>
      ))}
    </ul>
  )
}
