import type { CompoundCommand, CompoundList, Redirected } from 'unbash'
import { shellLimits } from '../../../model/limits.ts'
import type { ShellWord } from '../../../model/shell.ts'
import { joinTexts, sameTexts, type Text, type Texts, unknown, unsetOnly } from '../values/text.ts'

/** A variable of the shell. Replaced as a whole when it changes. */
export interface Variable {
  /** What it may hold; of an array, its first element. */
  readonly texts: Texts
  /** An array's elements by key, in order. */
  readonly items?: ReadonlyMap<string, Texts>
  /** Whether there may be more elements than those. */
  readonly open?: true
  readonly exported?: true
  /** It stands for the variable of this name. */
  readonly reference?: string
  readonly letters?: 'lower' | 'upper'
}

/** Where bytes are collected that commands write: a pipe, a substitution, a file. */
export interface Sink {
  readonly kind: 'pipe' | 'file'
}

/** What a file descriptor is open on. One that nobody has touched is the caller's own. */
export type Descriptor =
  | {
      readonly kind: 'file'
      readonly operator: '<' | '>' | '>>' | '<>'
      readonly target: ShellWord
      readonly sink?: Sink
    }
  /** Something that is read: a heredoc, a pipe's end, or with `named` a substitution that has a file name. */
  | { readonly kind: 'input'; readonly texts: Texts; readonly operator?: '<<' | '<<<'; readonly named?: true }
  | { readonly kind: 'sink'; readonly sink: Sink }
  | { readonly kind: 'closed' }

export interface ShellFunction {
  readonly name: string
  readonly body: CompoundCommand | Redirected | CompoundList
  /** The text that its positions are in, and where its commands stand if that is not the outermost text. */
  readonly source: string
  readonly place?: { readonly start: number; readonly end: number } | undefined
}

export interface Parameters {
  /** `$0` where it is not the shell's own name. */
  readonly name?: Texts
  readonly list: readonly Texts[]
  /** Whether there may be more. */
  readonly open?: true
}

/** The abstract state of a shell at one point of its script. Maps are replaced when they change, but for `variables`. */
export interface State {
  readonly variables: Map<string, Variable>
  /** All bodies that a name may stand for; `undefined` among them where it may be none. */
  functions: ReadonlyMap<string, readonly (ShellFunction | undefined)[]>
  /** Functions that scripts see which the shell starts: `export -f`. */
  exportedFunctions: ReadonlySet<string>
  aliases: ReadonlyMap<string, string>
  /** The folders it may be in. */
  folders: readonly (string | undefined)[]
  pushed: readonly (string | undefined)[]
  descriptors: ReadonlyMap<number, Descriptor>
  parameters: Parameters
  outputs: ReadonlyMap<Sink, Texts>
  /** Files whose content the script itself has written, by absolute path. */
  files: ReadonlyMap<string, Sink>
  /** Nothing is in its environment but what `variables` has: `env -i`. */
  bare: boolean
  /** `set -e` */
  exitsOnFailure: boolean
  /** Processes in the background that nobody has waited for: of this shell, or of none any more. */
  running: boolean
  detached: boolean
}

export const noMap: ReadonlyMap<string, never> = new Map<string, never>()
const noSet: ReadonlySet<never> = new Set()

export function freshState(cwd: string, parameters: Parameters): State {
  return {
    variables: new Map(),
    functions: noMap,
    exportedFunctions: noSet,
    aliases: noMap,
    folders: [cwd],
    pushed: [],
    descriptors: new Map(),
    parameters,
    outputs: new Map(),
    files: noMap,
    bare: false,
    exitsOnFailure: false,
    running: false,
    detached: false,
  }
}

export const copyState = (state: State): State => ({ ...state, variables: new Map(state.variables) })

export function withEntry<K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> {
  return new Map(map).set(key, value)
}

export function withoutEntry<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  if (!map.has(key)) return map
  const less = new Map(map)
  less.delete(key)
  return less
}

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
  return [...a].every(([key, texts]) => sameTexts(texts, b.get(key) ?? unsetOnly))
}

/** Joins what two ways have left in a variable. */
function joinVariables(a: Variable, b: Variable): Variable {
  const items = new Map(a.items)
  for (const [key, texts] of b.items ?? []) items.set(key, joinTexts(items.get(key) ?? unsetOnly, texts))
  const arrays = a.items !== undefined || b.items !== undefined
  return {
    ...a,
    texts: joinTexts(a.texts, b.texts),
    ...(arrays && { items }),
    ...((a.open === true || b.open === true || (arrays && !sameItems(a.items, b.items))) && { open: true }),
    ...(b.exported === true && { exported: true }),
  }
}

/**
 * Joins two states to one that holds whichever way was gone. The first is changed and is the result. `fallback` says what a
 * name holds that a way has not touched.
 */
export function joinStates(
  a: State | undefined,
  b: State | undefined,
  fallback: (state: State, name: string) => Variable,
): State | undefined {
  if (a === undefined || b === undefined || a === b) return a ?? b
  for (const [name, mine] of a.variables) {
    const other = b.variables.get(name) ?? fallback(b, name)
    if (!sameVariable(mine, other)) a.variables.set(name, joinVariables(mine, other))
  }
  for (const [name, other] of b.variables) {
    if (!a.variables.has(name)) a.variables.set(name, joinVariables(fallback(a, name), other))
  }
  a.functions = joinMaps(a.functions, b.functions, (one, other) => [
    ...new Set([...(one ?? [undefined]), ...(other ?? [undefined])]),
  ])
  a.exportedFunctions =
    a.exportedFunctions === b.exportedFunctions
      ? a.exportedFunctions
      : new Set([...a.exportedFunctions, ...b.exportedFunctions])
  a.aliases = joinMaps(a.aliases, b.aliases, (one, other) => one ?? other ?? '')
  a.folders = sameList(a.folders, b.folders) ? a.folders : folders([...a.folders, ...b.folders])
  a.pushed = sameList(a.pushed, b.pushed) ? a.pushed : []
  a.descriptors = joinMaps(a.descriptors, b.descriptors, (one, other) => one ?? other ?? { kind: 'closed' })
  a.parameters = a.parameters === b.parameters ? a.parameters : joinParameters(a.parameters, b.parameters)
  a.outputs = joinMaps(a.outputs, b.outputs, (one, other) => joinTexts(one ?? nothing, other ?? nothing))
  a.files = joinMaps(a.files, b.files, (one, other) => one ?? other ?? { kind: 'file' })
  a.exitsOnFailure &&= b.exitsOnFailure
  a.running ||= b.running
  a.detached ||= b.detached
  return a
}

const nothing: Texts = [{ value: '' }]

function sameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a === b || (a.length === b.length && a.every((one, at) => one === b[at]))
}

/** Each once; one that is not known takes the place of what is too much. */
export function folders(all: readonly (string | undefined)[]): readonly (string | undefined)[] {
  const distinct = [...new Set(all)]
  return distinct.length <= shellLimits.foldersMax
    ? distinct
    : [...distinct.slice(0, shellLimits.foldersMax - 1), undefined]
}

function joinMaps<K, V>(
  a: ReadonlyMap<K, V>,
  b: ReadonlyMap<K, V>,
  meet: (one: V | undefined, other: V | undefined) => V,
): ReadonlyMap<K, V> {
  if (a === b) return a
  const all = new Map(a)
  for (const [key, one] of a) if (b.get(key) !== one) all.set(key, meet(one, b.get(key)))
  for (const [key, other] of b) if (!a.has(key)) all.set(key, meet(undefined, other))
  return all
}

function joinParameters(a: Parameters, b: Parameters): Parameters {
  const length = Math.max(a.list.length, b.list.length)
  const list = Array.from({ length }, (_, at) => joinTexts(a.list[at] ?? unsetOnly, b.list[at] ?? unsetOnly))
  const open = a.open === true || b.open === true || a.list.length !== b.list.length
  return { list, ...(a.name !== undefined && { name: a.name }), ...(open && { open: true }) }
}

/** Widens a variable, so that a loop comes to a fixpoint: it may hold anything besides what it does. */
export const widenVariable = (variable: Variable, name: string): Variable => {
  const any: Text = unknown(name)
  return { ...variable, texts: joinTexts(variable.texts, [any]), ...(variable.items !== undefined && { open: true }) }
}
