import { posix } from 'node:path'
import { limits, shellLimits } from '../../../model/limits.ts'
import {
  type ShellBind,
  type ShellFlow,
  type ShellView,
  type ShellWord,
  type TouchedPath,
  unknownPart,
} from '../../../model/shell.ts'
import { isWithin } from '../../../words/paths.ts'
import { textOf, type Texts, unknown, wordOf } from '../values/text.ts'
import { inFolder } from '../../programs/words.ts'
import type { Bind, EditedFile, StartedIn, Starts, Unwrap } from '../../programs/starts.ts'
import {
  type Context,
  type Draft,
  type Expanded,
  expandedFrom,
  type Frame,
  noteLeftOut,
  noteUnknownText,
  step,
  stepForEach,
  stepForText,
  withReach,
} from '../state/context.ts'
import {
  absoluteIn,
  below,
  hereOf,
  type PathContext,
  placeFor,
  placeOf,
  type TouchedHow,
  touchedPath,
} from '../../paths/index.ts'
import { recordEffects, type Role } from '../../programs/effects.ts'
import { programNamed } from '../../programs/table.ts'
import { startsProgram } from '../../programs/command-text.ts'
import { analyseCode, hasOnlyTemporaryNames } from './code.ts'
import { asCode } from './emit.ts'
import { inSubshell } from '../state/join.ts'
import { contentOf } from './redirect.ts'
import { runShaped } from './shaped.ts'
import type { Parameters, State } from '../state/state.ts'
import { assignExported, exportedOnly, variableOf } from '../state/variables.ts'

/**
 * Runs what a command starts, as found by the unwrapper of its program, with every possible value of a variable.
 * Returns whether it starts anything.
 */
export function startAll(
  context: Context,
  state: State,
  frame: Frame,
  index: number,
  expanded: Expanded,
  unwrap: Unwrap,
): boolean {
  const draft = context.commands[index]
  if (draft === undefined) return false
  let started = false
  let choices = 1
  const starter: Starter = { context, state, frame, index, draft, expanded, contents: new Set() }
  for (let choice = 0; choice < Math.min(choices, shellLimits.possibleMax); choice++) {
    const starts = startsOf(starter, {
      choice,
      chosen: (count) => (choices = Math.max(choices, count)),
      started: () => (started = true),
    })
    unwrap(draft, starts)
  }
  return started
}

/** A command that starts others. */
interface Starter {
  readonly context: Context
  readonly state: State
  readonly frame: Frame
  readonly index: number
  readonly draft: Draft
  readonly expanded: Expanded
  /** Contents of files that its unwrapper has read. */
  readonly contents: Set<ShellWord>
}

interface Choices {
  readonly choice: number
  readonly chosen: (count: number) => void
  readonly started: () => void
}

function startsOf(starter: Starter, { choice, chosen, started }: Choices): Starts {
  const { context, state, index, draft, expanded, contents } = starter
  const starts: Starts = {
    words: (words, where) => {
      started()
      startWords(starter, words, where)
    },
    script: (text, where) => {
      started()
      startScript(starter, text, where)
    },
    code: (language, text, where) => {
      noteText(starter, text)
      const { words, script, variable } = starts
      analyseCode(context, draft, { words, script, variable }, language, text, where)
    },
    variable: (name) => {
      const own = expanded.assignments.findLast((one) => one.name === name)
      if (own !== undefined) return own.value
      const { texts, exported } = variableOf(context, state, name)
      if (exported !== true) return undefined
      chosen(texts.length)
      const text = texts[choice] ?? texts[0]
      return text.unset === true ? undefined : wordOf(text)
    },
    content: (file) => {
      const texts = contentOf(state, file)
      if (texts === undefined) return undefined
      const word = texts.length === 1 ? wordOf(texts[0]) : wordOf(unknown())
      contents.add(word)
      return word
    },
    named: (value) => wordOf({ value, from: [{ command: index, via: 'argument' }] }),
    areProgram: (words) => startsProgram(words, 0, 'likely'),
    touch: (word, role, how) => touchAs(starter, word, role, how),
    touchOutside: (word, role) => touchAs(starter, word, role, {}, ({ root }) => root === undefined),
    edits: (text, read) => {
      if (stepForText(context, 4 * text.length)) recordEdits(starter, read(text))
    },
    unread: () => {
      context.unread = true
    },
    uncertain: (what) => {
      draft.uncertain.push(what)
    },
    leftOut: (what) => noteLeftOut(context, draft, what),
    wrapper: () => {
      draft.wrapper = true
    },
  }
  return starts
}

function touchAs(
  { context, draft }: Starter,
  word: ShellWord | undefined,
  role: Role,
  how?: TouchedHow,
  counts: (path: TouchedPath) => boolean = () => true,
): void {
  const recorder = recordEffects(placeFor(draft, placeOf(context.around)))
  recorder.touch(word, role, how)
  draft.paths = [...draft.paths, ...recorder.effects().paths.filter(counts)]
}

/** Returns the workspace roots that hold the working directory: its repository's top may be one of them. */
const topsAbove = ({ roots, cwd }: PathContext): readonly string[] =>
  cwd === undefined ? [] : roots.filter((root) => isWithin(cwd, root))

function recordEdits({ context, index, draft }: Starter, files: readonly EditedFile[]): void {
  const recorder = recordEffects(placeFor(draft, placeOf(context.around)))
  for (const { file, role, removed: before, added: after, fromTop } of files) {
    const tops = fromTop === undefined ? [] : topsAbove(recorder.place)
    const words = [file, ...tops.map((top) => inFolder({ value: top }, fromTop ?? file))]
    const paths = new Map(
      words.map((word) => [touchedPath(word, 'write', recorder.place).absolute ?? word.value, word]),
    )
    for (const [path, word] of paths) {
      recorder.touch(word, role)
      if (draft.elsewhere !== true && context.texts.length < limits.changedFilesMax)
        context.texts.push({ path, before, after, at: index })
    }
  }
  const { paths, leftOut } = recorder.effects()
  if (leftOut !== undefined) noteLeftOut(context, draft, leftOut)
  draft.paths = [...draft.paths, ...paths]
}

function startWords(starter: Starter, words: readonly ShellWord[], where: StartedIn | undefined): void {
  const { context, state, draft, expanded } = starter
  if (!step(context)) return
  const known = new Map(expanded.fields.map((field) => [field.word, field]))
  const fields = words.map((word) => known.get(word) ?? { word })
  inSubshell(context, state, startedFrame(starter, where), (sub, within) => {
    placeAt(context, sub, where)
    return context.words(expandedFrom(fields, draft.place, where?.assignments), sub, within, true)
  })
}

function startScript(starter: Starter, text: ShellWord, where: StartedIn | undefined): void {
  const { context, state } = starter
  if (where?.guessed !== true && noteText(starter, text)) {
    runShaped(context, state, startedFrame(starter, where), starter.draft, text.from)
    return
  }
  inSubshell(context, state, startedFrame(starter, where), (sub, within) => {
    sub.variables = exportedOnly(context, sub)
    sub.functions = exportedFunctionsOnly(context, sub)
    sub.aliases = sub.aliases.emptied()
    sub.exitsOnFailure = false
    sub.exportsAll = false
    placeAt(context, sub, where)
    sub.parameters = scriptParameters(where?.parameters ?? [])
    return context.text(textOf({ word: text }), sub, within)
  })
}

function exportedFunctionsOnly(context: Context, { functions, exportedFunctions }: State): State['functions'] {
  stepForEach(context, exportedFunctions.size)
  const exported = [...exportedFunctions.keys()].flatMap((name) => {
    const bodies = functions.get(name)
    return bodies === undefined ? [] : [[name, bodies] as const]
  })
  return functions.emptied().withAll(exported)
}

function startedFrame({ context, frame, index, draft }: Starter, where: StartedIn | undefined): Frame {
  const { program } = draft
  const connected = programNamed(program)?.row.connects
  const given = where?.stdin === 'arguments'
  const reach = where?.reach ?? {
    through: 'wrapper',
    program,
    ...(connected && { connected }),
    ...(given && { given }),
  }
  const { binds: around, container: outerContainer, ...outer } = frame
  const isLeft = where?.elsewhere === true && where.binds === undefined
  const isOut = where?.elsewhere === true || where?.leaves === true
  const container = isOut ? where.container : outerContainer
  const binds = where?.binds === undefined ? around : bindsWithin(where.binds, draft, context.around.home)
  return {
    ...withReach(outer, reach),
    ...(!isLeft && binds !== undefined && { binds }),
    startedBy: index,
    place: draft.place,
    ...(where?.elsewhere === true && { elsewhere: true }),
    ...(container !== undefined && { container }),
    ...(where?.user !== undefined && { user: where.user }),
    ...(where?.guessed === true && { guessed: true }),
  }
}

/** Marks the flows that carry a text that a command runs. Returns whether nothing of the text is known. */
function noteText({ context, index, draft, contents }: Starter, text: ShellWord): boolean {
  asCode(context, index, codeFlow(draft, text, contents))
  return !hasOnlyTemporaryNames(context, text) && noteUnknownText(draft, text.value, draft.program)
}

/** Makes a script's parameters from words, the first of which is `$0`. */
function scriptParameters(words: readonly ShellWord[]): Parameters {
  const [name, ...list] = words.map((word): Texts => [textOf({ word })])
  const open = words.some(({ several }) => several === true)
  return { list, ...(name !== undefined && { name }), ...(open && { open: true }) }
}

/** Applies to the state where the started command runs: its folder, stdin and environment. */
function placeAt(context: Context, state: State, where: StartedIn | undefined): void {
  if (where === undefined) return
  if ('cwd' in where || where.elsewhere === true) state.folders = [where.cwd]
  if (where.stdin !== undefined) state.descriptors = state.descriptors.without(0)
  if (where.emptyEnvironment === true) {
    state.variables = state.variables.emptied()
    state.bare = true
  }
  for (const { name, value } of where.assignments ?? []) assignExported(context, state, name, value)
}

/** Returns a filter for the flows into a command that carry the text it runs. */
function codeFlow(draft: Draft, text: ShellWord, contents: ReadonlySet<ShellWord>): (flow: ShellFlow) => boolean {
  if (contents.has(text)) return ({ via }) => via === 'descriptor' || via === 'file' || via === 'pipe'
  if (text === draft.stdin) {
    const given = draft.redirections.some(({ operator }) => operator === '<<' || operator === '<<<')
    return ({ via }) => via === 'pipe' || via === 'descriptor' || (given && (via === 'argument' || via === 'variable'))
  }
  return ({ via }) => via === 'argument' || via === 'variable'
}

/**
 * Returns the binds of a command that a starter gives folders of its own. Where the starter is in a container itself,
 * only those of its folders count that it has from this machine.
 */
function bindsWithin(
  binds: readonly Bind[],
  { cwd, view, elsewhere }: Draft,
  home: string | undefined,
): readonly ShellBind[] {
  const fromHome = (path: string) => (home === undefined ? path : path.replace(/^~(?=\/|$)/, home))
  const around: ShellView = view ?? { ...(cwd !== undefined && { cwd }), binds: [] }
  return binds.flatMap(({ here, there: place }): readonly ShellBind[] => {
    const there = posix.resolve('/', fromHome(place))
    if (here === undefined) return [{ there }]
    const outer = absoluteIn(around, fromHome(here.value))
    // An unknown folder may be any, so it stays unknown where it is used.
    if (outer === undefined) return here.value.startsWith(unknownPart) ? [{ here: here.value, there }] : []
    const moved = view === undefined ? (elsewhere === true ? undefined : outer) : hereOf(outer, around.binds)
    const inside = around.binds.flatMap((one) => {
      const way = one.there === outer ? undefined : below(outer, one.there)
      return way === undefined ? [] : [{ ...one, there: posix.join(there, way) }]
    })
    return [...(moved === undefined ? [] : [{ here: moved, there }]), ...inside]
  })
}
