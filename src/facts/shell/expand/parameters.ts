import type { ParameterExpansionPart, ParameterOperation, SimpleExpansionPart, Word } from 'unbash'
import { shellLimits } from '../../../model/limits.ts'
import { type Context, note, stepForEach } from '../state/context.ts'
import type { State, Variable } from '../state/state.ts'
import { arithmeticKey, assign, isName, variableOf } from '../state/variables.ts'
import {
  deriveText,
  empty,
  isKnown,
  literal,
  namedText,
  ofUnknownName,
  onlyValue,
  type ShellText,
  sourcesOfAll,
  type Texts,
  unknown,
  unset,
} from '../values/text.ts'
import { unknownPart } from '../../../model/shell.ts'
import { removed, replacePattern } from '../values/glob.ts'
import { quotedWord } from '../../../model/text.ts'

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

/** One possible expansion of a parameter: one text, or with `list` one text for each element. */
export interface ParameterList {
  readonly texts: readonly ShellText[]
  readonly list?: true
  readonly several?: true
}

/** Expands a word inside a parameter expansion. */
type Operand = (word: Word) => Texts

/** Applies an operation such as `:-`, `#` or `/` to each possible expansion of a parameter. */
function applyOperation(
  context: Context,
  state: State,
  name: string,
  base: readonly ParameterList[],
  operation: ParameterOperation,
  operand: Operand,
): readonly ParameterList[] {
  switch (operation.type) {
    case 'Default':
      return applyDefault(context, state, name, base, operation, operand)
    case 'Slice':
      return applySlice(context, state, name, base, operation, operand)
    case 'Remove': {
      const pattern = patternOf(operand(operation.operand))
      return mapElements(base, (value) =>
        pattern === undefined ? undefined : removed(value, pattern, operation.operator),
      )
    }
    case 'Replace': {
      const pattern = patternOf(operand(operation.pattern))
      const replacement = onlyValue(operand(operation.replacement))
      return mapElements(base, (value) =>
        pattern === undefined || replacement === undefined
          ? undefined
          : replacePattern(value, pattern, replacement, operation.operator),
      )
    }
    case 'CaseModification': {
      if (operation.operand !== undefined && operation.operand.text !== '') {
        operand(operation.operand)
        return mapElements(base, () => undefined)
      }
      return mapElements(base, (value) => changeCase(value, operation.operator))
    }
    case 'Transform':
      if (operation.operand.text === 'P' && base.some(({ texts }) => texts.some(({ value }) => /\$\(|`/.test(value))))
        note(context, 'an expansion runs text as code')
      return mapElements(base, (value) => applyTransform(value, operation.operand.text))
    case 'Names':
    case 'Unknown':
      return mapElements(base, () => undefined)
  }
}

function patternOf(texts: Texts): string | undefined {
  const [text] = texts
  return texts.length === 1 && isKnown(text) ? (text.pattern ?? text.value) : undefined
}

function mapElements(
  base: readonly ParameterList[],
  change: (value: string) => string | undefined,
): readonly ParameterList[] {
  return base.map((one) => ({
    ...one,
    texts: one.texts.map((text) => {
      const value = isKnown(text) ? change(text.value) : undefined
      return value === undefined ? unknown(text.variable, text.from) : deriveText(text, value)
    }),
  }))
}

function applyDefault(
  context: Context,
  state: State,
  name: string,
  base: readonly ParameterList[],
  { operator, operand: word }: Extract<ParameterOperation, { type: 'Default' }>,
  operand: Operand,
): readonly ParameterList[] {
  const colon = operator.startsWith(':')
  const lacks = (one: ParameterList): boolean | undefined => {
    if (one.texts.length === 0) return one.several === true ? undefined : true
    const [text = empty] = one.texts
    if (one.texts.length > 1 || text.unset === true) return text.unset === true
    if (text.value === '') return colon
    if (text.value === unknownPart && text.variable !== undefined) return undefined
    return isKnown(text) || text.value !== unknownPart ? false : undefined
  }
  const out: ParameterList[] = []
  let expanded: Texts | undefined
  const other = () => (expanded ??= operand(word))
  for (const one of base) {
    const missing = lacks(one)
    if (operator.endsWith('+')) {
      if (missing !== true) out.push(...other().map((text) => ({ texts: [text] })))
      if (missing !== false) out.push({ texts: [empty] })
      continue
    }
    if (missing !== true) out.push(one)
    if (missing === false) continue
    if (operator.endsWith('?')) {
      other()
      if (missing === true) out.push({ texts: [empty] })
    } else out.push(...other().map((text) => ({ texts: [text] })))
  }
  if (operator.endsWith('=') && isName(name)) {
    const [first, ...rest] = out.map(({ texts }) => texts[0] ?? empty)
    if (first !== undefined) assign(context, state, name, [first, ...rest])
  }
  return out
}

function applySlice(
  context: Context,
  state: State,
  name: string,
  base: readonly ParameterList[],
  operation: Extract<ParameterOperation, { type: 'Slice' }>,
  operand: Operand,
): readonly ParameterList[] {
  const number = (word: Word | undefined): number | undefined => {
    const text = word === undefined ? undefined : onlyValue(operand(word))?.trim()
    if (text === undefined) return undefined
    if (/^-?\d+$/.test(text)) return Number(text)
    const value = isName(text) ? onlyValue(variableOf(context, state, text).texts) : undefined
    return value !== undefined && /^-?\d+$/.test(value) ? Number(value) : undefined
  }
  const offset = number(operation.offset)
  const length = number(operation.length)
  const known = offset !== undefined && (operation.length === undefined || length !== undefined)
  const cut = <T extends { readonly length: number }>(
    all: T,
    slice: (from: number, to: number) => T,
    from: number,
  ): T => {
    const start = from < 0 ? Math.max(0, all.length + from) : from
    const end = length === undefined ? all.length : length < 0 ? all.length + length : start + length
    return slice(start, Math.max(start, end))
  }
  return base.map((one) => {
    if (!known || one.several === true)
      return { ...one, texts: one.texts.map((text) => unknown(text.variable, text.from)) }
    if (one.list !== true) {
      return mapElements([one], (value) => cut(value, (from, to) => value.slice(from, to), offset))[0] ?? one
    }
    const { texts } = one
    // The first element of "$@" is $1, while offset 0 means $0.
    const from = offset > 0 && name === '@' ? offset - 1 : offset
    return { ...one, texts: cut(texts, (start, to) => texts.slice(start, to), from) }
  })
}

function changeCase(value: string, operator: '^' | '^^' | ',' | ',,'): string {
  if (operator === '^^') return value.toUpperCase()
  if (operator === ',,') return value.toLowerCase()
  const first = value.charAt(0)
  return (operator === '^' ? first.toUpperCase() : first.toLowerCase()) + value.slice(1)
}

function applyTransform(value: string, operator: string): string | undefined {
  if (operator === 'U') return value.toUpperCase()
  if (operator === 'u') return changeCase(value, '^')
  if (operator === 'L') return value.toLowerCase()
  if (operator === 'Q') return quotedWord(value)
  return undefined
}
