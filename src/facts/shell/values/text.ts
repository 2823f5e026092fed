import { shellLimits } from '../../../model/limits.ts'
import { escapeGlob } from '../../../model/text.ts'
import { type ShellWord, unknownPart } from '../../../model/shell.ts'

/** The provenance of a text: a command whose output is in it, and how the output got there. */
export interface TextSource {
  readonly command: number
  readonly via: 'argument' | 'variable'
}

/** One possible value of a variable, a part of a word, or an output. */
export interface ShellText {
  /** The value, with `unknownPart` in place of unknown parts. */
  readonly value: string
  /** The glob that the value matches, if it is the result of one: the variable of `for f in /*`. */
  readonly pattern?: string
  /** The variable that the unknown part comes from, if there is only one. */
  readonly variable?: string
  /** The variables that the unknown parts come from, if there are several. `unknownPart` is a variable of unknown name. */
  readonly variables?: readonly string[]
  readonly from?: readonly TextSource[]
  /** The variable is unset; `value` is then empty. */
  readonly unset?: true
}

/** A word of a command, with the commands whose output is in it. */
export interface Field {
  readonly word: ShellWord
  readonly from?: readonly TextSource[]
}

/** A non-empty set of possible values. */
export type Texts = readonly [ShellText, ...ShellText[]]

export const empty: ShellText = { value: '' }
export const unset: ShellText = { value: '', unset: true }
export const unsetOnly: Texts = [unset]

export const literal = (value: string): ShellText => ({ value })

export const unknown = (variable?: string, from?: readonly TextSource[]): ShellText => ({
  value: unknownPart,
  ...(variable !== undefined && { variable }),
  ...(from !== undefined && from.length > 0 && { from }),
})

export const isKnown = (text: ShellText): boolean => !text.value.includes(unknownPart)

/** A variable whose name is not known: `${!v}`. */
export const ofUnknownName: ShellText = { value: unknownPart, variables: [unknownPart] }

/** Returns the only possible value, if there is exactly one and it is fully known. */
export function onlyValue(texts: Texts): string | undefined {
  return texts.length === 1 && isKnown(texts[0]) && texts[0].pattern === undefined ? texts[0].value : undefined
}

/** Makes a text that inherits the provenance of another. */
export function deriveText(of: ShellText, value: string): ShellText {
  if (of.from === undefined && of.variable === undefined && of.variables === undefined) return { value }
  return {
    value,
    ...(of.from !== undefined && { from: of.from }),
    ...(value.includes(unknownPart) && namesOf(of)),
  }
}

/** Returns a text, or an unknown one in place of a text that is too long. */
export function bounded(text: ShellText): ShellText {
  return text.value.length > shellLimits.valueCharactersMax ? unknown(text.variable, text.from) : text
}

export function concatenate(a: ShellText, b: ShellText): ShellText {
  if (a.value === '' && a.from === undefined) return b.unset === true ? empty : b
  if (b.value === '' && b.from === undefined) return a.unset === true ? empty : a
  if (a.value.length + b.value.length > shellLimits.valueCharactersMax) return unknown(undefined, joinSources(a, b))
  const variable = isKnown(a) ? b.variable : isKnown(b) || a.variable === b.variable ? a.variable : undefined
  const from = joinSources(a, b)
  const value = a.value + b.value
  const pattern =
    a.pattern === undefined && b.pattern === undefined
      ? undefined
      : (a.pattern ?? escapeGlob(a.value)) + (b.pattern ?? escapeGlob(b.value))
  return {
    value,
    ...(pattern !== undefined && { pattern }),
    ...(variable === undefined ? joinNames(a, b) : { variable }),
    ...(from !== undefined && { from }),
  }
}

type VariableNames = Pick<ShellText, 'variable' | 'variables'>

/** Returns the fields that name the variables of a text's unknown parts. */
export const namesOf = ({ variable, variables }: VariableNames): VariableNames =>
  variables === undefined ? (variable === undefined ? {} : { variable }) : { variables }

function joinNames(...texts: readonly ShellText[]): VariableNames {
  const names = texts.flatMap(({ variable, variables }) => variables ?? (variable === undefined ? [] : [variable]))
  return names.length === 0 ? {} : { variables: [...new Set(names)].slice(0, shellLimits.sourcesMax) }
}

function joinSources(a: ShellText, b: ShellText): readonly TextSource[] | undefined {
  if (a.from === undefined) return b.from
  if (b.from === undefined || b.from === a.from) return a.from
  const more = b.from.filter((one) => !a.from?.some(({ command, via }) => command === one.command && via === one.via))
  if (more.length === 0) return a.from
  const all = [...a.from, ...more]
  return all.length <= shellLimits.sourcesMax ? all : [...all.slice(0, shellLimits.sourcesMax), moreSources]
}
/** Stands for the sources beyond `shellLimits.sourcesMax`. Code that turns it into a flow must note the uncertainty. */
const moreSources: TextSource = { command: -1, via: 'variable' }

/** Returns the sources of all texts together. */
export const sourcesOfAll = (texts: readonly ShellText[]): readonly TextSource[] | undefined =>
  texts.reduce((all, text) => unknown(undefined, joinSources(all, text)), unknown()).from

/** Makes one text of several: what all of them begin with, and an unknown rest. Empty texts do not count. */
export function commonText(texts: Texts): ShellText {
  const [first, ...rest] = texts
  if (rest.length === 0) return first
  const values = texts.map(({ value }) => value).filter((value) => value !== '')
  const [one = ''] = values
  let length = 0
  while (length < one.length && values.every((value) => value[length] === one[length])) length++
  const from = sourcesOfAll(texts)
  return { value: one.slice(0, length) + unknownPart, ...(from !== undefined && { from }) }
}

/** Returns true if two texts are equal but for their sources. */
const isSame = (a: ShellText, b: ShellText): boolean =>
  a === b ||
  (a.value === b.value &&
    a.unset === b.unset &&
    a.variable === b.variable &&
    a.variables?.join(' ') === b.variables?.join(' '))

const hasSameSources = ({ from: a = [] }: ShellText, { from: b = [] }: ShellText): boolean =>
  a === b || (a.length === b.length && a.every(({ command }, at) => command === b[at]?.command))

export function sameTexts(a: Texts, b: Texts): boolean {
  if (a === b) return true
  return (
    a.length === b.length &&
    a.every((one, at) => {
      const other = b[at] ?? unset
      return isSame(one, other) && hasSameSources(one, other)
    })
  )
}

/** Returns the union of both sets; beyond `shellLimits.possibleMax`, an unknown value replaces the rest. */
export function joinTexts(a: Texts, b: Texts): Texts {
  if (a === b) return a
  const more = b.filter((one) => !a.some((other) => isSame(one, other) && hasSameSources(one, other)))
  return more.length === 0 ? a : distinctTexts([...a, ...more])
}

/**
 * Merges equal texts into one that keeps the sources of all. Beyond `shellLimits.possibleMax`, one unknown value replaces
 * the rest.
 */
export function distinctTexts(texts: readonly ShellText[]): Texts {
  const [first, ...rest] = texts
  if (first === undefined) return unsetOnly
  if (rest.length === 0) return [first]
  const distinct: [ShellText, ...ShellText[]] = [first]
  for (const one of rest) {
    const at = distinct.findIndex((other) => isSame(one, other))
    const [equal] = distinct.slice(at)
    if (at !== -1 && equal !== undefined) {
      const from = joinSources(equal, one)
      if (from !== equal.from && from !== undefined) distinct[at] = { ...equal, from }
    } else if (distinct.length < shellLimits.possibleMax) distinct.push(one)
    else {
      distinct[distinct.length - 1] = unknown(undefined, sourcesOfAll(texts))
      break
    }
  }
  return distinct
}

/** Concatenates every text of the first set with every text of the second. */
export function concatenateEach(a: Texts, b: Texts): Texts {
  if (a.length === 1 && b.length === 1) return [concatenate(a[0], b[0])]
  return distinctTexts(a.flatMap((one) => b.map((other) => concatenate(one, other))))
}

export function mapTexts(texts: Texts, change: (text: ShellText) => ShellText): Texts {
  return texts.length === 1 ? [change(texts[0])] : distinctTexts(texts.map(change))
}

/** Marks a text's sources as coming through a variable. */
export function fromVariable(text: ShellText): ShellText {
  if (text.from === undefined || text.from.every(({ via }) => via === 'variable')) return text
  return { ...text, from: text.from.map(({ command }): TextSource => ({ command, via: 'variable' })) }
}

/** Tags an entirely unknown text with the name of the variable it comes from. */
export function namedText(text: ShellText, name: string): ShellText {
  if (text.variable !== undefined || text.variables !== undefined || text.value !== unknownPart) return text
  return { ...fromVariable(text), variable: name }
}

/** Converts a field to a text, as assignments and `case` use it. */
export function textOf({ word, from = sourcesOf(word) }: Field): ShellText {
  return {
    value: word.value,
    ...(word.pattern !== undefined && { pattern: word.pattern }),
    ...namesOf(word),
    ...(from !== undefined && { from }),
  }
}

export function wordOf(text: ShellText): ShellWord {
  if (isKnown(text)) return { value: text.value }
  return {
    value: text.value,
    unresolved: true,
    ...namesOf(text),
    ...originOf(text),
  }
}

/** Returns the origin of a text's unknown part, as a field of its word. */
export function originOf({ from }: ShellText): Pick<ShellWord, 'from'> {
  if (from === undefined) return {}
  const commands = new Set(from.flatMap(({ command }) => (command < 0 ? [] : [command])))
  return commands.size === 0 ? {} : { from: [...commands] }
}

/** Returns the sources of a word that another program hands over, such as a parameter of `sh -c`. */
const sourcesOf = ({ from }: ShellWord): readonly TextSource[] | undefined =>
  from?.map((command) => ({ command, via: 'variable' }))

export const fieldOfText = (text: ShellText): Field => ({
  word: wordOf(text),
  ...(text.from !== undefined && { from: text.from }),
})
