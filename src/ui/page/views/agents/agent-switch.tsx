import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { AnswerOf } from '../../../api.ts'
import { offerChange } from '../../changes.ts'
import { CommandLine } from '../../parts/copy.tsx'
import { Text } from '../../parts/text.tsx'
import type { AgentRow } from './kind.ts'

/** Enables or disables an agent, or says who does if the page cannot. */
export function AgentSwitch({
  row: { agent, title, places },
  presets,
}: {
  readonly row: AgentRow
  /** The presets to choose from; empty if there are rules. */
  readonly presets: AnswerOf<'agents'>['presets']
}): JSX.Element {
  const [preset, setPreset] = useState('')
  const own = places.find(({ scope, by }) => scope === 'user' && by !== undefined)
  const isInProject = places.some(({ scope, by }) => scope === 'project' && by === 'enable')
  const enable = () => offerChange(`Enable ${title}`, { kind: 'enable', agent, ...(preset !== '' && { preset }) })
  return (
    <>
      {own === undefined && presets.length > 0 && (
        <label class="row">
          Rules to begin with
          <select value={preset} onChange={(event) => setPreset(event.currentTarget.value)}>
            <option value="">as hookgate suggests</option>
            {presets.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
            <option value="none">none yet</option>
          </select>
        </label>
      )}
      {own === undefined && (
        <button type="button" class="main" onClick={enable}>
          Enable {title}
        </button>
      )}
      {own?.by === 'enable' && (
        <button type="button" onClick={() => offerChange(`Disable ${title}`, { kind: 'disable', agent })}>
          Disable {title}
        </button>
      )}
      {own?.by === 'hand' && (
        <p class="faint">
          It was registered by hand: to disable it, remove hookgate from <Text text={own.place} />
        </p>
      )}
      {isInProject && (
        <CommandLine
          line={`hookgate disable ${agent} --scope project`}
          does="disables it for everybody who works on this project"
        />
      )}
    </>
  )
}
