import { counted } from '../parts/counted.ts'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { AnswerOf } from '../../api.ts'
import { offerChange, useSettings } from '../changes.ts'
import { here, project, setParams } from '../location.ts'
import { Empty, Failed, Waiting } from '../parts/states.tsx'
import { plainText } from '../parts/text-parts.ts'
import { Coded, Text, TextList } from '../parts/text.tsx'
import { offerRecommended } from './now/protection.tsx'
import { Exceptions, Trust } from './rules/exceptions.tsx'
import { PackCard } from './rules/pack-card.tsx'
import { ModeBadge, RuleTable } from './rules/rule-table.tsx'
import {
  bySource,
  differenceOf,
  endingBy,
  isFound,
  ownSource,
  type PackAnswer,
  type PresetAnswer,
  type PresetDifference,
  rowIdOf,
  type RulesAnswer,
  type SourceRules,
  titleOfSource,
} from './rules/shown-rules.ts'

/** The rules in force in a project, where they come from, what they did, and what of it can be changed. */
export function RulesView(): JSX.Element {
  const folder = project.current.value
  const [rules, againRules] = useSettings('rules', { project: folder })
  const [packs, againPacks] = useSettings('packs', { project: folder })
  const [search, setSearch] = useState('')
  return (
    <div class="rules-view">
      <div class="row rules-head">
        <h1>Rules</h1>
        <ProjectChoice projects={rules.answer?.projects ?? []} />
        <input
          type="search"
          aria-label="Search the rules"
          placeholder="Search the rules"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
      </div>
      {rules.state === 'failed' && <Failed error={rules.error} onRetry={againRules} />}
      {packs.state === 'failed' && <Failed error={packs.error} onRetry={againPacks} />}
      {(rules.answer === undefined || packs.answer === undefined) &&
        rules.state !== 'failed' &&
        packs.state !== 'failed' && <Waiting what="Reading the rules" />}
      {rules.answer !== undefined && packs.answer !== undefined && (
        <>
          <Problems answer={rules.answer} />
          {search === '' && <Exceptions project={folder} />}
          {search === '' && <PresetList packs={packs.answer} rules={rules.answer} />}
          <Sources answer={rules.answer} packs={packs.answer.packs} search={search} />
          {search === '' && <Trust project={folder} rules={rules.answer.rules} />}
        </>
      )}
    </div>
  )
}

function ProjectChoice({ projects }: { readonly projects: readonly string[] }): JSX.Element {
  const current = project.current.value
  const choices = [...new Set([current, ...projects])]
  return (
    <label class="row project">
      <span class="faint">in</span>
      <select
        aria-label="Project"
        value={current}
        onChange={(event) => setParams({ project: event.currentTarget.value })}
      >
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {plainText(choice)}
          </option>
        ))}
      </select>
    </label>
  )
}

function Problems({ answer: { errors, notes } }: { readonly answer: RulesAnswer }): JSX.Element {
  return (
    <>
      {errors.length > 0 && (
        <div class="state failed" role="alert">
          <p class="what">
            Some rules do not load: until they do, every call is refused, unless the gate still has older ones.
          </p>
          <ul>
            {errors.map(({ place, message, remedy }) => (
              <li key={`${place} ${message}`}>
                <Text text={`${place}: ${message}`} />
                {remedy !== '' && (
                  <p>
                    To do: <Text text={remedy} />
                  </p>
                )}
              </li>
            ))}
          </ul>
          <p>
            After that, <code>hookgate check</code> says whether they load.
          </p>
        </div>
      )}
      <TextList kind="notes" texts={notes} />
    </>
  )
}

function Sources({
  answer: { rules, days, isManaged },
  packs,
  search,
}: {
  readonly answer: RulesAnswer
  readonly packs: readonly PackAnswer[]
  readonly search: string
}): JSX.Element {
  const meant = here.value.params['rule']
  useEffect(() => {
    if (meant !== undefined) document.getElementById(rowIdOf(meant))?.scrollIntoView({ block: 'center' })
  }, [meant])
  const sources = bySource(rules)
  const ownFolders = new Set(sources.find(({ source }) => source.id === ownSource)?.packs.keys())
  const managed = managedSources(rules)
  const isManagedWhole = (pack: PackAnswer) =>
    pack.rules.every(({ inForce }) => inForce.some(({ source, mode }) => managed.has(source) && mode === 'enforce'))
  const off = packs.filter((pack) => !ownFolders.has(pack.folder) && !isManagedWhole(pack))
  const common = { days, search, meant }
  return (
    <>
      {rules.every(({ kind }) => kind === 'built in') && (
        <Empty what="No rules are in force here: nothing is checked.">
          <p>The preset “recommended” refuses what can hardly be undone, and asks where it is not sure.</p>
          <button type="button" class="main" onClick={offerRecommended}>
            Turn recommended on …
          </button>
        </Empty>
      )}
      {sources.map((one) => (
        <Source key={one.source.id} one={one} packs={packs} isManaged={isManaged} {...common} />
      ))}
      {off.some(({ name, rules: own }) =>
        own.some(({ id, description }) => isFound(search, [id, description, name])),
      ) && (
        <section aria-labelledby="off">
          <h2 id="off">Packs that your file does not turn on</h2>
          {off.map((pack) => (
            <PackCard key={pack.folder} folder={pack.folder} pack={pack} rules={[]} isOwn {...common} />
          ))}
        </section>
      )}
    </>
  )
}

function Source({
  one: { source, packs: folders, others },
  packs,
  isManaged,
  days,
  search,
  meant,
}: {
  readonly one: SourceRules
  readonly isManaged: boolean
  readonly packs: readonly PackAnswer[]
  readonly days: number
  readonly search: string
  readonly meant: string | undefined
}): JSX.Element {
  const { title, locked, file } = titleOfSource(source, isManaged)
  const found = others.filter(({ id, what }) => isFound(search, [id, what]))
  return (
    <section class="source">
      <h2>{title}</h2>
      <p class="faint">
        {file !== undefined && <Text text={file} />}
        {file !== undefined && locked !== undefined && ' · '}
        {locked !== undefined && <Coded text={locked} />}
      </p>
      {[...folders].map(([folder, own]) => (
        <PackCard
          key={folder}
          folder={folder}
          pack={packs.find((pack) => pack.folder === folder)}
          rules={own}
          isOwn={source.id === ownSource}
          days={days}
          search={search}
          meant={meant}
        />
      ))}
      {found.length > 0 && (
        <div class="card">
          <RuleTable
            days={days}
            rows={found.map((rule) => ({
              name: rule.id,
              description: rule.kind === 'permissions' ? '' : rule.what,
              severity: rule.severity ?? null,
              rule,
            }))}
          />
        </div>
      )}
    </section>
  )
}

/** The presets: one of them can be on in the person's own file. */
function PresetList({
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
          <Preset
            key={preset.name}
            preset={preset}
            ends={rulesEndingWith(preset, rules)}
            managed={managedSources(rules.rules)}
          >
            {base !== undefined && base !== preset && (
              <Difference from={base.name} difference={differenceOf(preset, base, packs)} />
            )}
          </Preset>
        ))}
      </div>
    </section>
  )
}

/** Returns the sources of which only an administrator can change something. */
const managedSources = (rules: RulesAnswer['rules']): ReadonlySet<string> =>
  new Set(rules.flatMap(({ source }) => (source.scope === 'managed' ? [source.id] : [])))

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
    ...(more.length > 0 ? [`${counted(more.length, 'rule')} more`] : []),
    ...(less.length > 0 ? [`${counted(less.length, 'rule')} fewer`] : []),
    ...(params.length > 0
      ? [`${counted(params.length, 'setting')} ${params.length === 1 ? 'differs' : 'differ'}`]
      : []),
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

const List = ({ what, texts }: { readonly what: string; readonly texts: readonly string[] }) =>
  texts.length === 0 ? null : (
    <p>
      {what}: <Text text={texts.join(', ')} />
    </p>
  )

function Preset({
  preset,
  ends,
  managed,
  children,
}: {
  readonly preset: PresetAnswer
  readonly ends: readonly string[]
  /** Sources of administrators: what they enforce, the person can neither turn off nor add to. */
  readonly managed: ReadonlySet<string>
  readonly children?: ComponentChildren
}): JSX.Element {
  const { name, description, inForce, packs, refuses } = preset
  const own = inForce.find(({ source }) => source === ownSource)
  const others = inForce.filter(({ source }) => source !== ownSource)
  const fixed = others.find(({ source, mode }) => managed.has(source) && mode === 'enforce')
  const offer = (title: string, to: 'on' | 'off' | 'observe' | 'enforce') => () =>
    offerChange(title, { kind: 'preset', preset: name, to }, endingBy(to, ends))
  return (
    <article class="card">
      <div class="row">
        <h3>{name}</h3>
        <ModeBadge mode={(own ?? fixed)?.mode} />
        <span class="faint">{counted(packs.length, 'pack')}</span>
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
          {own === undefined ? 'On' : 'Also on'} by <Text text={file} />
        </p>
      ))}
      <div class="row">
        {own === undefined && fixed !== undefined ? (
          <span class="faint">Only who manages this machine can turn it off.</span>
        ) : own === undefined ? (
          <button type="button" onClick={offer(`Turn the preset ${name} on`, 'on')}>
            Turn <span class="hidden">{name}</span> on …
          </button>
        ) : (
          <button type="button" onClick={offer(`Turn the preset ${name} off`, 'off')}>
            Turn <span class="hidden">{name}</span> off …
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
