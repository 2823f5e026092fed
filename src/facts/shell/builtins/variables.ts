import { bothOutcomes, type CommandOutcome, stepForEach, succeeded } from '../state/context.ts'
import { SharedMap } from '../state/shared-map.ts'
import type { Variable } from '../state/state.ts'
import { assign, assignItem, mark, unsetVariable, variableOf, isName } from '../state/variables.ts'
import { concatenateEach, mapTexts, literal, type Texts, unknown, unsetOnly, textOf } from '../values/text.ts'
import { parametersOf } from '../start/call.ts'
import { type Builtin, type Called, operandsOf } from './builtin.ts'

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
    if (/^[-+][A-Za-z]*e/.test(value)) state.exitsOnFailure = value.startsWith('-')
    if (/^[-+][A-Za-z]*o$/.test(value)) {
      at++
      if (args[at]?.word.value === 'errexit') state.exitsOnFailure = value.startsWith('-')
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

/** Builtins after which the assignments before them stay in effect. */
export const declaring: ReadonlySet<string> = new Set(['export', 'readonly', 'declare', 'typeset', 'local'])
