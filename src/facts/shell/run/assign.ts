import type { Assignment } from 'unbash'
import { expandText, expandWord } from '../expand/words.ts'
import { concatenateEach, mapTexts, onlyValue, type Texts, textOf } from '../values/text.ts'
import type { Context, Frame } from '../state/context.ts'
import type { State } from '../state/state.ts'
import { SharedMap } from '../state/shared-map.ts'
import { arithmeticKey, assign, assignArray, assignItem, variableOf } from '../state/variables.ts'

/**
 * Carries out `name=value`, `name+=value`, `name[key]=value` and `name=(…)`.
 *
 * @param texts the value, if it has been expanded already
 */
export function assignFrom(
  context: Context,
  state: State,
  frame: Frame,
  { name, value, append, index }: Assignment,
  texts: Texts | undefined,
): void {
  if (value.type === 'ArrayValue') {
    arrayFrom(context, state, frame, name, value.elements, append === true)
    return
  }
  const given = texts ?? expandText(context, state, frame, value)
  if (index !== undefined) {
    const written = onlyValue(expandText(context, state, frame, index))
    const key = written === undefined ? undefined : arithmeticKey(context, state, written)
    const before = key === undefined ? undefined : variableOf(context, state, name).items?.get(key)
    assignItem(
      context,
      state,
      name,
      key,
      append === true && before !== undefined ? concatenateEach(before, given) : given,
    )
    return
  }
  if (append !== true) {
    assign(context, state, name, given)
    return
  }
  const { texts: before } = variableOf(context, state, name)
  assign(
    context,
    state,
    name,
    concatenateEach(
      mapTexts(before, (text) => (text.unset === true ? { value: '' } : text)),
      given,
    ),
  )
}

function arrayFrom(
  context: Context,
  state: State,
  frame: Frame,
  name: string,
  elements: Extract<Assignment['value'], { type: 'ArrayValue' }>['elements'],
  append: boolean,
): void {
  const before = append ? variableOf(context, state, name) : undefined
  let items =
    before?.items ??
    SharedMap.of<string, Texts>(before !== undefined && state.variables.has(name) ? [['0', before.texts]] : [])
  let open = before?.open === true
  let next = items.size
  for (const element of elements) {
    const keyed = /^\[([^\]]+)\]=/.exec(element.text)
    const ways = expandWord(context, state, frame, element)
    const [fields = []] = ways
    if (keyed !== null) {
      const text = fields[0]?.word.value ?? ''
      const key = (keyed[1] ?? '').replace(/^["']|["']$/g, '')
      items = items.with(key, [{ value: text.slice(text.indexOf(']=') + 2) }])
      continue
    }
    if (ways.length > 1) {
      const [first, ...rest] = ways.flatMap((one) => one.slice(0, 1).map(textOf))
      if (first !== undefined) items = items.with(String(next++), [first, ...rest])
      continue
    }
    for (const field of fields) {
      items = items.with(String(next++), [textOf(field)])
      open ||= field.word.several === true && field.word.pattern === undefined
    }
  }
  assignArray(context, state, name, items, open)
}
