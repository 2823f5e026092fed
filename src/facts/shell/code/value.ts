import { codeLimits } from '../../../model/limits.ts'
import { unknownPart } from '../../../model/shell.ts'

/** What is known of an expression of any language. */
export type Value =
  /** Any of these texts, `unknownPart` for what is not known of them. `path`: an object of the language's paths. */
  | { readonly kind: 'text'; readonly texts: readonly string[]; readonly path?: true }
  /** `or`: lists that it may be as well. */
  | { readonly kind: 'list'; readonly items: readonly Value[]; readonly or?: readonly (readonly Value[])[] }
  | { readonly kind: 'map'; readonly entries: ReadonlyMap<string, Value> }
  | { readonly kind: 'number'; readonly number: number }
  /** A module, a function or a class, by its whole name. */
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'unknown' }

type List = Value & { readonly kind: 'list' }

export const unknown: Value = { kind: 'unknown' }
export const unknownText: Value = { kind: 'text', texts: [unknownPart] }
/** A name that is longer than any that is known is not known. */
export const named = (name: string): Value => (name.length > codeLimits.nameMax ? unknown : { kind: 'name', name })
export const list = (items: readonly Value[]): List => ({ kind: 'list', items: fewItems(items) })

/** A text, or one of several. */
export function text(...texts: readonly string[]): Value {
  return { kind: 'text', texts: bounded(texts) }
}

/** As a path object of the language. */
export const path = (texts: readonly string[]): Value => ({ kind: 'text', texts: bounded(texts), path: true })

/**
 * Stands for texts that are more, or longer, than are looked at. Nothing is known of them, and where one is a path or is run,
 * that is said: `found.ts` looks for the second character, which is a noncharacter as the first is.
 */
const leftOutPart = `${unknownPart}\uFDD1`
export const isLeftOut = (one: string): boolean => one.includes('\uFDD1')
export const withoutMark = (one: string): string => one.replaceAll('\uFDD1', '')

/**
 * Stands for every name in a folder that code goes through, where `unknownPart` is some name of which nothing is known. Twice,
 * it is every way down.
 */
export const everyPart = '\uFDD2'
export const withoutEvery = (one: string): string => one.replaceAll(everyPart, unknownPart)

function bounded(texts: readonly string[]): readonly string[] {
  const few = new Set<string>()
  for (const one of texts) {
    if (few.size < codeLimits.alternativesMax) few.add(one.length > codeLimits.valueMax ? leftOutPart : one)
    else if (!few.has(one)) return [...few, leftOutPart]
  }
  return [...few]
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
  const texts = joinedTexts(textsOf(left), textsOf(right), (one, other) => fewUnknown(join(one, other)))
  const isPath = (left?.kind === 'text' && left.path === true) || (right?.kind === 'text' && right.path === true)
  return isPath ? path(texts) : text(...texts)
}

/** As many as tell that there are too many of them: few, for they are made in every expression. */
function joinedTexts(
  left: readonly string[],
  right: readonly string[],
  join: (left: string, right: string) => string,
): readonly string[] {
  const texts = new Set<string>()
  let tries = 0
  for (const one of left) {
    for (const other of right) {
      if (texts.size > codeLimits.alternativesMax || tries++ > codeLimits.alternativesMax * 4)
        return [...texts, leftOutPart]
      texts.add(join(one, other))
    }
  }
  return [...texts]
}

/** Parts side by side of which nothing is known are one. */
const fewUnknown = (one: string): string =>
  !one.includes(unknownPart)
    ? one
    : one.replaceAll(/[\uFDD0\uFDD1]{2,}/g, (run) => (isLeftOut(run) ? leftOutPart : unknownPart))

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
  if (left.kind === 'list' && right.kind === 'list') return anyOf([...listsOf(left), ...listsOf(right)])
  return left
}

/** What a loop's variable is while the loop goes through a value. */
export function elementOf(value: Value): Value {
  if (value.kind !== 'list') return value.kind === 'text' && value.path === true ? value : unknown
  const [first, ...others] = listsOf(value).flat()
  return first === undefined ? unknown : others.reduce(either, first)
}

/** All lists that a list may be. */
export const listsOf = ({ items, or }: List): readonly (readonly Value[])[] =>
  or === undefined ? [items] : [items, ...or]

/** A list that may be any of these. */
function anyOf([first = [], ...or]: readonly (readonly Value[])[]): Value {
  const isCut = or.length >= codeLimits.alternativesMax
  const few = isCut ? [...or.slice(0, codeLimits.alternativesMax), [leftOutText]] : or
  return few.length === 0 ? list(first) : { ...list(first), or: few }
}

/** One list behind another. */
export function concatenated(left: List, right: List): Value {
  const lists: (readonly Value[])[] = []
  for (const one of listsOf(left)) {
    for (const other of listsOf(right)) {
      if (lists.length > codeLimits.alternativesMax) return anyOf(lists)
      lists.push(fewItems([...one, ...other]))
    }
  }
  return anyOf(lists)
}

/** What is more than is looked at, as a value. */
export const leftOutText: Value = { kind: 'text', texts: [leftOutPart] }

const fewItems = (items: readonly Value[]): readonly Value[] =>
  items.length <= codeLimits.itemsMax ? items : [...items.slice(0, codeLimits.itemsMax), leftOutText]

export const isTrue = (value: Value | undefined): boolean =>
  (value?.kind === 'name' && /^(?:true|yes)$/i.test(value.name)) ||
  (value?.kind === 'number' && value.number !== 0) ||
  (value?.kind === 'text' && value.texts[0] !== '')

/** One path behind another, as every language's `join` has it. */
export const joinPath = (left: string, right: string): string => {
  if (right.startsWith('/') || left === '') return right
  return right === '' ? left : `${left.replace(/\/+$/, '')}/${right.replace(/^\.\//, '')}`
}
