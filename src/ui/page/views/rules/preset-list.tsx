import type { ComponentChildren, JSX } from 'preact'
import type { AnswerOf } from '../../../api.ts'
import { offerChange } from '../../changes.ts'
import { Coded } from '../../parts/coded.tsx'
import { Text } from '../../parts/text.tsx'
import { ModeBadge } from './rule-table.tsx'
import {
  differenceOf,
  endingBy,
  ownSource,
  type PresetAnswer,
  type PresetDifference,
  type RulesAnswer,
} from './shown-rules.ts'

/** The presets: one of them can be on in the person's own file. */
export function PresetList({
  packs: { presets, packs },
  rules,
}: {
  readonly packs: AnswerOf<'packs'>
  readonly rules: RulesAnswer
}): JSX.Element {
  const own = presets.find(({ inForce }) => inForce.some(({ source }) => source === ownSource))
  const base = own ?? presets.find(({ name }) => name === 'recommended')
  return (
    <section aria-labelledby="presets">
      <h2 id="presets">Presets</h2>
      <div class="presets">
        {presets.map((preset) => (
          <Preset key={preset.name} preset={preset} ends={rulesEndingWith(preset, rules)}>
            {base !== undefined && base !== preset && (
              <Difference from={base.name} difference={differenceOf(preset, base, packs)} />
            )}
          </Preset>
        ))}
      </div>
    </section>
  )
}

/** Returns the person's own rules that a preset alone has in force. */
const rulesEndingWith = ({ packs }: PresetAnswer, { rules, ownPacks }: RulesAnswer): readonly string[] =>
  rules.flatMap(({ id, source, pack }) => {
    const name = pack?.folder.split(/[\\/]/).at(-1) ?? ''
    const isOfPreset = packs.some((one) => one.pack === name) && !ownPacks.includes(name)
    return source.id === ownSource && isOfPreset ? [id] : []
  })

/** Says how a preset differs from the one that is on, or from the usual one. */
function Difference({
  from,
  difference: { more, less, params },
}: {
  readonly from: string
  readonly difference: PresetDifference
}): JSX.Element {
  const heading = [
    ...(more.length > 0 ? [`${numberOf(more, 'rule')} more`] : []),
    ...(less.length > 0 ? [`${numberOf(less, 'rule')} fewer`] : []),
    ...(params.length > 0 ? [`${numberOf(params, 'setting')} ${params.length === 1 ? 'differs' : 'differ'}`] : []),
  ]
  if (heading.length === 0) return <p class="faint">The same rules as {from}.</p>
  return (
    <details class="difference">
      <summary>
        Against {from}: {heading.join(', ')}
      </summary>
      <List what="More" texts={more} />
      <List what="Fewer" texts={less} />
      <List what="Settings that differ" texts={params} />
    </details>
  )
}

const numberOf = (all: readonly string[], what: string) => `${all.length} ${what}${all.length === 1 ? '' : 's'}`

const List = ({ what, texts }: { readonly what: string; readonly texts: readonly string[] }) =>
  texts.length === 0 ? null : (
    <p>
      {what}: <Text text={texts.join(', ')} />
    </p>
  )

function Preset({
  preset,
  ends,
  children,
}: {
  readonly preset: PresetAnswer
  readonly ends: readonly string[]
  readonly children?: ComponentChildren
}): JSX.Element {
  const { name, description, inForce, packs, refuses } = preset
  const own = inForce.find(({ source }) => source === ownSource)
  const others = inForce.filter(({ source }) => source !== ownSource)
  const offer = (title: string, to: 'on' | 'off' | 'observe' | 'enforce') => () =>
    offerChange(title, { kind: 'preset', preset: name, to }, endingBy(to, ends))
  return (
    <article class="card">
      <div class="row">
        <h3>{name}</h3>
        <ModeBadge mode={own?.mode} />
        <span class="faint">{packs.length} packs</span>
      </div>
      <p>
        <Coded text={`${description}.`} />
      </p>
      {children}
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
