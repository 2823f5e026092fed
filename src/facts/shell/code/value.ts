import { codeLimits } from '../../../model/code-limits.ts'
import { type ShellWord, unknownPart } from '../../../model/shell.ts'

/** What is known of an expression of any language. */
export type Value =
  /** Any of these texts, `unknownPart` for what is not known of them. `path`: an object of the language's paths. */
  | { readonly kind: 'text'; readonly texts: readonly string[]; readonly path?: true }
  | { readonly kind: 'list'; readonly items: readonly Value[] }
  | { readonly kind: 'map'; readonly entries: ReadonlyMap<string, Value> }
  | { readonly kind: 'number'; readonly number: number }
  /** A module, a function or a class, by its whole name. */
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'unknown' }

export const unknown: Value = { kind: 'unknown' }
export const unknownText: Value = { kind: 'text', texts: [unknownPart] }
/** A name that is longer than any that is known is not known. */
export const named = (name: string): Value => (name.length > codeLimits.nameMax ? unknown : { kind: 'name', name })
export const list = (items: readonly Value[]): Value => ({ kind: 'list', items })

/** A text, or one of several. */
export function text(...texts: readonly string[]): Value {
  return { kind: 'text', texts: bounded(texts) }
}

/** As a path object of the language. */
export const path = (texts: readonly string[]): Value => ({ kind: 'text', texts: bounded(texts), path: true })

function bounded(texts: readonly string[]): readonly string[] {
  const few = [...new Set(texts)].slice(0, codeLimits.alternativesMax)
  return few.map((one) => (one.length > codeLimits.valueMax ? unknownPart : one))
}

/** The texts that a value may be: what is no text is not known. */
export function textsOf(value: Value | undefined): readonly string[] {
  if (value === undefined) return [unknownPart]
  switch (value.kind) {
    case 'text':
      return value.texts.length === 0 ? [unknownPart] : value.texts
    case 'number':
      return [String(value.number)]
    case 'list':
    case 'map':
    case 'name':
    case 'unknown':
      return [unknownPart]
  }
}

/** Texts made of two values' texts, each with each. */
export function combine(
  left: Value | undefined,
  right: Value | undefined,
  join: (left: string, right: string) => string,
): Value {
  const texts = textsOf(left).flatMap((one) => textsOf(right).map((other) => fewUnknown(join(one, other))))
  const isPath = (left?.kind === 'text' && left.path === true) || (right?.kind === 'text' && right.path === true)
  return isPath ? path(texts) : text(...texts)
}

/** Parts side by side of which nothing is known are one. */
const fewUnknown = (one: string): string => one.replaceAll(`${unknownPart}${unknownPart}`, unknownPart)

/** A text made of another. */
export function mapped(value: Value | undefined, change: (one: string) => string): Value {
  const texts = textsOf(value).map(change)
  return value?.kind === 'text' && value.path === true ? path(texts) : text(...texts)
}

/** What either may be. */
export function either(left: Value, right: Value): Value {
  if (left.kind === 'unknown') return right
  if (right.kind === 'unknown') return left
  if (left.kind === 'text' && right.kind === 'text') {
    return left.path === true ? path([...left.texts, ...right.texts]) : text(...left.texts, ...right.texts)
  }
  return left
}

/** What a loop's variable is while the loop goes through a value. */
export function elementOf(value: Value): Value {
  if (value.kind !== 'list') return value.kind === 'text' && value.path === true ? value : unknown
  const [first, ...others] = value.items
  return first === undefined ? unknown : others.reduce(either, first)
}

export function wordOf(one: string): ShellWord {
  return one.includes(unknownPart) ? { value: one, unresolved: true } : { value: one }
}

export const isTrue = (value: Value | undefined): boolean =>
  (value?.kind === 'name' && /^(?:true|yes)$/i.test(value.name)) ||
  (value?.kind === 'number' && value.number !== 0) ||
  (value?.kind === 'text' && value.texts[0] !== '')

/** One path behind another, as every language's `join` has it. */
export const joinPath = (left: string, right: string): string => {
  if (right.startsWith('/') || left === '') return right
  return right === '' ? left : `${left.replace(/\/+$/, '')}/${right.replace(/^\.\//, '')}`
}
