import { type Called, type Builtin, operandsOf } from './builtin.ts'
import { assignItem } from '../state/variables.ts'
import {
  ended,
  expandedFrom,
  noteUnknownText,
  bothOutcomes,
  failed,
  type Frame,
  noteOf,
  type CommandOutcome,
  withReach,
  step,
  stepForEach,
  succeeded,
} from '../state/context.ts'
import { asCode } from '../start/emit.ts'
import { endsOf, inSubshell } from '../state/join.ts'
import { contentOf, printOutput } from '../start/redirect.ts'
import { copyState } from '../state/state.ts'
import { parametersOf } from '../start/call.ts'
import { bounded, literal, type ShellText, sourcesOfAll, textOf, wordOf } from '../values/text.ts'
import { unwrapFor } from '../../programs/table.ts'
import { runShaped } from '../start/shaped.ts'
import { startAll } from '../start/start.ts'
import { unknownPart } from '../../../model/shell.ts'

/** Makes the frame for the commands that `eval`, `trap` or another builtin runs. */
function inside({ frame, index, context }: Called, through: 'eval' | 'trap' | 'builtin'): Frame {
  const place = context.commands[index]?.place ?? frame.place
  const program = context.commands[index]?.program ?? ''
  const outer =
    through === 'builtin' ? withReach(frame, { through: 'wrapper', program }) : withReach(frame, { through })
  return { ...outer, startedBy: index, depth: frame.depth + 1, ...(place !== undefined && { place }) }
}

function runText(called: Called, text: ShellText, frame: Frame, program: string): CommandOutcome {
  const { context, state, index } = called
  const draft = context.commands[index]
  if (draft === undefined) return bothOutcomes(state)
  draft.wrapper = true
  if (noteUnknownText(draft, text.value, program)) {
    runShaped(context, state, frame, draft, wordOf(text).from)
    return bothOutcomes(state)
  }
  return context.text(text, state, frame)
}

const evaluate: Builtin = (called) => {
  const { context, index, state } = called
  const args = called.args[0]?.word.value === '--' ? called.args.slice(1) : called.args
  if (args.length === 0) return succeeded(state)
  asCode(context, index, ({ via }) => via === 'argument' || via === 'variable')
  const texts = args.map(textOf)
  const from = sourcesOfAll(texts)
  // Joined at once: to concatenate thousands of words one by one takes the square of their length.
  const text = bounded({ value: texts.map(({ value }) => ` ${value}`).join(''), ...(from !== undefined && { from }) })
  return runText(called, text, inside(called, 'eval'), 'eval')
}

const source: Builtin = (called) => {
  const { context, state, index } = called
  const args = called.args[0]?.word.value === '--' ? called.args.slice(1) : called.args
  const [file, ...parameters] = args
  if (file === undefined) return failed(state)
  const texts = contentOf(state, file.word)
  if (texts === undefined) return bothOutcomes(state)
  asCode(context, index, ({ via }) => via === 'descriptor' || via === 'pipe' || via === 'file')
  const before = state.parameters
  if (parameters.length > 0) state.parameters = parametersOf(parameters)
  const returns: typeof called.frame.exits = []
  const outcome = runText(
    called,
    texts.length === 1 ? texts[0] : { value: unknownPart },
    { ...inside(called, 'builtin'), returns },
    'source',
  )
  const end = outcome.ok ?? outcome.fail ?? returns[0]
  if (end === undefined) return ended
  end.parameters = before
  return { ok: end, fail: end }
}

const trap: Builtin = (called) => {
  const { state, context } = called
  const { rest } = operandsOf(called.args)
  const [handler, ...signals] = rest
  if (handler === undefined || signals.length === 0 || handler.word.value === '' || handler.word.value === '-')
    return succeeded(state)
  asCode(context, called.index, ({ via }) => via === 'argument' || via === 'variable')
  inSubshell(context, copyState(state), inside(called, 'trap'), (sub, frame) =>
    runText({ ...called, state: sub }, textOf(handler), frame, 'trap'),
  )
  return succeeded(state)
}

const exit: Builtin = ({ state, frame }) => {
  frame.exits.push(state)
  return ended
}

const returned: Builtin = ({ state, frame }) => {
  if (frame.returns === undefined) return bothOutcomes(state)
  frame.returns.push(state)
  return ended
}

const leave =
  (which: 'left' | 'again'): Builtin =>
  ({ state, frame, args }) => {
    let loop = frame.loop
    for (let times = Number(args[0]?.word.value ?? 1); times > 1 && loop?.outer !== undefined; times--)
      loop = loop.outer
    if (loop === undefined) return succeeded(state)
    loop[which].push(state)
    return ended
  }

/** `command` and `builtin`: they skip functions, but a builtin they run still changes this shell. */
const other =
  (how: 'looksUp' | 'runs'): Builtin =>
  (called) => {
    const { context, state, index, expanded } = called
    const args = called.args
    let at = 0
    for (; at < args.length; at++) {
      const value = args[at]?.word.value ?? ''
      if (how === 'looksUp' && /^-[a-z]*[vV]/.test(value)) {
        printOutput(context, state, index)
        return bothOutcomes(state)
      }
      if (value === '--') {
        at++
        break
      }
      if (!/^-[a-z]+$/.test(value)) break
    }
    const fields = args.slice(at)
    const draft = context.commands[index]
    if (fields.length === 0) return succeeded(state)
    if (draft !== undefined) draft.wrapper = true
    if (!step(context) || !stepForEach(context, fields.length)) return bothOutcomes(state)
    const before = state.functions
    state.functions = state.functions.emptied()
    const words = expandedFrom(fields, draft?.place ?? expanded.place)
    const outcome = context.words(words, state, inside(called, 'builtin'), false)
    for (const one of [state, ...endsOf(outcome)]) one.functions = before
    return outcome
  }

const exec: Builtin = (called) => {
  const { context, state, frame, index, expanded } = called
  if (called.args.length === 0) return succeeded(state)
  const unwrap = unwrapFor('exec')
  if (unwrap !== undefined) startAll(context, state, frame, index, expanded, unwrap)
  frame.exits.push(state)
  return ended
}

const alias: Builtin = ({ context, state, args, index }) => {
  if (args.some(({ word }) => /^-[a-z]*[gs]/.test(word.value)))
    noteOf(context, index, 'an alias for any word is not followed')
  // In csh, fish and nu, the name and the text are words of their own.
  const [first, ...rest] = args.map(({ word }) => word.value).filter((word) => word !== '=')
  if (first !== undefined && rest.length > 0 && /^[\w.+@][\w.+@-]*$/.test(first))
    state.aliases = state.aliases.with(first, rest.join(' '))
  for (const { word } of args) {
    const [, name, value] = /^([^=]+)=([^]*)$/.exec(word.value) ?? []
    if (name !== undefined && value !== undefined) state.aliases = state.aliases.with(name, value)
  }
  return succeeded(state)
}

const unalias: Builtin = ({ state, args }) => {
  if (args[0]?.word.value === '-a') state.aliases = state.aliases.emptied()
  for (const { word } of args) state.aliases = state.aliases.without(word.value)
  return succeeded(state)
}

/** `hash -p FILE NAME`, and zsh's `hash NAME=FILE`: an entry of the table of commands. */
const hash: Builtin = ({ context, state, args, index }) => {
  const words = args.map(({ word }) => word)
  const at = words.findIndex(({ value }) => value === '-p')
  const named = at === -1 ? [] : words.slice(at + 2).map(({ value }) => [value, words[at + 1]?.value ?? ''] as const)
  const given = words.flatMap(({ value }) => {
    const [, name, file] = /^([\w.+@-]+)=([^]+)$/.exec(value) ?? []
    return name === undefined || file === undefined ? [] : [[name, file] as const]
  })
  for (const [name, file] of [...named, ...given]) {
    noteOf(context, index, '`hash` changes which program a name stands for')
    assignItem(context, state, 'BASH_CMDS', name, [literal(file)])
  }
  return bothOutcomes(state)
}

/**
 * `enable`: `-n` disables builtins, so that programs of the name run; `-f` loads builtins from a file. Neither is
 * followed.
 */
const enable: Builtin = ({ context, state, args, index }) => {
  if (args.some(({ word }) => /^-[a-z]*[nfd]/.test(word.value)))
    noteOf(context, index, '`enable` changes which builtins there are')
  return bothOutcomes(state)
}

const wait: Builtin = ({ state }) => {
  state.running = false
  return bothOutcomes(state)
}

const disown: Builtin = ({ state }) => {
  state.detached ||= state.running
  return bothOutcomes(state)
}

export const controlBuiltins: Readonly<Record<string, Builtin>> = {
  eval: evaluate,
  source,
  '.': source,
  trap,
  exit,
  logout: exit,
  return: returned,
  break: leave('left'),
  continue: leave('again'),
  command: other('looksUp'),
  builtin: other('runs'),
  exec,
  alias,
  unalias,
  hash,
  enable,
  wait,
  disown,
}
