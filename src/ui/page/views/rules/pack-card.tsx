import type { JSX } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import { offerChange, type OfferedChange } from '../../changes.ts'
import { useAnswer } from '../../fetch.ts'
import { project } from '../../location.ts'
import { Failed, Waiting } from '../../parts/states.tsx'
import { Coded, Text } from '../../parts/text.tsx'
import { ModeBadge, type RuleRow, RuleTable } from './rule-table.tsx'
import {
  didAllText,
  endingBy,
  isFound,
  type PackAnswer,
  type PackParam,
  paramsOfPack,
  type ShownRule,
} from './shown-rules.ts'

interface PackCardProps {
  readonly folder: string
  /** `undefined` for a pack that hookgate does not ship. */
  readonly pack: PackAnswer | undefined
  /** The pack's rules that one source has in force. */
  readonly rules: readonly ShownRule[]
  /** True if the person's own file turns it on or off. */
  readonly isOwn: boolean
  readonly days: number
  readonly search: string
  /** The id of a rule that is looked for. */
  readonly meant: string | undefined
}

/** A pack: whether it is on, its rules, its params, and what its maker says about it. */
export function PackCard({ folder, pack, rules, isOwn, days, search, meant }: PackCardProps): JSX.Element | null {
  const rows = rowsOf({ pack, rules, isOwn, folder }).filter((row) =>
    isFound(search, [row.name, row.description, row.rule?.id, pack?.name]),
  )
  const isMeant = rules.some(({ id }) => id === meant)
  const [isOpen, setOpen] = useState(isMeant)
  useEffect(() => {
    if (isMeant || search !== '') setOpen(true)
  }, [isMeant, search !== ''])
  if (rows.length === 0) return null
  const name = pack?.name ?? folder.split(/[\\/]/).at(-1) ?? folder
  const mode = modeOf(rules)
  return (
    <details class="card pack" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h3>{name}</h3>
        <ModeBadge mode={mode} />
        <span class="figures">
          <span class="faint">
            {rules.length} of {pack?.rules.length ?? rules.length} rules
          </span>
          {rules.length > 0 && (
            <span class="did">
              {didAllText(rules)}
              <span class="unless-narrow"> in {days} days</span>
            </span>
          )}
        </span>
      </summary>
      {isOpen && (
        <>
          {pack !== undefined && (
            <p>
              <Coded text={`${pack.description}.`} />
            </p>
          )}
          {isOwn && (
            <PackButtons name={name} target={pack?.name ?? folder} mode={mode} rules={rules.map(({ id }) => id)} />
          )}
          <ExampledRules rows={rows} days={days} pack={pack?.name ?? folder} />
          {pack !== undefined && isOwn && mode !== undefined && <Params pack={pack} rules={rules} />}
          <Readme folder={folder} />
        </>
      )}
    </details>
  )
}

/** The rules of a pack. Their examples come later: they are read from its sources. */
function ExampledRules({
  rows,
  days,
  pack,
}: {
  readonly rows: readonly RuleRow[]
  readonly days: number
  readonly pack: string
}): JSX.Element {
  const [{ answer }] = useAnswer('packExamples', { pack, project: project.current.value })
  return <RuleTable rows={rows} days={days} examples={answer?.rules} />
}

function rowsOf({ pack, rules, isOwn, folder }: Pick<PackCardProps, 'pack' | 'rules' | 'isOwn' | 'folder'>): RuleRow[] {
  if (pack === undefined) {
    return rules.map((rule) => ({
      name: rule.policy ?? rule.id,
      description: '',
      severity: rule.severity ?? null,
      rule,
      ...(isOwn && rule.policy !== undefined && { pack: folder }),
    }))
  }
  return pack.rules.flatMap(({ id, description, severity }) => {
    const rule = rules.find(({ policy }) => policy === id)
    // Rules that another source leaves out are not shown: the person cannot turn them on.
    if (rule === undefined && !isOwn) return []
    return { name: id, description, severity, rule, ...(isOwn && { pack: pack.name }) }
  })
}

function modeOf(rules: readonly ShownRule[]): 'enforce' | 'observe' | undefined {
  if (rules.length === 0) return undefined
  return rules.every(({ mode }) => mode === 'observe') ? 'observe' : 'enforce'
}

function PackButtons({
  name,
  target,
  mode,
  rules,
}: {
  readonly name: string
  readonly target: string
  readonly mode: 'enforce' | 'observe' | undefined
  readonly rules: readonly string[]
}): JSX.Element {
  const offer = (title: string, to: 'on' | 'off' | 'observe' | 'enforce') => () =>
    offerChange(title, { kind: 'pack', pack: target, to }, endingBy(to, rules))
  if (mode === undefined) {
    return (
      <div class="row">
        <button type="button" class="main" onClick={offer(`Turn the pack ${name} on`, 'on')}>
          Turn {name} on …
        </button>
      </div>
    )
  }
  return (
    <div class="row">
      <button type="button" onClick={offer(`Turn the pack ${name} off`, 'off')}>
        Turn {name} off …
      </button>
      {mode === 'enforce' ? (
        <button type="button" onClick={offer(`Have the pack ${name} only observe`, 'observe')}>
          Only observe …
        </button>
      ) : (
        <button type="button" onClick={offer(`Enforce the pack ${name}`, 'enforce')}>
          Enforce …
        </button>
      )}
    </div>
  )
}

function Params({
  pack,
  rules,
}: {
  readonly pack: PackAnswer
  readonly rules: readonly ShownRule[]
}): JSX.Element | null {
  const params = paramsOfPack(pack, rules)
  if (params.length === 0) return null
  return (
    <details>
      <summary>Params ({params.length})</summary>
      <div class="params">
        {params.map((param) => (
          <ParamControl key={`${param.name} ${JSON.stringify(param.value)}`} pack={pack.name} param={param} />
        ))}
      </div>
    </details>
  )
}

function Readme({ folder }: { readonly folder: string }): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>README</summary>
      {isOpen && <ReadmeText folder={folder} />}
    </details>
  )
}

function ReadmeText({ folder }: { readonly folder: string }): JSX.Element {
  const [asking, again] = useAnswer('packReadme', { folder })
  if (asking.state === 'failed') return <Failed error={asking.error} onRetry={again} />
  if (asking.answer === undefined) return <Waiting what="Reading" />
  const { text } = asking.answer
  if (text === '') return <p class="faint">The pack has no README.</p>
  return (
    <pre class="readme" tabIndex={0} role="group" aria-label="README">
      <Text text={text} charactersMax={100_000} />
    </pre>
  )
}

type ParamValue = Extract<OfferedChange, { kind: 'param' }>['value']

interface ControlProps {
  readonly id: string
  readonly param: PackParam
  readonly onSet: (value: ParamValue) => void
}

/** A param of a pack: what it is, what it is set to, and a control of its own type. */
function ParamControl({ pack, param }: { readonly pack: string; readonly param: PackParam }): JSX.Element {
  const id = useId()
  const { name, declaration, value, isChanged } = param
  const set = (next: ParamValue) =>
    offerChange(`Set ${name} of ${pack}`, { kind: 'param', pack, param: name, value: next })
  // A control begins anew with the value that is in force.
  return (
    <div class="param" key={JSON.stringify(value)}>
      <label for={id}>
        <Text text={name} />
      </label>
      {declaration.description !== undefined && (
        <p class="faint">
          <Coded text={declaration.description} />
        </p>
      )}
      <Control id={id} param={param} onSet={set} />
      <p class="faint">
        Default: <Text text={valueText(declaration.default)} charactersMax={300} />
        {isChanged && (
          <button
            type="button"
            class="link"
            onClick={() => offerChange(`Set ${name} of ${pack} back`, { kind: 'unsetParam', pack, param: name })}
          >
            Set {name} back
          </button>
        )}
      </p>
    </div>
  )
}

function Control({ id, param, onSet }: ControlProps): JSX.Element {
  const { declaration, value } = param
  switch (declaration.type) {
    case 'boolean':
      return (
        <span class="row">
          <input
            id={id}
            type="checkbox"
            checked={value === true}
            onClick={(event) => {
              // The file decides what is checked, and it is not written yet.
              event.preventDefault()
              onSet(value !== true)
            }}
          />
          {value === true ? 'yes' : 'no'}
        </span>
      )
    case 'number':
      return (
        <OneValue
          id={id}
          usual={String(value)}
          type="number"
          min={declaration.minimum}
          max={declaration.maximum}
          onSet={(text) => onSet(Number(text))}
        />
      )
    case 'string':
      return declaration.oneOf === undefined ? (
        <OneValue id={id} usual={String(value)} type="text" onSet={onSet} />
      ) : (
        <select
          id={id}
          value={String(value)}
          onChange={(event) => {
            const { value: next } = event.currentTarget
            event.currentTarget.value = String(value)
            onSet(next)
          }}
        >
          {declaration.oneOf.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      )
    case 'strings':
      return <ListControl id={id} param={param} onSet={onSet} />
  }
}

function OneValue({
  id,
  usual,
  type,
  min,
  max,
  onSet,
}: {
  readonly id: string
  readonly usual: string
  readonly type: 'text' | 'number'
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly onSet: (text: string) => void
}): JSX.Element {
  const [text, setText] = useState(usual)
  const read = (event: { readonly currentTarget: HTMLInputElement }) => setText(event.currentTarget.value)
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault()
        onSet(text)
      }}
    >
      {type === 'number' ? (
        <input id={id} required step="any" type="number" min={min} max={max} value={text} onInput={read} />
      ) : (
        <input id={id} type="text" value={text} onInput={read} />
      )}
      <button type="submit" disabled={text === usual}>
        Set …
      </button>
    </form>
  )
}

/** A list of texts: each can be removed, and others added, before it is set. */
function ListControl({ id, param, onSet }: ControlProps): JSX.Element {
  const usual: readonly string[] = Array.isArray(param.value) ? param.value.map(String) : []
  const [texts, setTexts] = useState(usual)
  const [next, setNext] = useState('')
  const add = (event: Event) => {
    event.preventDefault()
    const text = next.trim()
    if (text !== '' && !texts.includes(text)) setTexts([...texts, text])
    setNext('')
  }
  return (
    <div class="list">
      {texts.length > 0 && (
        <ul>
          {texts.map((text) => (
            <li key={text}>
              <Text text={text} charactersMax={200} />
              <button type="button" class="link" onClick={() => setTexts(texts.filter((other) => other !== text))}>
                Remove<span class="hidden"> {text}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {texts.length === 0 && <p class="faint">None.</p>}
      <form class="row" onSubmit={add}>
        <input id={id} type="text" value={next} onInput={(event) => setNext(event.currentTarget.value)} />
        <button type="submit">Add</button>
        <button
          type="button"
          class="main"
          disabled={JSON.stringify(texts) === JSON.stringify(usual)}
          onClick={() => onSet([...texts])}
        >
          Set {param.name} …
        </button>
      </form>
    </div>
  )
}

const valueText = (value: unknown) =>
  Array.isArray(value) ? (value.length === 0 ? 'none' : value.join(', ')) : String(value)
