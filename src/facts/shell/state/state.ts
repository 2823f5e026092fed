import type { CompoundCommand, CompoundList, Redirected } from 'unbash'
import { shellLimits } from '../../../model/limits.ts'
import type { ShellWord } from '../../../model/shell.ts'
import { type Folder, sameFolder } from '../../paths/index.ts'
import { SharedMap } from './shared-map.ts'
import { joinTexts, sameTexts, type ShellText, sourcesOfAll, type Texts, unknown, unsetOnly } from '../values/text.ts'

/** The abstract value of a shell variable. Immutable: it is replaced as a whole. */
export interface Variable {
  /** Its possible values; for an array, those of element 0. */
  readonly texts: Texts
  /** An array's elements by key, in their order. */
  readonly items?: SharedMap<string, Texts>
  /** The array may have further elements. */
  readonly open?: true
  readonly exported?: true
  /** The name of the variable that it is a reference to: `declare -n`. */
  readonly reference?: string
  readonly letters?: 'lower' | 'upper'
}

/** Identifies a place that collects what commands write: a pipe, a substitution, or a file. */
export interface Sink {
  readonly kind: 'pipe' | 'file'
}

/** The target of an open file descriptor. A descriptor without an entry is inherited from the shell's caller. */
export type Descriptor =
  | {
      readonly kind: 'file'
      readonly operator: '<' | '>' | '>>' | '<>'
      readonly target: ShellWord
      readonly sink?: Sink
    }
  /** An input with known content: a heredoc, a pipe's end, or with `named` a substitution that has a file name. */
  | { readonly kind: 'input'; readonly texts: Texts; readonly operator?: '<<' | '<<<'; readonly named?: true }
  | { readonly kind: 'sink'; readonly sink: Sink }
  | { readonly kind: 'closed' }

export interface ShellFunction {
  readonly name: string
  readonly body: CompoundCommand | Redirected | CompoundList
  /** The text that the body's positions refer to; `place` is its position in the outermost text, if that is another. */
  readonly source: string
  readonly place?: { readonly start: number; readonly end: number } | undefined
}

export interface Parameters {
  /** `$0`, if it is not the shell's own name. */
  readonly name?: Texts
  readonly list: readonly Texts[]
  /** There may be further parameters. */
  readonly open?: true
}

/** A shell's abstract state at one point of its script. Its parts are immutable and replaced, so that it is cheap to copy. */
export interface State {
  variables: SharedMap<string, Variable>
  /** Possible bodies of each function; `undefined` among them if the function may not be defined. */
  functions: SharedMap<string, readonly (ShellFunction | undefined)[]>
  /** Functions that child shells inherit: `export -f`. */
  exportedFunctions: SharedMap<string, true>
  aliases: SharedMap<string, string>
  /** The possible current folders. */
  folders: readonly Folder[]
  pushed: readonly Folder[]
  descriptors: SharedMap<number, Descriptor>
  parameters: Parameters
  outputs: SharedMap<Sink, Texts>
  /** Files that the script itself has written, by absolute path. */
  files: SharedMap<string, Sink>
  /** The environment holds nothing but `variables`: `env -i`. */
  bare: boolean
  /** `set -e` */
  exitsOnFailure: boolean
  /** Variables that the text has exported, if only for a while. */
  everExported: SharedMap<string, true>
  /** `set -a` */
  exportsAll: boolean
  /** A background process of this shell has not been waited for. */
  running: boolean
  /** A background process was left behind by a subshell or by `disown`, so no `wait` covers it. */
  detached: boolean
}

export function freshState(cwd: string, parameters: Parameters): State {
  return {
    variables: SharedMap.of(),
    functions: SharedMap.of(),
    exportedFunctions: SharedMap.of(),
    aliases: SharedMap.of(),
    folders: [cwd],
    pushed: [],
    descriptors: SharedMap.of(),
    parameters,
    outputs: SharedMap.of(),
    files: SharedMap.of(),
    bare: false,
    exitsOnFailure: false,
    everExported: SharedMap.of(),
    exportsAll: false,
    running: false,
    detached: false,
  }
}

export const copyState = (state: State): State => ({ ...state })

export function sameVariable(a: Variable | undefined, b: Variable | undefined): boolean {
  if (a === b) return true
  if (a === undefined || b === undefined) return false
  if (a.open !== b.open || a.exported !== b.exported || a.reference !== b.reference || a.letters !== b.letters)
    return false
  return sameTexts(a.texts, b.texts) && sameItems(a.items, b.items)
}

function sameItems(a: Variable['items'], b: Variable['items']): boolean {
  if (a === b) return true
  if (a === undefined || b === undefined || a.size !== b.size) return false
  return a.differences(b).every(([, one, other]) => sameTexts(one ?? unsetOnly, other ?? unsetOnly))
}

/** Joins the values of a variable at the ends of two paths. */
function joinVariables(a: Variable, b: Variable): Variable {
  const items = joinItems(a.items, b.items)
  return {
    ...a,
    texts: joinTexts(a.texts, b.texts),
    ...(items !== undefined && { items }),
    ...((a.open === true || b.open === true || (items !== undefined && !sameItems(a.items, b.items))) && {
      open: true,
    }),
    ...(b.exported === true && { exported: true }),
  }
}

function joinItems(a: Variable['items'], b: Variable['items']): Variable['items'] {
  if (b === undefined) return a
  const mine = a ?? b.emptied()
  const shared = mine.differences(b).filter(([, , other]) => other !== undefined)
  return mine.withAll(shared.map(([key, one, other]) => [key, joinTexts(one ?? unsetOnly, other ?? unsetOnly)]))
}

/**
 * Joins two states into one that covers both paths, by modifying and returning the first. `fallback` gives the value of
 * a variable that a path has not assigned. `joined` is called with the number of values that were joined.
 */
export function joinStates(
  a: State,
  b: State,
  fallback: (state: State, name: string) => Variable,
  joined: (values: number) => void,
): State {
  if (a === b) return a
  function joinMaps<K, V>(
    mine: SharedMap<K, V>,
    others: SharedMap<K, V>,
    join: (one: V | undefined, other: V | undefined, key: K) => V,
  ): SharedMap<K, V> {
    const different = mine.differences(others)
    joined(different.length)
    return mine.withAll(different.map(([key, one, other]) => [key, join(one, other, key)] as const))
  }
  const before = copyState(a)
  a.variables = joinMaps(a.variables, b.variables, (one, other, name) => {
    const [mine, others] = [one ?? fallback(before, name), other ?? fallback(b, name)]
    return one !== undefined && sameVariable(mine, others) ? mine : joinVariables(mine, others)
  })
  a.functions = joinMaps(a.functions, b.functions, (one, other) => [
    ...new Set([...(one ?? [undefined]), ...(other ?? [undefined])]),
  ])
  a.exportedFunctions = joinMaps(a.exportedFunctions, b.exportedFunctions, () => true)
  a.everExported = joinMaps(a.everExported, b.everExported, () => true)
  a.aliases = joinMaps(a.aliases, b.aliases, (one, other) => one ?? other ?? '')
  a.folders = sameFolders(a.folders, b.folders) ? a.folders : folders([...a.folders, ...b.folders])
  a.pushed = sameList(a.pushed, b.pushed) ? a.pushed : []
  a.descriptors = joinMaps(a.descriptors, b.descriptors, (one, other) => one ?? other ?? { kind: 'closed' })
  if (a.parameters !== b.parameters) {
    joined(a.parameters.list.length + b.parameters.list.length)
    a.parameters = joinParameters(a.parameters, b.parameters)
  }
  a.outputs = joinMaps(a.outputs, b.outputs, (one, other) => joinTexts(one ?? nothing, other ?? nothing))
  a.files = joinMaps(a.files, b.files, (one, other) => one ?? other ?? { kind: 'file' })
  a.exitsOnFailure &&= b.exitsOnFailure
  a.exportsAll ||= b.exportsAll
  a.running ||= b.running
  a.detached ||= b.detached
  return a
}

const nothing: Texts = [{ value: '' }]

function sameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a === b || (a.length === b.length && a.every((one, at) => one === b[at]))
}

export const sameFolders = (a: readonly Folder[], b: readonly Folder[]): boolean =>
  a === b || (a.length === b.length && a.every((one, at) => sameFolder(one, b[at])))

const sameEntries = <K, V>(a: SharedMap<K, V>, b: SharedMap<K, V>): boolean => a.differences(b).length === 0

/**
 * Tells whether a state is as an earlier one was: nothing that runs can tell them apart. What holds the same in other
 * objects may count as different.
 */
export function sameState(before: State, now: State): boolean {
  return (
    before.variables.differences(now.variables).every(([, one, other]) => sameVariable(one, other)) &&
    sameEntries(before.functions, now.functions) &&
    sameEntries(before.exportedFunctions, now.exportedFunctions) &&
    sameEntries(before.aliases, now.aliases) &&
    sameFolders(before.folders, now.folders) &&
    sameList(before.pushed, now.pushed) &&
    sameEntries(before.descriptors, now.descriptors) &&
    before.parameters === now.parameters &&
    // A pipe since then has ended with its commands: no descriptor leads to it.
    before.outputs
      .differences(now.outputs)
      .every(([{ kind }, one, other]) =>
        one === undefined ? kind === 'pipe' : other !== undefined && sameTexts(one, other),
      ) &&
    sameEntries(before.files, now.files) &&
    sameEntries(before.everExported, now.everExported) &&
    before.bare === now.bare &&
    before.exitsOnFailure === now.exitsOnFailure &&
    before.exportsAll === now.exportsAll &&
    before.running === now.running &&
    before.detached === now.detached
  )
}

/** Removes duplicates; beyond `shellLimits.foldersMax`, the rest is replaced with one unknown folder. */
export function folders(all: readonly Folder[]): readonly Folder[] {
  const distinct = all.filter((one, at) => all.findIndex((other) => sameFolder(one, other)) === at)
  return distinct.length <= shellLimits.foldersMax
    ? distinct
    : [...distinct.slice(0, shellLimits.foldersMax - 1), undefined]
}

function joinParameters(a: Parameters, b: Parameters): Parameters {
  const length = Math.max(a.list.length, b.list.length)
  const list = Array.from({ length }, (_, at) => joinTexts(a.list[at] ?? unsetOnly, b.list[at] ?? unsetOnly))
  const open = a.open === true || b.open === true || a.list.length !== b.list.length
  return { list, ...(a.name !== undefined && { name: a.name }), ...(open && { open: true }) }
}

/** Widens a variable by adding an unknown value, so that a loop reaches a fixpoint. */
export const widenVariable = (variable: Variable, name: string): Variable => {
  const any: ShellText = unknown(name, sourcesOfAll(variable.texts))
  return { ...variable, texts: joinTexts(variable.texts, [any]), ...(variable.items !== undefined && { open: true }) }
}

/**
 * The files that the commands so far have made, and by which of them. A file that is made and then run in one text is
 * followed through what its writers were given: their words, their stdin, and the files that they read.
 */
export interface MadeFiles {
  /** The number of commands that have been looked through. */
  upTo: number
  readonly writers: Map<string, Set<number>>
  readonly all: Set<number>
  /** The writers whose files a program of the project may have run. */
  readonly run: Set<number>
  /** Mentions that have been started, by their text. */
  readonly started: Set<string>
}

export const noFiles = (): MadeFiles => ({
  upTo: 0,
  writers: new Map(),
  all: new Set(),
  run: new Set(),
  started: new Set(),
})
