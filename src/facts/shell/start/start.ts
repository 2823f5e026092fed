import { shellLimits } from '../../../model/limits.ts'
import { type ShellFlow, type ShellReach, type ShellWord } from '../../../model/shell.ts'
import { type Field, textOf, type Texts, unknown, wordOf } from '../values/text.ts'
import type { StartedIn, Starts, Unwrap } from '../../programs/starts.ts'
import {
  type Context,
  type Draft,
  type Expanded,
  expandedFrom,
  type Frame,
  noteLeftOut,
  noteUnknownText,
  step,
} from '../state/context.ts'
import { analyseCode } from './code.ts'
import { asCode } from './emit.ts'
import { inSubshell } from '../state/join.ts'
import { contentOf } from './redirect.ts'
import { noMap, type Parameters, type State, withoutEntry } from '../state/state.ts'
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
  for (let choice = 0; choice < Math.min(choices, shellLimits.possibleMax); choice++) {
    const starts = startsOf(context, state, frame, index, draft, expanded, {
      choice,
      chosen: (count) => (choices = Math.max(choices, count)),
      started: () => (started = true),
    })
    unwrap(draft, starts)
  }
  return started
}

interface Choices {
  readonly choice: number
  readonly chosen: (count: number) => void
  readonly started: () => void
}

function startsOf(
  context: Context,
  state: State,
  frame: Frame,
  index: number,
  draft: Draft,
  expanded: Expanded,
  { choice, chosen, started }: Choices,
): Starts {
  const contents = new Set<ShellWord>()
  const wrapper: ShellReach = { through: 'wrapper', program: draft.program }
  const inside = (where: StartedIn | undefined): Frame => ({
    ...frame,
    reach: [...frame.reach, where?.reach ?? wrapper],
    startedBy: index,
    place: draft.place,
    ...(where?.elsewhere === true && { elsewhere: true }),
    ...(where?.user !== undefined && { user: where.user }),
  })
  const runsText = (text: ShellWord) => {
    asCode(context, index, codeFlow(draft, text, contents))
    return noteUnknownText(draft, text.value, draft.program)
  }
  const starts: Starts = {
    words: (words, where) => {
      started()
      if (!step(context, 1 + words.length / shellLimits.startedWordsPerStep)) return
      const fields = words.map((word) => fieldOf(expanded, word))
      inSubshell(context, state, inside(where), (sub, within) => {
        place(context, sub, where)
        return context.words(expandedFrom(fields, draft.place, where?.assignments), sub, within, true)
      })
    },
    script: (text, where) => {
      started()
      if (runsText(text)) return
      inSubshell(context, state, inside(where), (sub, within) => {
        const variables = exportedOnly(sub)
        sub.variables.clear()
        for (const [name, variable] of variables) sub.variables.set(name, variable)
        sub.functions =
          sub.exportedFunctions.size === 0
            ? noMap
            : new Map([...sub.functions].filter(([name]) => sub.exportedFunctions.has(name)))
        sub.aliases = noMap
        sub.exitsOnFailure = false
        place(context, sub, where)
        sub.parameters = scriptParameters(where?.parameters ?? [])
        return context.text(textOf({ word: text }), sub, within)
      })
    },
    code: (language, text, where) => {
      runsText(text)
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

const fieldOf = (expanded: Expanded, word: ShellWord): Field =>
  expanded.fields.find((field) => field.word === word) ?? { word }

/** Makes a script's parameters from words, the first of which is `$0`. */
function scriptParameters(words: readonly ShellWord[]): Parameters {
  const [name, ...list] = words.map((word): Texts => [textOf({ word })])
  const open = words.some(({ several }) => several === true)
  return { list, ...(name !== undefined && { name }), ...(open && { open: true }) }
}

/** Applies to the state where the started command runs: its folder, stdin and environment. */
function place(context: Context, state: State, where: StartedIn | undefined): void {
  if (where === undefined) return
  if ('cwd' in where || where.elsewhere === true) state.folders = [where.cwd]
  if (where.stdin !== undefined) state.descriptors = withoutEntry(state.descriptors, 0)
  if (where.emptyEnvironment === true) {
    state.variables.clear()
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
