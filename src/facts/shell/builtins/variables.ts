import { bothOutcomes, type CommandOutcome, failed, stepForEach, succeeded } from '../state/context.ts'
import { SharedMap } from '../state/shared-map.ts'
import { copyState, folders, type State, type Variable } from '../state/state.ts'
import { assign, assignItem, folderTexts, isName, mark, unsetVariable, variableOf } from '../state/variables.ts'
import {
  concatenateEach,
  fieldOfText,
  literal,
  mapTexts,
  textOf,
  type Texts,
  unknown,
  unsetOnly,
} from '../values/text.ts'
import { parametersOf } from '../start/call.ts'
import { type Builtin, type Called, operandsOf } from './builtin.ts'
import { isWithin } from '../../../words/paths.ts'
import type { ShellWord } from '../../../model/shell.ts'
import { type Folder, folderIn } from '../../paths/index.ts'

const assignment = /^([A-Za-z_]\w*)(?:\[([^\]]*)\])?(\+?=)([^]*)$/

/** `declare`, `local` and the like. Attributes are set first, since they change the assigned values. */
function declared(called: Called, marks: Partial<Variable>, hides: boolean): CommandOutcome {
  const { context, state, frame, args } = called
  const { letters, rest } = operandsOf(args)
  if (/f/i.test(letters)) {
    const exports = marks.exported === true || letters.includes('x')
    const names = rest.map(({ word }) => word.value)
    if (exports) state.exportedFunctions = state.exportedFunctions.withAll(names.map((name) => [name, true]))
    return names.every((name) => state.functions.has(name)) ? succeeded(state) : bothOutcomes(state)
  }
  const wanted: Partial<Variable> = {
    ...marks,
    ...(/(^|[^+])x/.test(letters) && { exported: true }),
    ...(letters.includes('l') && { letters: 'lower' }),
    ...(letters.includes('u') && { letters: 'upper' }),
  }
  for (const field of rest) {
    const { value } = field.word
    const found = assignment.exec(value)
    const name = found?.[1] ?? value
    if (!isName(name)) continue
    if (hides && frame.hidden !== undefined) {
      if (!frame.hidden.has(name)) frame.hidden.set(name, state.variables.get(name))
      if (found === null) state.variables = state.variables.with(name, { texts: unsetOnly })
    }
    if (letters.includes('n')) {
      const target = found?.[4] ?? ''
      if (isName(target) && target !== name)
        state.variables = state.variables.with(name, { texts: unsetOnly, reference: target })
      continue
    }
    if (Object.keys(wanted).length > 0) mark(context, state, name, wanted)
    if (letters.includes('a') || letters.includes('A'))
      mark(context, state, name, { items: variableOf(context, state, name).items ?? SharedMap.of() })
    if (found === null) continue
    const text = textOf(field)
    const given: Texts = [{ ...text, value: found[4] ?? '' }]
    if (found[2] !== undefined) assignItem(context, state, name, found[2], given)
    else if (found[3] === '+=') {
      const before = mapTexts(variableOf(context, state, name).texts, (one) => (one.unset === true ? literal('') : one))
      assign(context, state, name, concatenateEach(before, given))
    } else assign(context, state, name, given)
  }
  return succeeded(state)
}

const unsetNames: Builtin = ({ state, args }) => {
  const { letters, rest } = operandsOf(args)
  for (const { word } of rest) {
    if (letters.includes('f')) state.functions = state.functions.without(word.value)
    else if (state.variables.get(word.value)?.reference !== undefined && letters.includes('n'))
      state.variables = state.variables.without(word.value)
    else if (isName(word.value)) unsetVariable(state, word.value)
    if (letters === '' && !state.variables.has(word.value)) state.functions = state.functions.without(word.value)
  }
  return succeeded(state)
}

const exported: Builtin = (called) => {
  if (!/^-[a-z]*n/.test(called.args[0]?.word.value ?? '')) return declared(called, { exported: true }, false)
  for (const { word } of called.args.slice(1)) {
    const { exported: _, ...variable } = variableOf(called.context, called.state, word.value)
    called.state.variables = called.state.variables.with(word.value, variable)
  }
  return succeeded(called.state)
}

const set: Builtin = ({ state, args }) => {
  for (let at = 0; at < args.length; at++) {
    const value = args[at]?.word.value ?? ''
    if (value === '--' || value === '-' || !/^[-+]/.test(value)) {
      const list = args.slice(/^--?$/.test(value) ? at + 1 : at)
      if (value !== '-' || list.length > 0) {
        state.parameters = parametersOf(list)
      }
      break
    }
    const isOn = value.startsWith('-')
    if (/^[-+][A-Za-z]*e/.test(value)) state.exitsOnFailure = isOn
    if (/^[-+][A-Za-z]*a/.test(value)) state.exportsAll = isOn
    if (/^[-+][A-Za-z]*o$/.test(value)) {
      at++
      if (args[at]?.word.value === 'errexit') state.exitsOnFailure = isOn
      if (args[at]?.word.value === 'allexport') state.exportsAll = isOn
    }
  }
  return succeeded(state)
}

const shift: Builtin = ({ context, state, args }) => {
  const count = /^\d+$/.test(args[0]?.word.value ?? '1') ? Number(args[0]?.word.value ?? 1) : undefined
  const { list, open } = state.parameters
  stepForEach(context, list.length)
  if (count === undefined || (count > list.length && open === true)) state.parameters = { list: [], open: true }
  else if (count <= list.length) state.parameters = { ...state.parameters, list: list.slice(count) }
  return count !== undefined && count <= list.length ? succeeded(state) : bothOutcomes(state)
}

const getopts: Builtin = ({ context, state, args }) => {
  const name = args[1]?.word.value ?? ''
  if (isName(name)) assign(context, state, name, [unknown(name)])
  assign(context, state, 'OPTARG', [unknown('OPTARG')])
  return bothOutcomes(state)
}

const calculate: Builtin = ({ context, state, frame, args, index }) => {
  const place = context.commands[index]?.place
  const inside = { ...frame, depth: frame.depth + 1, ...(place !== undefined && { place }) }
  for (const field of args) {
    if (/^[\w\s+*/%<>=!&|^?:,-]*$/.test(field.word.value))
      context.text(literal(`((${field.word.value}))`), state, inside)
  }
  return bothOutcomes(state)
}

const declare: Builtin = (called) =>
  declared(called, {}, !called.args.some(({ word }) => /^-[a-zA-Z]*g/.test(word.value)))
const local: Builtin = (called) => declared(called, {}, true)
const readonly: Builtin = (called) => declared(called, {}, false)

export const variableBuiltins: Readonly<Record<string, Builtin>> = {
  declare,
  typeset: declare,
  local,
  readonly,
  export: exported,
  unset: unsetNames,
  set,
  shift,
  getopts,
  let: calculate,
}

/** Folders that exist on every system, so that `cd` to them cannot fail. */
const everywhere = new Set([
  '/',
  '/tmp',
  '/etc',
  '/usr',
  '/var',
  '/home',
  '/bin',
  '/dev',
  '/usr/bin',
  '/var/tmp',
  '/var/log',
  '/opt',
  '/root',
])

const cd: Builtin = (called) => {
  const { context, state, args } = called
  const { rest } = operandsOf(args)
  const [target, more] = rest
  if (more !== undefined) return failed(state)
  const wordsOf = (name: string) => variableOf(context, state, name).texts.map((text) => fieldOfText(text).word)
  if (target === undefined) return go(called, wordsOf('HOME'))
  if (target.word.value === '-') return go(called, wordsOf('OLDPWD'))
  if (target.word.value === '') return succeeded(state)
  return go(called, [target.word])
}

/**
 * Changes to one of the target folders, relative to each possible current one. On failure the shell stays where it is.
 */
function go(called: Called, targets: readonly ShellWord[]): CommandOutcome {
  const { state, context } = called
  const next = state.folders.flatMap((from) => targets.map((target) => folderIn(from, target)))
  const home = context.around.home
  const certain = next.every(
    (one, at) => typeof one === 'string' && (everywhere.has(one) || one === home || isAbove(one, state.folders[at])),
  )
  const stays = certain ? undefined : copyState(state)
  moved(called, state, next)
  return { ok: state, fail: stays }
}

const isAbove = (folder: string, of: Folder) => typeof of === 'string' && isWithin(of, folder)

function moved({ context }: Called, state: State, next: readonly Folder[]): void {
  const before = variableOf(context, state, 'PWD').texts
  state.folders = folders(next)
  assign(context, state, 'OLDPWD', before)
  assign(context, state, 'PWD', folderTexts(state))
}

const pushd: Builtin = (called) => {
  const { state, args } = called
  const { rest } = operandsOf(args)
  const [target] = rest
  const [from] = state.folders
  if (target === undefined) {
    const [top] = state.pushed
    if (state.pushed.length === 0) return failed(state)
    state.pushed = [from, ...state.pushed.slice(1)]
    moved(called, state, [top])
    return bothOutcomes(state)
  }
  if (/^[-+]\d+$/.test(target.word.value)) {
    moved(called, state, [undefined])
    state.pushed = []
    return bothOutcomes(state)
  }
  const pushed = [state.folders.length === 1 ? from : undefined, ...state.pushed]
  const outcome = cd({ ...called, args: [target] })
  if (outcome.ok !== undefined) outcome.ok.pushed = pushed
  return outcome
}

const popd: Builtin = (called) => {
  const { state } = called
  const [top, ...rest] = state.pushed
  if (state.pushed.length === 0) return failed(state)
  state.pushed = rest
  moved(called, state, [top])
  return succeeded(state)
}

export const folderBuiltins: Readonly<Record<string, Builtin>> = { cd, chdir: cd, pushd, popd }
