import type { ParameterOperation, Word } from 'unbash'
import { type Context, note } from '../state/context.ts'
import type { State } from '../state/state.ts'
import { assign, variableOf, isName } from '../state/variables.ts'
import { removed, replacePattern } from '../values/glob.ts'
import { deriveText, empty, isKnown, onlyValue, type ShellText, type Texts, unknown } from '../values/text.ts'
import { quotedWord } from '../../../model/text.ts'
import { unknownPart } from '../../../model/shell.ts'

/** One possible expansion of a parameter: one text, or with `list` one text for each element. */
export interface ParameterList {
  readonly texts: readonly ShellText[]
  readonly list?: true
  readonly several?: true
}

/** Expands a word inside a parameter expansion. */
export type Operand = (word: Word) => Texts

/** Applies an operation such as `:-`, `#` or `/` to each possible expansion of a parameter. */
export function applyOperation(
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
