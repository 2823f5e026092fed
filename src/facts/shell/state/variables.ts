import { type ShellAssignment, type ShellWord, unknownPart } from '../../../model/shell.ts'
import {
  fromVariable,
  isKnown,
  literal,
  mapTexts,
  onlyValue,
  type ShellText,
  textOf,
  type Texts,
  unknown,
  unset,
  unsetOnly,
  wordOf,
} from '../values/text.ts'
import { type Context, note, stepForEach } from './context.ts'
import { SharedMap } from './shared-map.ts'
import type { State, Variable } from './state.ts'

export const isName = (text: string): boolean => /^[A-Za-z_]\w*$/.test(text)

/** Variables that login shells export. */
const usual = new Set(['HOME', 'PWD', 'OLDPWD', 'PATH', 'USER', 'SHELL', 'TERM', 'LANG', 'TMPDIR'])

/**
 * Returns the value of a variable that the script has not assigned: from the environment if known there, else unknown.
 */
function variableFromSurroundings(context: Context, name: string): Variable {
  const { env, home, cwd } = context.around
  if (name === 'HOME' && home !== undefined) return { texts: [literal(home)], exported: true }
  if (name === 'PWD') return { texts: [literal(cwd)], exported: true }
  if (name === 'IFS') return { texts: [literal(' \t\n')] }
  if (name === 'BASH' || name === 'SHELL') return { texts: [literal(env?.[name] ?? '/bin/bash')], exported: true }
  if (env !== undefined && Object.hasOwn(env, name)) {
    const value = env[name]
    return value === undefined ? { texts: unsetOnly } : { texts: [literal(value)], exported: true }
  }
  return usual.has(name) ? { texts: [unknown(name)], exported: true } : { texts: [unknown(name)] }
}

/** Resolves a reference (`declare -n`) to the variable it names, through at most four levels. */
function resolveReference(state: State, name: string): string {
  let at = name
  for (let times = 0; times < 4; times++) {
    const next = state.variables.get(at)?.reference
    if (next === undefined) return at
    at = next
  }
  return at
}

function initialVariable(context: Context, state: State, name: string): Variable {
  if (state.bare && name !== 'IFS' && name !== 'PWD') return { texts: unsetOnly }
  return variableFromSurroundings(context, name)
}

export function variableOf(context: Context, state: State, name: string): Variable {
  const meant = resolveReference(state, name)
  if (meant === 'PWD' && !state.variables.has('PWD')) return { texts: folderTexts(state), exported: true }
  return state.variables.get(meant) ?? initialVariable(context, state, meant)
}

/** Returns the current folder, as the possible values of `PWD`. */
export function folderTexts(state: State): Texts {
  const [first, ...rest] = state.folders.map((folder): ShellText =>
    typeof folder === 'string' ? literal(folder) : folder === undefined ? unknown('PWD') : textOf({ word: folder }),
  )
  return first === undefined ? [unknown('PWD')] : [first, ...rest]
}

function inDeclaredCase(variable: Variable | undefined, texts: Texts): Texts {
  const letters = variable?.letters
  if (letters === undefined) return texts
  return mapTexts(texts, (text) => ({
    ...text,
    value: text.value
      .split(unknownPart)
      .map((part) => (letters === 'lower' ? part.toLowerCase() : part.toUpperCase()))
      .join(unknownPart),
  }))
}

const set = (text: ShellText): ShellText => (text.unset === true ? literal('') : fromVariable(text))

/** `name=value`. */
export function assign(context: Context, state: State, name: string, texts: Texts): void {
  const meant = resolveReference(state, name)
  const before = state.variables.get(meant) ?? initialVariable(context, state, meant)
  const values = inDeclaredCase(before, mapTexts(texts, set))
  if (before.items !== undefined) {
    state.variables = state.variables.with(meant, { ...before, texts: values, items: before.items.with('0', values) })
    return
  }
  const exports = before.exported === true || state.exportsAll
  if (exports) noteExported(state, meant)
  state.variables = state.variables.with(meant, {
    texts: values,
    ...(exports && { exported: true }),
    ...(before.letters !== undefined && { letters: before.letters }),
  })
}

/** `name[key]=value`. An unknown key only marks the array as open. */
export function assignItem(context: Context, state: State, name: string, key: string | undefined, texts: Texts): void {
  const meant = resolveReference(state, name)
  const before = state.variables.get(meant) ?? initialVariable(context, state, meant)
  const values = inDeclaredCase(before, mapTexts(texts, set))
  const known = before.texts[0].unset === true || before.items !== undefined || !state.variables.has(meant)
  const items = before.items ?? SharedMap.of<string, Texts>(known ? [] : [['0', before.texts]])
  if (key === undefined) {
    state.variables = state.variables.with(meant, { ...before, items, open: true })
    return
  }
  const more = items.with(key, values)
  state.variables = state.variables.with(meant, { ...before, items: more, texts: more.get('0') ?? unsetOnly })
}

/** Assigns what a builtin takes a name for: `name` or `name[key]`. Of any other word it makes nothing. */
export function assignNamed(context: Context, state: State, written: string, texts: Texts): void {
  const [, name = '', key] = /^([A-Za-z_]\w*)(?:\[([^\]$`]*)\])?$/.exec(written) ?? []
  if (key !== undefined) assignItem(context, state, name, arithmeticKey(context, state, key), texts)
  else if (isName(name)) assign(context, state, name, texts)
}

/** `name=(…)`. */
export function assignArray(
  context: Context,
  state: State,
  name: string,
  items: SharedMap<string, Texts>,
  open: boolean,
): void {
  const meant = resolveReference(state, name)
  const before = state.variables.get(meant) ?? initialVariable(context, state, meant)
  // The elements from before are as they should be.
  const changed = items
    .differences(before.items ?? items.emptied())
    .flatMap(([key, texts]) =>
      texts === undefined ? [] : [[key, inDeclaredCase(before, mapTexts(texts, set))] as const],
    )
  state.variables = state.variables.with(meant, {
    texts: items.get('0') ?? (open ? [unknown(name)] : unsetOnly),
    items: items.withAll(changed),
    ...(open && { open: true }),
    ...(before.exported === true && { exported: true }),
    ...(before.letters !== undefined && { letters: before.letters }),
  })
}

export function unsetVariable(state: State, name: string): void {
  state.variables = state.variables.with(resolveReference(state, name), { texts: [unset] })
}

/** Sets attributes of a variable: exported, a reference, upper case. */
export function mark(context: Context, state: State, name: string, marks: Partial<Variable>): void {
  const meant = marks.reference === undefined ? resolveReference(state, name) : name
  state.variables = state.variables.with(meant, {
    ...(state.variables.get(meant) ?? initialVariable(context, state, meant)),
    ...marks,
  })
  if (marks.exported === true) noteExported(state, meant)
}

/** Keeps the name of a variable that the text has exported, so that a command's are found without a look at all. */
function noteExported(state: State, name: string): void {
  if (!usual.has(name)) state.everExported = state.everExported.with(name, true)
}

/** Assigns a variable of a started command's environment. */
export function assignExported(context: Context, state: State, name: string, word: ShellWord): void {
  assign(context, state, name, [textOf({ word })])
  mark(context, state, name, { exported: true })
}

/** Gives variables back the values they had before; `undefined` for one that was not assigned. */
export function restoreVariables(state: State, before: ReadonlyMap<string, Variable | undefined>): void {
  for (const [name, variable] of before) {
    state.variables = variable === undefined ? state.variables.without(name) : state.variables.with(name, variable)
  }
}

/** Evaluates an array's key: the name of a variable with a known number stands for that number. */
export function arithmeticKey(context: Context, state: State, key: string): string {
  const value = isName(key) && state.variables.has(key) ? onlyValue(variableOf(context, state, key).texts) : undefined
  return value !== undefined && /^\d+$/.test(value) ? value : key
}

/** Returns the variables as a child process sees them: those not exported are unset. */
export function exportedOnly(context: Context, { variables }: State): State['variables'] {
  stepForEach(context, variables.size)
  return variables.withAll(
    [...variables].map(([name, { texts, exported }]) => [
      name,
      exported === true ? { texts, exported } : { texts: unsetOnly },
    ]),
  )
}

/** Returns the variables that the text itself has exported, with each value that they may have. */
export function exportedIn(context: Context, { variables, everExported }: State): readonly ShellAssignment[] {
  stepForEach(context, everExported.size)
  return [...everExported.keys()]
    .filter((name) => variables.get(name)?.exported === true)
    .slice(-exportedMax)
    .flatMap((name) =>
      (variables.get(name)?.texts ?? []).flatMap((text) =>
        text.unset === true ? [] : [{ name, value: wordOf(text) }],
      ),
    )
}
/** Each command has these variables in its facts; of more, the latest. Scripts export three before they start a program. */
const exportedMax = 16

/**
 * A name with a command substitution in its subscript, `a[$(cmd)]`. The shell runs the command when it evaluates the
 * name.
 */
export const executableSubscript = /^[A-Za-z_]\w*\[[^\]]*(?:\$\(|`)/

/** Arrays of bash, then of zsh, by which a shell looks up aliases, commands and functions. Scripts may assign to them. */
export const aliasTables = ['BASH_ALIASES', 'aliases'] as const
export const commandTables = ['BASH_CMDS', 'commands'] as const
export const functionTables = ['functions'] as const
/** Arrays of zsh for aliases anywhere in a command, and for endings of file names. Their effects are not followed. */
const unfollowed = ['galiases', 'saliases'] as const

/** Returns the texts that a name may stand for by some of these tables, and notes if the result is uncertain. */
export function lookUpInTables(
  context: Context,
  { variables }: State,
  tables: typeof aliasTables | typeof commandTables | typeof functionTables,
  name: string,
): readonly string[] {
  if (variables.size === 0) return []
  const other = tables === aliasTables ? unfollowed.find((one) => variables.has(one)) : undefined
  if (other !== undefined) note(context, `\`${other}\` changes what names stand for`)
  return tables.flatMap((table) => {
    const { items, open } = variables.get(table) ?? {}
    if (items === undefined) return []
    const texts =
      items.get(name) ?? [...items].flatMap(([key, [one]]) => (one.value === name ? nextOf(items, key) : []))
    if (open === true || texts.some((text) => !isKnown(text)))
      note(context, `\`${table}\` changes what names stand for`)
    return texts.filter(isKnown).map(({ value }) => value)
  })
}

/** Returns the value behind a name, since in zsh an array may list names and values in turn: `aliases=(ls 'ls -l')`. */
const nextOf = (items: { get(key: string): readonly ShellText[] | undefined }, key: string): readonly ShellText[] =>
  /^\d*[02468]$/.test(key) ? (items.get(`${Number(key) + 1}`) ?? []) : []
