import type { Assignment, Command, Word } from 'unbash'
import { type ShellAssignment, unknownPart } from '../../../model/shell.ts'
import { builtins } from '../builtins/index.ts'
import { everyCombination } from '../expand/fields.ts'
import { expandText, expandWord } from '../expand/words.ts'
import { mayStartFor } from '../../programs/may-start.ts'
import type { Unwrap } from '../../programs/starts.ts'
import { hasTrait, unwrapFor } from '../../programs/table.ts'
import {
  concatenateEach,
  empty,
  type Field,
  fieldOfText,
  isKnown,
  literal,
  mapTexts,
  onlyValue,
  type ShellText,
  textOf,
  type Texts,
  wordOf,
} from '../values/text.ts'
import { callFunction, runEachBody } from '../start/call.ts'
import {
  bothOutcomes,
  type CommandOutcome,
  type Context,
  type Expanded,
  failed,
  type Frame,
  note,
  step,
  stepForText,
  succeeded,
} from '../state/context.ts'
import { emit, programOf } from '../start/emit.ts'
import { contentOf, print, printOutput, redirect, restoreDescriptors } from '../start/redirect.ts'
import { endsOf, joinAll, joinOutcomes, runPending } from '../state/join.ts'
import { madeUnwrap } from '../start/made.ts'
import { ownScript, runAfterUnknownProgram, withPrefixSubstitution } from './unseen.ts'
import { startAll } from '../start/start.ts'
import { copyState, type State, type Variable } from '../state/state.ts'
import {
  aliasTables,
  arithmeticKey,
  assign,
  assignArray,
  assignExported,
  assignItem,
  commandTables,
  executableSubscript,
  functionTables,
  lookUpInTables,
  restoreVariables,
  variableOf,
} from '../state/variables.ts'
import { SharedMap } from '../state/shared-map.ts'

/** Runs a simple command: expands its words, applies its redirections, and runs the builtin, function or program. */
export function runSimple(context: Context, state: State, frame: Frame, parsed: Command): CommandOutcome {
  if (!step(context) || !stepForText(context, parsed.end - parsed.pos)) return bothOutcomes(state)
  const node = parsed.prefix.length === 0 ? parsed : withPrefixSubstitution(parsed)
  for (const alias of aliasesOf(context, state, node)) runAlias(context, state, frame, node, alias)
  const from = context.commands.length
  const pendingBefore = context.pending.length
  const words = node.name === undefined ? node.args : [node.name, ...node.args]
  const ways = everyCombination(
    context,
    words.map((word) =>
      word.type === 'Word'
        ? expandWord(context, state, frame, word)
        : expandAssignmentWord(context, state, frame, word),
    ),
  )
  const before = state.descriptors
  const redirections = node.redirects.length === 0 ? [] : redirect(context, state, frame, node.redirects)
  const inside = state.descriptors
  const around = { redirections, inWords: { from, to: context.commands.length } }
  const [only] = ways
  const outcome =
    ways.length === 1 && only !== undefined
      ? runFields(context, state, frame, node, only, around)
      : joinOutcomes(
          context,
          ways.map((fields) => runFields(context, copyState(state), frame, node, fields, around)),
        )
  // `exec` without a program keeps its redirections.
  if (node.name?.value === 'exec' && only?.length === 1) return outcome
  if (inside !== before)
    for (const one of endsOf(outcome)) one.descriptors = restoreDescriptors(one.descriptors, inside, before)
  runPending(context, pendingBefore, outcome.ok ?? outcome.fail ?? state)
  return outcome
}

/** Carries out a command's assignments, and runs it with one possible expansion of its words. */
function runFields(
  context: Context,
  state: State,
  frame: Frame,
  node: Command,
  fields: readonly Field[],
  around: Pick<Expanded, 'redirections' | 'inWords'>,
): CommandOutcome {
  const assigned: ShellText[] = []
  const assignments: ShellAssignment[] = []
  for (const assignment of node.prefix) {
    if (assignment.type !== 'Assignment') continue
    const { name, value } = assignment
    const texts = value.type === 'Word' ? expandText(context, state, frame, value) : undefined
    for (const text of texts ?? [empty]) {
      assigned.push(text)
      assignments.push({ name, value: wordOf(text) })
    }
    if (fields.length === 0) assignFrom(context, state, frame, assignment, texts)
  }
  const place = { start: node.pos, end: node.end }
  const outcome = runWords(context, state, frame, { fields, assignments, assigned, place, ...around }, false)
  return node.args.some(isArray) ? withArrays(context, state, frame, node, outcome) : outcome
}

const isArray = (word: Word | Assignment): word is Assignment =>
  word.type === 'Assignment' && word.value.type === 'ArrayValue'

/** Expands an assignment that is an argument, as in `export a=b`. Its value is not split. */
function expandAssignmentWord(
  context: Context,
  state: State,
  frame: Frame,
  one: Assignment,
): readonly (readonly Field[])[] {
  if (one.value.type !== 'Word') {
    for (const element of one.value.elements)
      if (element.text.includes('$') || element.text.includes('`'))
        expandText(context, copyState(state), frame, element)
    return [[{ word: { value: one.name } }]]
  }
  const head = one.text.slice(0, one.value.pos - one.pos)
  return expandText(context, state, frame, one.value).map((text) => [
    fieldOfText({ ...text, value: head + text.value }),
  ])
}

function withArrays(
  context: Context,
  state: State,
  frame: Frame,
  node: Command,
  outcome: CommandOutcome,
): CommandOutcome {
  for (const one of endsOf(outcome))
    for (const array of node.args.filter(isArray)) assignFrom(context, one, frame, array, undefined)
  return outcome.ok === undefined && outcome.fail === undefined ? bothOutcomes(state) : outcome
}

function aliasesOf(context: Context, state: State, { name }: Command): readonly string[] {
  if (name === undefined || name.text !== name.value) return []
  const own = state.aliases.size === 0 ? undefined : state.aliases.get(name.value)
  return [...(own === undefined ? [] : [own]), ...lookUpInTables(context, state, aliasTables, name.value)]
}

/** Runs an alias's text. The caller also runs the command as written, since scripts expand aliases only if `expand_aliases` is set. */
function runAlias(context: Context, state: State, frame: Frame, node: Command, alias: string): void {
  const name = node.name?.value ?? ''
  const rest = frame.source.slice(node.name?.end ?? node.end, node.end)
  const sub = copyState(state)
  sub.aliases = sub.aliases.without(name)
  for (const table of aliasTables) sub.variables = sub.variables.without(table)
  const place = frame.place ?? { start: node.pos, end: node.end }
  const reach = [...frame.reach, { through: 'alias', name } as const]
  const outcome = context.text({ value: `${alias}${rest}` }, sub, { ...frame, reach, place, depth: frame.depth + 1 })
  state.outputs = (outcome.ok ?? outcome.fail ?? sub).outputs
}

/** Runs a command whose words are expanded. `asProgram`: its name is a program, never a function or builtin. */
export function runWords(
  context: Context,
  state: State,
  frame: Frame,
  expanded: Expanded,
  asProgram: boolean,
): CommandOutcome {
  const [first, ...args] = expanded.fields
  step(context, args.length / startedWordsPerStep)
  if (first === undefined) {
    const index = emit(context, state, frame, expanded)
    if (expanded.redirections.some(({ operator }) => operator === '<')) print(state, [{ value: unknownPart }], index)
    return expanded.assigned.every(({ from }) => from === undefined) ? succeeded(state) : bothOutcomes(state)
  }
  const name = first.word.unresolved === true ? undefined : first.word.value
  if (name !== undefined && !asProgram) {
    const bodies = state.functions.get(name)
    if (bodies !== undefined) {
      return withTemporaryAssignments(context, state, expanded, () =>
        runEachBody(context, state, bodies, (body, one) =>
          body === undefined
            ? runOther(context, one, frame, expanded, name)
            : callFunction(context, one, frame, body, args),
        ),
      )
    }
    return runOther(context, state, frame, expanded, name)
  }
  return runProgram(context, state, frame, expanded)
}
/** Words of a started command that cost one step: ten thousand `sudo` in a row start each other with all words left. */
const startedWordsPerStep = 16

function runOther(context: Context, state: State, frame: Frame, expanded: Expanded, name: string): CommandOutcome {
  const builtin = builtins.get(name)
  for (const body of lookUpInTables(context, state, functionTables, name))
    context.text(literal(body), copyState(state), deeper(frame))
  if (builtin === undefined) {
    for (const file of lookUpInTables(context, state, commandTables, name)) {
      const fields = [fieldOfText(literal(file)), ...expanded.fields.slice(1)]
      if (!/\s/.test(file)) runWords(context, copyState(state), frame, { ...expanded, fields }, true)
    }
    return runProgram(context, state, frame, expanded)
  }
  const index = emit(context, state, frame, expanded)
  const args = expanded.fields.slice(1)
  if (showsVariables.has(name) && args.every(({ word }) => /^-[pxrafgi]+$/.test(word.value)))
    print(state, [{ value: unknownPart }], index)
  if (takesNames.has(name) && args.some(({ word }) => executableSubscript.test(word.value)))
    note(context, `\`${name}\` runs what stands in the key of a name`)
  if (name === 'source' || name === '.') {
    const isFollowed = (path: string) => contentOf(state, { value: path })?.every(isKnown) === true
    const made = madeUnwrap(context, index, isFollowed)
    if (made !== undefined) startAll(context, state, frame, index, expanded, made)
  }
  return withTemporaryAssignments(context, state, expanded, () =>
    builtin({ context, state, frame, index, args, expanded }),
  )
}

const deeper = (frame: Frame): Frame => ({ ...frame, depth: frame.depth + 1 })

/** Builtins that print all variables if they have no operands. */
const showsVariables: ReadonlySet<string> = new Set([
  'set',
  'export',
  'declare',
  'typeset',
  'readonly',
  'local',
  'alias',
])

/** Builtins that evaluate the subscript of `name[key]`, and so run command substitutions in it. */
const takesNames: ReadonlySet<string> = new Set(
  'test [ printf read unset declare typeset local export readonly let mapfile readarray getopts'.split(' '),
)

/** Applies the assignments before a function or builtin, and undoes them after it, except for `export` and the like. */
function withTemporaryAssignments(
  context: Context,
  state: State,
  { assignments, fields }: Expanded,
  run: () => CommandOutcome,
): CommandOutcome {
  if (assignments.length === 0) return run()
  const before = new Map<string, Variable | undefined>()
  for (const { name, value } of assignments) {
    if (!before.has(name)) before.set(name, state.variables.get(name))
    assignExported(context, state, name, value)
  }
  const outcome = run()
  if (!hasTrait(fields[0]?.word.value ?? '', 'declares'))
    for (const one of endsOf(outcome)) restoreVariables(one, before)
  return outcome
}

/** Starts a program once for each possible current folder. */
function runProgram(context: Context, state: State, frame: Frame, expanded: Expanded): CommandOutcome {
  if (state.folders.length === 1) runIn(context, state, frame, expanded)
  else {
    const ends = state.folders.map((folder) => {
      const one = copyState(state)
      one.folders = [folder]
      runIn(context, one, frame, expanded)
      return one
    })
    const end = joinAll(context, ends) ?? state
    state.outputs = end.outputs
    state.files = end.files
  }
  const program = programOf(expanded.fields[0]?.word)
  if (hasTrait(program, 'succeeds')) return succeeded(state)
  return hasTrait(program, 'fails') ? failed(state) : bothOutcomes(state)
}

function runIn(context: Context, state: State, frame: Frame, expanded: Expanded): void {
  const index = emit(context, state, frame, expanded)
  const draft = context.commands[index]
  if (draft === undefined) return
  if (draft.program === '') runAfterUnknownProgram(context, state, frame, expanded, index)
  const isOwn = state.files.size > 0 && draft.written?.value.includes('/') === true
  const unwraps = [unwrapFor(draft.program) ?? (isOwn ? ownScript : undefined), mayStartFor(draft.program)]
  let started = false
  for (const unwrap of unwraps)
    if (unwrap !== undefined && !started) started = startWith(context, state, frame, index, expanded, unwrap)
  const hasRead = started || draft.code !== undefined
  const isFollowed = (path: string) => hasRead && contentOf(state, { value: path })?.every(isKnown) === true
  const made = madeUnwrap(context, index, isFollowed)
  if (made !== undefined) startWith(context, state, frame, index, expanded, made)
  if (started && draft.wrapper === true) return
  printOutput(context, state, index)
}

/** Runs what a program starts, in an environment with the assignments before it. */
function startWith(
  context: Context,
  state: State,
  frame: Frame,
  index: number,
  expanded: Expanded,
  unwrap: Unwrap,
): boolean {
  if (expanded.assignments.length === 0) return startAll(context, state, frame, index, expanded, unwrap)
  const sub = copyState(state)
  for (const { name, value } of expanded.assignments) assignExported(context, sub, name, value)
  const started = startAll(context, sub, frame, index, expanded, unwrap)
  state.outputs = sub.outputs
  state.files = sub.files
  return started
}

/**
 * Carries out `name=value`, `name+=value`, `name[key]=value` and `name=(…)`.
 *
 * @param texts the value, if it has been expanded already
 */
function assignFrom(
  context: Context,
  state: State,
  frame: Frame,
  { name, value, append, index }: Assignment,
  texts: Texts | undefined,
): void {
  if (value.type === 'ArrayValue') {
    arrayFrom(context, state, frame, name, value.elements, append === true)
    return
  }
  const given = texts ?? expandText(context, state, frame, value)
  if (index !== undefined) {
    const written = onlyValue(expandText(context, state, frame, index))
    const key = written === undefined ? undefined : arithmeticKey(context, state, written)
    const before = key === undefined ? undefined : variableOf(context, state, name).items?.get(key)
    assignItem(
      context,
      state,
      name,
      key,
      append === true && before !== undefined ? concatenateEach(before, given) : given,
    )
    return
  }
  if (append !== true) {
    assign(context, state, name, given)
    return
  }
  const { texts: before } = variableOf(context, state, name)
  assign(
    context,
    state,
    name,
    concatenateEach(
      mapTexts(before, (text) => (text.unset === true ? { value: '' } : text)),
      given,
    ),
  )
}

function arrayFrom(
  context: Context,
  state: State,
  frame: Frame,
  name: string,
  elements: Extract<Assignment['value'], { type: 'ArrayValue' }>['elements'],
  append: boolean,
): void {
  const before = append ? variableOf(context, state, name) : undefined
  let items =
    before?.items ??
    SharedMap.of<string, Texts>(before !== undefined && state.variables.has(name) ? [['0', before.texts]] : [])
  let open = before?.open === true
  let next = items.size
  for (const element of elements) {
    const keyed = /^\[([^\]]+)\]=/.exec(element.text)
    const ways = expandWord(context, state, frame, element)
    const [fields = []] = ways
    if (keyed !== null) {
      const text = fields[0]?.word.value ?? ''
      const key = (keyed[1] ?? '').replace(/^["']|["']$/g, '')
      items = items.with(key, [{ value: text.slice(text.indexOf(']=') + 2) }])
      continue
    }
    if (ways.length > 1) {
      const [first, ...rest] = ways.flatMap((one) => one.slice(0, 1).map(textOf))
      if (first !== undefined) items = items.with(String(next++), [first, ...rest])
      continue
    }
    for (const field of fields) {
      items = items.with(String(next++), [textOf(field)])
      open ||= field.word.several === true && field.word.pattern === undefined
    }
  }
  assignArray(context, state, name, items, open)
}
