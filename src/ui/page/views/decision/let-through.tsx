import type { JSX } from 'preact'
import type { DecisionRecord } from '../../../../record/record.ts'
import type { WhyAnswer } from '../../../routes/why.ts'
import { offerChange } from '../../changes.ts'
import { CommandLine } from '../../parts/copy.tsx'
import { Text } from '../../parts/text.tsx'

/** Ways to let a refused call through. @param lift absent until it is known what prevents it */
export function LetThrough({
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
