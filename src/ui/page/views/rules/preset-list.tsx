import type { JSX } from 'preact'
import { offerChange } from '../../changes.ts'
import { Text } from '../../parts/text.tsx'
import { ModeBadge } from './rule-table.tsx'
import { ownSource, type PresetAnswer } from './shown-rules.ts'

/** The presets: one of them can be on in the person's own file. */
export function PresetList({ presets }: { readonly presets: readonly PresetAnswer[] }): JSX.Element {
  return (
    <section aria-labelledby="presets">
      <h2 id="presets">Presets</h2>
      <div class="presets">
        {presets.map((preset) => (
          <Preset key={preset.name} preset={preset} />
        ))}
      </div>
    </section>
  )
}

function Preset({ preset }: { readonly preset: PresetAnswer }): JSX.Element {
  const { name, description, inForce, packs, refuses } = preset
  const own = inForce.find(({ source }) => source === ownSource)
  const others = inForce.filter(({ source }) => source !== ownSource)
  const offer = (title: string, to: 'on' | 'off' | 'observe' | 'enforce') => () =>
    offerChange(title, { kind: 'preset', preset: name, to })
  return (
    <article class="card">
      <div class="row">
        <h3>{name}</h3>
        <ModeBadge mode={own?.mode} />
        <span class="faint">{packs.length} packs</span>
      </div>
      <p>{description}.</p>
      <p class="faint">
        {preset.mode === 'observe' ? 'Reports' : 'Refuses'}, for example:{' '}
        {refuses.slice(0, 3).map((command) => (
          <code key={command} class="example">
            {command}
          </code>
        ))}
      </p>
      {others.map(({ source, file }) => (
        <p key={source} class="faint">
          Also on by <Text text={file} />
        </p>
      ))}
      <div class="row">
        {own === undefined ? (
          <button type="button" onClick={offer(`Turn the preset ${name} on`, 'on')}>
            Turn {name} on …
          </button>
        ) : (
          <button type="button" onClick={offer(`Turn the preset ${name} off`, 'off')}>
            Turn {name} off …
          </button>
        )}
        {own !== undefined &&
          preset.mode === undefined &&
          (own.mode === 'enforce' ? (
            <button type="button" onClick={offer(`Have the preset ${name} only observe`, 'observe')}>
              Only observe …
            </button>
          ) : (
            <button type="button" onClick={offer(`Enforce the preset ${name}`, 'enforce')}>
              Enforce …
            </button>
          ))}
      </div>
    </article>
  )
}
