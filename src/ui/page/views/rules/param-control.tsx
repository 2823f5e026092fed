import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { type OfferedChange, offerChange } from '../../changes.ts'
import { Coded } from '../../parts/coded.tsx'
import { Text } from '../../parts/text.tsx'
import type { PackParam } from './shown-rules.ts'

type ParamValue = Extract<OfferedChange, { kind: 'param' }>['value']

interface ControlProps {
  readonly id: string
  readonly param: PackParam
  readonly onSet: (value: ParamValue) => void
}

/** A param of a pack: what it is, what it is set to, and a control of its own type. */
export function ParamControl({ pack, param }: { readonly pack: string; readonly param: PackParam }): JSX.Element {
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
