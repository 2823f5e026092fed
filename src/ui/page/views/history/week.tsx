import type { JSX } from 'preact'
import { useAnswer } from '../../fetch.ts'
import { agentTitle } from '../../parts/text-parts.ts'
import { RuleLink, Text } from '../../parts/text.tsx'
import { dayStart, wholeDay } from './course.tsx'
import { type Counted, weekLines } from './week-lines.ts'

/** Says what has changed in the last seven days, today among them, compared with the seven days before. */
export function WeekChanges({
  agent,
  project,
}: {
  readonly agent: string | undefined
  readonly project: string | undefined
}): JSX.Element | null {
  const [sinceMs, beforeMs] = [dayStart(Date.now(), 6), dayStart(Date.now(), 13)]
  const [{ answer }] = useAnswer('week', {
    sinceMs,
    beforeMs,
    ...(agent !== undefined && { agent }),
    ...(project !== undefined && { project }),
  })
  if (answer === undefined) return null
  return (
    <section class="card" aria-labelledby="week">
      <h2 id="week">What changed since last week</h2>
      <p class="faint">Since {wholeDay.format(sinceMs)}, compared with the seven days before.</p>
      <ul class="week">
        {weekLines(answer).map(({ text, rules, agents }) => (
          <li key={text}>
            {text}
            {rules !== undefined && <Named all={rules} shown={(name) => <RuleLink id={name} />} />}
            {agents !== undefined && <Named all={agents} shown={(name) => <Text text={agentTitle(name)} />} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Names the first of some rules or agents, each with its counts. */
function Named({
  all,
  shown,
}: {
  readonly all: readonly Counted[]
  readonly shown: (name: string) => JSX.Element
}): JSX.Element {
  return (
    <>
      {all.slice(0, namedMax).map(({ name, counts }, index) => (
        <span key={name}>
          {index > 0 && ','} {shown(name)} ({counts})
        </span>
      ))}
      {all.length > namedMax && `, and ${all.length - namedMax} more`}
    </>
  )
}

/** Rules or agents that one sentence names: the tables below have all. */
const namedMax = 4
