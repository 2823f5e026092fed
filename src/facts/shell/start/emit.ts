import {
  type ShellAssignment,
  type ShellBind,
  type ShellFlow,
  type ShellRedirection,
  type ShellView,
  type ShellWord,
  unknownPart,
  unknownWord,
} from '../../../model/shell.ts'
import { knownFolder, partOf } from '../../paths/index.ts'
import { commonText, type Texts, wordOf } from '../values/text.ts'
import {
  type Context,
  type Draft,
  type Expanded,
  type Frame,
  note,
  record,
  tooLargeTogether,
} from '../state/context.ts'
import { doesNothing } from '../../programs/table.ts'
import { descriptorNamed, readable, writesFile } from './redirect.ts'
import type { State } from '../state/state.ts'
import { exportedIn } from '../state/variables.ts'

/** Returns the program's basename in lower case, without `.exe`; empty if it is unknown. */
export function programOf(word: ShellWord | undefined): string {
  if (word === undefined || word.pattern !== undefined) return ''
  const { value } = word
  const slash = Math.max(value.lastIndexOf('/'), value.lastIndexOf('\\'))
  // If only the folder is unknown, the name is still known: `"$VENV/bin/python"`.
  if (word.unresolved === true && (slash === -1 || value.includes(unknownPart, slash))) return ''
  // In zsh, `=rm` is the place of `rm`; in nu, `^rm` is the program of that name.
  const name = (slash === -1 ? value.replace(/^[=^](?=[\w.])/, '') : value.slice(slash + 1)).toLowerCase()
  return name.endsWith('.exe') ? name.slice(0, -4) : name
}

/**
 * Control characters, Unicode spaces and full-width letters: they disguise a program's name, and no honest name has
 * them.
 */
const disguise = /[\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}\uff01-\uff5e]/u
const spaceInName = / /g

/**
 * Adds a command to the facts, and returns its index. In a further round of a loop, returns that of the same command.
 */
export function emit(context: Context, state: State, frame: Frame, expanded: Expanded): number {
  const [written, ...rest] = expanded.fields
  const program = programOf(written?.word)
  const args = rest.map(({ word }) => word)
  const [folder] = state.folders.length === 1 && frame.elsewhere !== true ? state.folders : []
  const [cwd, part] = [knownFolder(folder), partOf(folder)]
  const stdin = stdinOf(state)
  const redirections = withInherited(state, expanded)
  const isNothing = written === undefined || doesNothing(program)
  const draft: Draft = {
    program,
    ...(written !== undefined && { written: written.word }),
    args,
    assignments: expanded.assignments,
    ...(state.everExported.size > 0 && exportedTo(context, state, expanded.assignments)),
    redirections,
    ...(cwd !== undefined && { cwd }),
    ...(part !== undefined && { folder: part }),
    ...(frame.elsewhere === true && { elsewhere: true }),
    ...(frame.container !== undefined && { container: frame.container }),
    ...(frame.binds !== undefined && { view: viewOf(frame.binds, state) }),
    ...(frame.user !== undefined && { user: frame.user }),
    reach: frame.reach,
    ...(frame.startedBy !== undefined && { startedBy: frame.startedBy }),
    ...(stdin !== undefined && {
      stdin: wordOf(commonText(stdin)),
    }),
    paths: [],
    ...(isNothing && writesFile(redirections) && { writes: '' }),
    uncertain: [...uncertaintiesOf(written?.word), ...promptUncertainties(expanded)],
    place: frame.place ?? expanded.place,
  }
  const index = findRepeated(context, draft) ?? add(context, draft)
  for (let at = expanded.inWords.from; at < expanded.inWords.to; at++) {
    const inner = context.commands[at]
    if (inner !== undefined && inner.startedBy === frame.startedBy) inner.startedBy = index
  }
  flowsTo(context, state, index, expanded, stdin)
  return index
}

/** Returns the variables that a command gets from the text around it, besides its own assignments. */
function exportedTo(
  context: Context,
  state: State,
  own: readonly ShellAssignment[],
): Pick<Draft, 'exported'> | undefined {
  const exported = exportedIn(context, state).filter(({ name }) => own.every((one) => one.name !== name))
  return exported.length === 0 ? undefined : { exported }
}

function viewOf(binds: readonly ShellBind[], { folders }: State): ShellView {
  const cwd = folders.length === 1 ? knownFolder(folders[0]) : undefined
  return { ...(cwd !== undefined && { cwd }), binds }
}

function add(context: Context, draft: Draft): number {
  const exported = draft.exported?.length ?? 0
  const words = draft.args.length + draft.assignments.length + draft.redirections.length + exported
  const room = record(context, words, charactersOf(draft))
  context.commands.push(room === undefined ? draft : withFewerWords(draft, room))
  return context.commands.length - 1
}

/** The length of a command's words, and about that of their other parts as JSON. */
function charactersOf({ written, args, assignments, exported = [], redirections, stdin, reach }: Draft): number {
  const words = [
    written,
    ...args,
    ...[...assignments, ...exported].map(({ value }) => value),
    ...redirections.map(({ target }) => target),
  ]
  return [...words, stdin].reduce((sum, word) => sum + (word?.value.length ?? 0) + 16, 50 * reach.length)
}

/**
 * Keeps of a command that is too large to be recorded its first words, as many as there is room for, and what it starts.
 * All else of it is unknown.
 */
function withFewerWords(draft: Draft, room: number): Draft {
  const assignments = draft.assignments.slice(0, room)
  const redirections = draft.redirections.slice(0, room - assignments.length)
  const args = draft.args.slice(0, room - assignments.length - redirections.length)
  return {
    ...draft,
    args: [...args, { ...unknownWord, several: true }],
    assignments,
    redirections,
    ...(room === 0 && draft.stdin !== undefined && { stdin: unknownWord }),
    uncertain: [...draft.uncertain, tooLargeTogether],
  }
}

function uncertaintiesOf(written: ShellWord | undefined): string[] {
  if (written === undefined) return []
  if ((written.unresolved === true && !isNamedAtEnd(written)) || written.pattern !== undefined)
    return [`which program \`${shown(written)}\` is cannot be known`]
  return disguise.test(written.value.replace(spaceInName, '').replace(oneOfSeveral, ''))
    ? ["the program's name contains characters that look like others"]
    : []
}

/** Places of a program before the last, as `which a || which b` may print them: only one is there. */
const oneOfSeveral = /^(?:\uFDD0\/[\w.@+-]+\n)+(?=\uFDD0\/)/

/** True for a program that is named, in a folder that is not known: `$(which python3)`, `"$ROOT/bin/tool"`. */
const isNamedAtEnd = ({ value }: ShellWord): boolean => /^[^]*\/[\w.@+-]+$/.test(value)

/** Variables with code that an interactive shell runs before each prompt. */
const prompt = /^(?:PROMPT_COMMAND=|PS[0-4]=[^]*(?:\$\(|`))/

function promptUncertainties({ fields, assignments }: Expanded): string[] {
  const isSet =
    assignments.some(({ name, value }) => name.startsWith('P') && prompt.test(`${name}=${value.value}`)) ||
    fields.some(({ word }) => word.value.startsWith('P') && prompt.test(word.value))
  return isSet ? ['the commands of a prompt are not followed'] : []
}

const shown = (word: ShellWord): string =>
  word.value.replaceAll(unknownPart, word.variable === undefined ? '…' : `$${word.variable}`).slice(0, 80)

function stdinOf(state: State): Texts | undefined {
  const opened = state.descriptors.get(0)
  return opened?.kind === 'file' && opened.target.value !== '/dev/null' ? undefined : readable(state, 0)
}

/** Adds the redirections that a command inherits from the commands around it. */
function withInherited(state: State, { fields, redirections }: Expanded): readonly ShellRedirection[] {
  if (state.descriptors.size === 0) return redirections
  const list = [...redirections]
  const named = fields.flatMap(({ word }) => descriptorNamed(word) ?? [])
  const own = new Set(redirections.map(({ descriptor }) => descriptor))
  for (const descriptor of [0, 1, 2, ...named]) {
    const opened = state.descriptors.get(descriptor)
    if (opened?.kind !== 'file' || own.has(descriptor)) continue
    own.add(descriptor)
    list.push({ operator: opened.operator, descriptor, target: opened.target })
  }
  return list
}

/** Returns the index of the same command in an earlier round of the loop, if there is one. */
function findRepeated({ repeated, commands }: Context, draft: Draft): number | undefined {
  if (repeated === undefined) return undefined
  const key = keyOf(draft)
  const before = repeated.get(key)
  if (before === undefined) repeated.set(key, commands.length)
  return before
}

/** Two commands of one key differ in nothing but in where their values come from. */
const keyOf = ({
  written,
  args,
  assignments,
  exported = [],
  redirections,
  stdin,
  cwd,
  folder,
  view,
  user,
  elsewhere,
  container,
  startedBy,
  place,
}: Draft) =>
  JSON.stringify([
    place.start,
    place.end,
    cwd ?? folder?.value,
    view?.cwd,
    user,
    elsewhere,
    container,
    startedBy,
    [written, ...args, stdin].map((word) => [word?.value, word?.pattern]),
    [...assignments, ...exported].map(({ name, value }) => [name, value.value]),
    redirections.map(({ operator, descriptor, target }) => [operator, descriptor, target?.value]),
  ])

/** Indexes the commands from an index on by their key, so that a further round of a loop does not add them again. */
export const rememberCommands = ({ commands }: Context, from: number): Map<string, number> =>
  new Map(commands.slice(from).map((draft, at) => [keyOf(draft), from + at]))

function flowsTo(context: Context, state: State, to: number, expanded: Expanded, stdin: Texts | undefined): void {
  for (const [at, { from, word }] of expanded.fields.entries()) {
    // The output of another command decides which program runs here, so it counts as code.
    const as = at === 0 && word.unresolved === true && word.value.startsWith(unknownPart) ? 'code' : 'data'
    for (const { command, via } of from ?? []) addFlow(context, command, to, via, as)
    descriptorFlow(context, state, to, word)
  }
  for (const { value } of expanded.assignments) descriptorFlow(context, state, to, value)
  for (const { from } of expanded.assigned)
    for (const { command } of from ?? []) addFlow(context, command, to, 'variable')
  if (stdin === undefined) return
  const opened = state.descriptors.get(0)
  const input = opened?.kind === 'input' ? opened : undefined
  for (const { from } of stdin) {
    for (const { command, via } of from ?? []) {
      addFlow(context, command, to, input?.operator !== undefined ? via : input?.named === true ? 'descriptor' : 'pipe')
    }
  }
}

/** Adds the flows from the commands whose output is behind a word such as `/dev/fd/63`. */
function descriptorFlow(context: Context, state: State, to: number, word: ShellWord): void {
  const descriptor = descriptorNamed(word)
  const opened = descriptor === undefined ? undefined : state.descriptors.get(descriptor)
  for (const text of opened?.kind === 'input' ? opened.texts : [])
    for (const { command } of text.from ?? []) addFlow(context, command, to, 'descriptor')
}

function addFlow(
  context: Context,
  from: number,
  to: number,
  via: ShellFlow['via'],
  as: ShellFlow['as'] = 'data',
): void {
  if (from < 0) note(context, 'a value comes from more commands than are followed')
  if (from < 0 || from === to || context.flows.some((one) => one.from === from && one.to === to && one.via === via))
    return
  if (context.flows.length < 4 * context.commands.length + 64) context.flows.push({ from, to, via, as })
  else note(context, 'there are too many ways that data may go')
}

/** Marks the data flows into a command as code, where `through` says that they may carry the text it runs. */
export function asCode(context: Context, to: number, through: (flow: ShellFlow) => boolean): void {
  for (const [at, flow] of context.flows.entries()) {
    if (flow.to === to && flow.as === 'data' && through(flow)) context.flows[at] = { ...flow, as: 'code' }
  }
}
