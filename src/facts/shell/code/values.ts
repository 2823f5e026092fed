import { codeLimits } from '../../../model/limits.ts'
import { unknownPart } from '../../../model/shell.ts'
import { withoutEnd } from '../../../model/text.ts'

/** One possible value of an expression. */
export type Form =
  /** A text, with `unknownPart` in place of unknown parts. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly Value[] }
  | { readonly kind: 'map'; readonly entries: ReadonlyMap<string, Value> }
  | { readonly kind: 'number'; readonly number: number }
  /** A module, function or class, by its full name. */
  | { readonly kind: 'name'; readonly name: string }
  /** Stands for values beyond a limit on their number or length. */
  | { readonly kind: 'leftOut' }

/** The set of an expression's possible values. Empty: unknown. */
export type Value = readonly Form[]

export const unknown: Value = []

/** Makes a text value. One that is too long becomes `leftOut`, which is reported where the value is used. */
export const text = (one: string): Value => [textForm(one)]
export const unknownText = text(unknownPart)
export const nameValue = (name: string): Value => (name.length > nameMax ? unknown : [{ kind: 'name', name }])
/** UTF-16 units of a dotted name. No known name is half as long. */
const nameMax = 128
export const list = (items: readonly Value[]): Value => [
  {
    kind: 'list',
    items: items.length <= codeLimits.itemsMax ? items : [...items.slice(0, codeLimits.itemsMax), [leftOut]],
  },
]

const leftOut: Form = { kind: 'leftOut' }

function textForm(one: string): Form {
  return one.length > codeLimits.valueMax ? leftOut : { kind: 'text', text: one }
}

/** Removes duplicates, and keeps the first `codeLimits.alternativesMax`, followed by `leftOut` if there are more. */
function bounded(forms: readonly Form[]): Value {
  const kept = new Map<unknown, Form>()
  for (const form of forms) {
    const key = form.kind === 'text' ? form.text : form.kind === 'leftOut' ? leftOut : form
    if (kept.has(key)) continue
    if (kept.size >= codeLimits.alternativesMax) return [...kept.values(), leftOut]
    kept.set(key, form)
  }
  return [...kept.values()]
}

/** Stands before and behind the name of a variable of the environment, behind the `unknownPart` that is its value. */
const nameSign = '\uFDD1'
const namePattern = new RegExp(`${nameSign}([^${nameSign}]*)${nameSign}`, 'g')

/** Returns the unknown value of a variable of the environment. Its name goes wherever the value does. */
export const unknownVariable = (name: string): string => `${unknownPart}${nameSign}${name}${nameSign}`

/** Returns a text without the names of variables in it. */
export const withoutNames = (one: string): string =>
  one.replaceAll(namePattern, '').replaceAll(manyUnknown, unknownPart)

/** Returns the names of the variables of the environment in a text. */
export const variablesIn = (one: string): readonly string[] =>
  [...one.matchAll(namePattern)].map(([, name = '']) => name)

/** Visits each text in a value, in its lists and in its maps. @param keys of the maps around the text */
export function eachText(value: Value, visit: (one: string, keys: readonly string[]) => void): void {
  const walk = (forms: Value, keys: readonly string[], depth: number): void => {
    for (const form of depth > nestedMax ? [] : forms) {
      if (form.kind === 'text') visit(form.text, keys)
      else if (form.kind === 'list') for (const item of form.items) walk(item, keys, depth + 1)
      else if (form.kind === 'map') for (const [key, entry] of form.entries) walk(entry, [...keys, key], depth + 1)
    }
  }
  walk(value, [], 0)
}
/** Lists and maps in each other: a request's body is hardly nested deeper. */
const nestedMax = 6

/** Returns what is made of values by a call that is not known: unknown, with the variables of the environment in them. */
export function madeOf(values: Iterable<Value>): Value {
  const names = new Set<string>()
  for (const value of values)
    eachText(value, (one) => {
      for (const name of variablesIn(one)) names.add(name)
    })
  return names.size === 0 ? unknown : text([...names].map(unknownVariable).join(''))
}

/** Converts texts and numbers to texts, and any other form to an unknown text. */
const textForms = (value: Value): readonly (Form & { readonly kind: 'text' | 'leftOut' })[] =>
  value.length === 0
    ? [{ kind: 'text', text: unknownPart }]
    : value.map((form) => {
        if (form.kind === 'text' || form.kind === 'leftOut') return form
        return { kind: 'text', text: form.kind === 'number' ? String(form.number) : unknownPart }
      })

/** Returns the possible texts of a value, with `unknownPart` for unknown ones. */
export const textsOf = (value: Value = unknown): readonly string[] =>
  textForms(value).map((form) => (form.kind === 'text' ? withoutNames(form.text) : unknownPart))

/** Returns a value's first text, with the names of variables in it. */
export const firstOf = (value: Value = unknown): string => {
  const [form] = textForms(value)
  return form?.kind === 'text' ? form.text : unknownPart
}

export const firstText = (value: Value | undefined): string => textsOf(value)[0] ?? unknownPart

/** Combines each text of one value with each of another. */
export function combine(left: Value, right: Value, join: (left: string, right: string) => string): Value {
  const forms: Form[] = []
  for (const one of textForms(left)) {
    for (const other of textForms(right)) {
      if (forms.length > codeLimits.alternativesMax) return bounded(forms)
      forms.push(
        one.kind === 'leftOut' || other.kind === 'leftOut'
          ? leftOut
          : textForm(join(one.text, other.text).replaceAll(manyUnknown, unknownPart)),
      )
    }
  }
  return bounded(forms)
}

/** Adjacent unknown parts, which are merged into one. */
const manyUnknown = new RegExp(`${unknownPart}{2,}`, 'g')

export const mapTexts = (value: Value = unknown, change: (one: string) => string): Value =>
  bounded(textForms(value).map((form) => (form.kind === 'text' ? textForm(change(form.text)) : form)))

/** Returns the union of two values, where the known one wins over an unknown one. */
export const either = (left: Value, right: Value): Value =>
  left.length === 0 ? right : right.length === 0 ? left : bounded([...left, ...right])

/** Returns the items of all lists that a value may be. */
export const itemsOf = (value: Value): readonly Value[] =>
  value.flatMap((form) => (form.kind === 'list' ? form.items : []))

/** Returns the value of a loop's variable while it iterates over a value. */
export const elementOf = (value: Value): Value =>
  value.reduce<Value>(
    (found, form) => either(found, form.kind === 'list' ? form.items.reduce(either, unknown) : [form]),
    unknown,
  )

/** Concatenates lists. */
export const concatenated = (left: Value, right: Value): Value =>
  bounded(
    left.flatMap((one) =>
      right.flatMap((other) =>
        one.kind === 'list' && other.kind === 'list' ? list([...one.items, ...other.items]) : [],
      ),
    ),
  )

/** Joins the items of each list that a value may be, with a separator. */
export const joinedTexts = (between: string, value: Value): Value =>
  bounded(
    value.flatMap((form) => {
      if (form.kind !== 'list') return unknownText
      const [first = text(''), ...others] = form.items
      return others.reduce((left, right) => combine(left, right, (one, other) => one + between + other), first)
    }),
  )

export const hasKind = (value: Value, ...kinds: readonly Form['kind'][]): boolean =>
  value.some(({ kind }) => kinds.includes(kind))

export const isTrue = (value: Value = unknown): boolean =>
  value.some(
    (form) =>
      (form.kind === 'name' && /^true$/i.test(form.name)) ||
      (form.kind === 'number' && form.number !== 0) ||
      (form.kind === 'text' && form.text !== ''),
  )

/** Joins two paths, as the languages' path functions do: an absolute right side replaces the left. */
export const joinPath = (left: string, right: string): string => {
  if (right.startsWith('/') || left === '') return right
  return right === '' ? left : `${withoutEnd(left, '/')}/${right.replace(/^\.\//, '')}`
}

/** Returns the items of a list from a known number on; of any other value, the value. */
export const sliced = (value: Value, from: Value): Value =>
  value.map((form) => {
    const [start] = from
    return form.kind === 'list' && start?.kind === 'number' ? { ...form, items: form.items.slice(start.number) } : form
  })
