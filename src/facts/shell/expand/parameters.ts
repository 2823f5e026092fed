import type { ParameterExpansionPart, SimpleExpansionPart, Word } from 'unbash'
import { shellLimits } from '../../../model/limits.ts'
import { type Context, note, stepForEach } from '../state/context.ts'
import type { State, Variable } from '../state/state.ts'
import { arithmeticKey, variableOf } from '../state/variables.ts'
import {
  empty,
  isKnown,
  namedText,
  literal,
  ofUnknownName,
  onlyValue,
  sourcesOfAll,
  type Texts,
  unknown,
  unset,
} from '../values/text.ts'
import { type Operand, applyOperation, type ParameterList } from './operations.ts'
import { unknownPart } from '../../../model/shell.ts'

/** Returns all possible expansions of `$x` or `${x…}`. Words inside it are expanded, which runs their substitutions. */
export function parameterLists(
  context: Context,
  state: State,
  part: SimpleExpansionPart | ParameterExpansionPart,
  quoted: boolean,
  operand: Operand,
): readonly ParameterList[] {
  if (part.type === 'SimpleExpansion') return listsOf(context, state, part.text.slice(1), undefined, quoted)
  const { operation, prefix } = part
  // In zsh, `${(P)v}` is what `${!v}` is in bash.
  const [, flags = '', ofZsh] =
    operation?.type === 'Unknown' ? (/^\(([a-zA-Z@]+)\)(\w+)$/.exec(operation.operator) ?? []) : []
  const named = flags.includes('P') ? ofZsh : undefined
  const parameter = named ?? part.parameter
  const index = part.index === undefined ? undefined : indexOf(part.index, operand)
  if (operation?.type === 'Names') return namesOf(context, state, part)
  if (prefix === '#') return lengths(listsOf(context, state, parameter, index, false), parameter, index)
  let base: readonly ParameterList[]
  if (prefix === '!' || named !== undefined) {
    if (index === '@' || index === '*') return keysOf(context, state, parameter)
    const names = listsOf(context, state, parameter, index, true).map(({ texts }) => texts[0] ?? unset)
    base = names.flatMap((name) =>
      isKnown(name) && name.value !== ''
        ? listsOf(context, state, name.value, undefined, quoted)
        : [{ texts: [ofUnknownName] }],
    )
  } else base = listsOf(context, state, parameter, index, quoted)
  return operation === undefined || named !== undefined
    ? base
    : applyOperation(context, state, parameter, base, operation, operand)
}

const indexOf = (word: Word, operand: Operand): string | undefined =>
  word.text === '@' || word.text === '*' ? word.text : (onlyValue(operand(word)) ?? unknownPart)

function listsOf(
  context: Context,
  state: State,
  name: string,
  index: string | undefined,
  quoted: boolean,
): readonly ParameterList[] {
  const each = (texts: Texts): readonly ParameterList[] => texts.map((text) => ({ texts: [namedText(text, name)] }))
  if (name === '@' || name === '*') {
    const { list, open } = state.parameters
    return elements(context, state, list, name, open === true, quoted)
  }
  if (/^\d+$/.test(name)) {
    const { list, open, name: own } = state.parameters
    if (name === '0') return each(own ?? [literal('bash')])
    return each(list[Number(name) - 1] ?? [open === true ? unknown(name, list.at(-1)?.[0].from) : unset])
  }
  if (name === '#') {
    return [{ texts: [state.parameters.open === true ? unknown() : literal(String(state.parameters.list.length))] }]
  }
  if (name === '_' && !isPlain(context)) return [{ texts: [unknown()] }]
  if (/^[?$!_-]$/.test(name) || /^(RANDOM|SECONDS|BASHPID|PPID|UID|EUID|LINENO|PIPESTATUS|REPLY_UNSET)$/.test(name)) {
    return [{ texts: [unknown(name)] }]
  }
  const variable = variableOf(context, state, name)
  if (index === undefined)
    return each(variable.items === undefined ? variable.texts : (variable.items.get('0') ?? [unset]))
  if (index === '@' || index === '*') {
    const items =
      variable.items === undefined ? (isUnset(variable) ? [] : [variable.texts]) : elementsOf(context, variable.items)
    return elements(context, state, items, index, variable.open === true, quoted)
  }
  if (variable.items === undefined) return each(index === '0' || isUnset(variable) ? variable.texts : [unknown(name)])
  const count = variable.items.size
  const key = /^-\d+$/.test(index) && variable.open !== true ? String(count + Number(index)) : index
  const item = variable.items.get(arithmeticKey(context, state, key))
  const [first] = variable.texts
  return each(item ?? [variable.open === true || key.includes(unknownPart) ? unknown(name, first.from) : unset])
}

/** True if `$_`, the last word of the command before, is no more than a name: what takes it for code gets none. */
function isPlain({ commands }: Context): boolean {
  const before = commands.at(-1)
  const last = before?.args.at(-1)
  return last === undefined || (last.unresolved !== true && /^[\w./:~+=-]*$/.test(last.value))
}

const isUnset = ({ texts }: Variable): boolean => texts.length === 1 && texts[0].unset === true

function elements(
  context: Context,
  state: State,
  items: readonly Texts[],
  index: string,
  more: boolean,
  quoted: boolean,
): readonly ParameterList[] {
  const tooMany = items.length > shellLimits.fieldsMax
  if (tooMany) note(context, 'a list has more words than are analyzed')
  const texts = items
    .slice(0, shellLimits.fieldsMax)
    .map((one) => (one.length === 1 ? one[0] : unknown(undefined, sourcesOfAll(one))))
  const open = more || tooMany
  const filled = texts.filter((text) => quoted || text.value !== '')
  if (!quoted || index === '@') return [{ texts: filled, list: true, ...(open && { several: true }) }]
  const ifs = onlyValue(variableOf(context, state, 'IFS').texts)
  const separator = ifs === undefined ? ' ' : ifs.charAt(0)
  const value = texts.map((text) => text.value).join(separator) + (open ? unknownPart : '')
  const from = texts.flatMap((text) => text.from ?? [])
  return [{ texts: [{ value, ...(from.length > 0 && { from }) }] }]
}

function elementsOf(context: Context, items: Variable['items'] & {}): readonly Texts[] {
  stepForEach(context, items.size)
  return [...items.values()]
}

function namesOf(context: Context, state: State, part: ParameterExpansionPart): readonly ParameterList[] {
  stepForEach(context, state.variables.size)
  const names = [...state.variables.keys()].filter((name) => name.startsWith(part.parameter)).toSorted()
  return [{ texts: names.map(literal), list: true, several: true }]
}

function keysOf(context: Context, state: State, name: string): readonly ParameterList[] {
  const { items, open } = variableOf(context, state, name)
  if (items === undefined) return [{ texts: [unknown(name)], list: true, several: true }]
  stepForEach(context, items.size)
  return [{ texts: [...items.keys()].map(literal), list: true, ...(open && { several: open }) }]
}

function lengths(
  lists: readonly ParameterList[],
  parameter: string,
  index: string | undefined,
): readonly ParameterList[] {
  const counts = index === '@' || index === '*' || parameter === '@' || parameter === '*'
  return lists.map(({ texts, several }) => {
    if (counts) return { texts: [several === true ? unknown() : literal(String(texts.length))] }
    const [text = empty] = texts
    return { texts: [isKnown(text) ? literal(String(text.value.length)) : unknown()] }
  })
}
