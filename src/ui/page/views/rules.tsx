import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { here, setParams } from '../location.ts'
import { Coded } from '../parts/coded.tsx'
import { Empty, Failed, Waiting } from '../parts/states.tsx'
import { Text } from '../parts/text.tsx'
import { TextList } from '../parts/text-list.tsx'
import { plainText } from '../parts/text-parts.ts'
import { project } from '../project.ts'
import { useSettings } from '../use-settings.ts'
import { offerRecommended } from './now/protection.tsx'
import { Exceptions } from './rules/exceptions.tsx'
import { PackCard } from './rules/pack-card.tsx'
import { PresetList } from './rules/preset-list.tsx'
import { RuleTable } from './rules/rule-table.tsx'
import {
  bySource,
  isFound,
  ownSource,
  type PackAnswer,
  rowIdOf,
  type RulesAnswer,
  type SourceRules,
  titleOfSource,
} from './rules/shown-rules.ts'
import { Trust } from './rules/trust.tsx'

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
  answer: { rules, days },
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
  const off = packs.filter(({ folder }) => !ownFolders.has(folder))
  const common = { days, search, meant }
  return (
    <>
      {rules.length === 0 && (
        <Empty what="No rules are in force here: nothing is checked.">
          <p>The preset “recommended” refuses what can hardly be undone, and asks where it is not sure.</p>
          <button type="button" class="main" onClick={offerRecommended}>
            Turn recommended on …
          </button>
        </Empty>
      )}
      {sources.map((one) => (
        <Source key={one.source.id} one={one} packs={packs} {...common} />
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
  days,
  search,
  meant,
}: {
  readonly one: SourceRules
  readonly packs: readonly PackAnswer[]
  readonly days: number
  readonly search: string
  readonly meant: string | undefined
}): JSX.Element {
  const { title, locked, file } = titleOfSource(source)
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
              description: rule.what,
              severity: rule.severity ?? null,
              rule,
            }))}
          />
        </div>
      )}
    </section>
  )
}
