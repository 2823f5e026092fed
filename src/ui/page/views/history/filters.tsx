import type { JSX } from 'preact'
import { agentTitle } from '../../agent-title.ts'
import { here, linkTo, setParams } from '../../location.ts'
import { plainText } from '../../parts/text-parts.ts'
import { type HistoryRange, historyRanges } from './ranges.ts'

/** Chooses what is looked at; the address has it. */
export function HistoryFilters({
  range,
  agents,
  projects,
  onRefresh,
}: {
  readonly range: HistoryRange
  readonly agents: readonly string[]
  readonly projects: readonly string[]
  readonly onRefresh: () => void
}): JSX.Element {
  const { params } = here.value
  return (
    <div class="row filters">
      <nav class="segments" aria-label="Time">
        {historyRanges.map(({ name, title }) => (
          <a
            key={name}
            href={linkTo('history', { params: { ...params, range: name } })}
            aria-current={name === range.name ? 'true' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      <Choice name="agent" label="Agent" all="All agents" values={agents} textOf={agentTitle} />
      <Choice name="project" label="Project" all="All projects" values={projects} />
      <button type="button" onClick={onRefresh}>
        Refresh
      </button>
    </div>
  )
}

/** Chooses one of several names, or all. */
function Choice({
  name,
  label,
  all,
  values,
  textOf = (value) => value,
}: {
  readonly name: 'agent' | 'project'
  readonly label: string
  readonly all: string
  readonly values: readonly string[]
  readonly textOf?: (value: string) => string
}): JSX.Element {
  const { params } = here.value
  const chosen = params[name]
  // The address may name one that has no decisions in this time.
  const options = chosen === undefined || values.includes(chosen) ? values : [chosen, ...values]
  return (
    <select
      aria-label={label}
      value={chosen ?? ''}
      onChange={({ currentTarget }) => setParams({ ...params, [name]: currentTarget.value })}
    >
      <option value="">{all}</option>
      {options.map((value) => (
        <option key={value} value={value}>
          {optionText(textOf(value))}
        </option>
      ))}
    </select>
  )
}

/** An option has no markup: characters that are not shown as they are stand there as their codes. Its end says most. */
function optionText(value: string): string {
  const shown = value.length > charactersMax ? `…${value.slice(-charactersMax)}` : value
  return plainText(shown)
}

const charactersMax = 60
