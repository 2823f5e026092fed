import { bothOutcomes, failed, type CommandOutcome, succeeded } from '../state/context.ts'
import { printOutput, readable } from '../start/redirect.ts'
import { SharedMap } from '../state/shared-map.ts'
import { assignNamed, assignArray, variableOf, isName } from '../state/variables.ts'
import { fieldsOf } from '../expand/fields.ts'
import { formatPrintf } from '../outputs/printf.ts'
import {
  deriveText,
  empty,
  isKnown,
  literal,
  onlyValue,
  type ShellText,
  sourcesOfAll,
  type Texts,
  type TextSource,
  unknown,
  textOf,
} from '../values/text.ts'
import { unwrapFor } from '../../programs/table.ts'
import { startAll } from '../start/start.ts'
import type { Builtin, Called } from './builtin.ts'
import { unknownPart } from '../../../model/shell.ts'

interface ReadOptions {
  readonly raw: boolean
  readonly array: string | undefined
  readonly names: readonly string[]
  readonly descriptor: number
  readonly delimiter: string
  /** A number of characters is read instead of whole lines: `-n`, `-N`. */
  readonly partly: boolean
}

function readOptionsOf({ args }: Called): ReadOptions {
  let raw = false
  let array: string | undefined
  let descriptor = 0
  let delimiter = '\n'
  let partly = false
  let at = 0
  for (; at < args.length; at++) {
    const value = args[at]?.word.value ?? ''
    if (!/^-[a-zA-Z]/.test(value)) break
    for (let letter = 1; letter < value.length; letter++) {
      const name = value.charAt(letter)
      if (name === 'r') raw = true
      if (!'adinNptu'.includes(name)) continue
      const given = letter + 1 < value.length ? value.slice(letter + 1) : (args[++at]?.word.value ?? '')
      if (name === 'a') array = given
      if (name === 'u') descriptor = Number(given)
      if (name === 'd') delimiter = given.charAt(0)
      if (name === 'n' || name === 'N') partly = true
      break
    }
  }
  const names = args.slice(at).map(({ word }) => word.value)
  return { raw, array, descriptor, delimiter, partly, names: names.length === 0 ? ['REPLY'] : names }
}

const read: Builtin = (called) => {
  const { state } = called
  const options = readOptionsOf(called)
  const texts = readable(state, options.descriptor)
  const text = texts?.length === 1 ? texts[0] : undefined
  const whole = text !== undefined && isKnown(text) && !options.partly && options.delimiter !== ''
  if (!whole) {
    give(called, options, unknownLines(texts, called.index, options), true)
    return bothOutcomes(state)
  }
  if (text.value === '') {
    give(called, options, empty, false)
    return failed(state)
  }
  const end = text.value.indexOf(options.delimiter)
  const line = end === -1 ? text.value : text.value.slice(0, end)
  const rest = end === -1 ? '' : text.value.slice(end + 1)
  const input = state.descriptors.get(options.descriptor)
  if (input?.kind === 'input') {
    state.descriptors = state.descriptors.with(options.descriptor, { ...input, texts: [deriveText(text, rest)] })
  }
  const value = options.raw ? line : line.replace(/\\(.)/gs, '$1')
  give(called, options, deriveText(text, value), false)
  return end === -1 ? failed(state) : succeeded(state)
}

/** Returns the possible text of an unknown line: the whole input, if that is a single, partly known line. */
function unknownLines(texts: Texts | undefined, index: number, { names }: ReadOptions): ShellText {
  const text = texts?.length === 1 ? texts[0] : undefined
  const from = readFrom(texts, index)
  if (text !== undefined && /^[^\n]*\n?$/.test(text.value) && text.value.length > 2)
    return deriveText(text, text.value.replace(/\n$/, ''))
  return unknown(names[0], from)
}

/** Returns the origin of what is read: the commands that wrote it, or for a file the one that reads it. */
const readFrom = (texts: Texts = [unknown()], index: number): readonly TextSource[] =>
  sourcesOfAll(texts) ?? [{ command: index, via: 'variable' }]

function give({ context, state }: Called, { array, names }: ReadOptions, line: ShellText, open: boolean): void {
  const ifs = onlyValue(variableOf(context, state, 'IFS').texts)
  if (array !== undefined) {
    const fields = fieldsOf([{ text: line, quoted: false, splits: true }], ifs)
    assignArray(
      context,
      state,
      array,
      SharedMap.of(fields.map((field, at) => [String(at), [{ ...textOf(field) }] as const])),
      open,
    )
    return
  }
  let rest = ifs === undefined || ifs === '' ? line : deriveText(line, trimmed(line.value, ifs))
  for (const [at, name] of names.entries()) {
    if (at === names.length - 1) {
      assignNamed(context, state, name, [rest.value === unknownPart ? unknown(name, rest.from) : rest])
      break
    }
    if (!isKnown(rest)) {
      assignNamed(context, state, name, [unknown(name, rest.from)])
      continue
    }
    const separator = ifs === undefined || ifs === '' ? -1 : rest.value.split('').findIndex((one) => ifs.includes(one))
    assignNamed(context, state, name, [
      deriveText(rest, separator === -1 ? rest.value : rest.value.slice(0, separator)),
    ])
    rest = deriveText(rest, separator === -1 ? '' : trimmed(rest.value.slice(separator + 1), ifs ?? ''))
  }
}

function trimmed(value: string, ifs: string): string {
  const spaces = new Set(ifs.split('').filter((one) => /\s/.test(one)))
  let from = 0
  let to = value.length
  while (from < to && spaces.has(value.charAt(from))) from++
  while (to > from && spaces.has(value.charAt(to - 1))) to--
  return value.slice(from, to)
}

const mapfile: Builtin = (called): CommandOutcome => {
  const { context, state, args, frame, index, expanded } = called
  let name = 'MAPFILE'
  let trims = false
  for (let at = 0; at < args.length; at++) {
    const value = args[at]?.word.value ?? ''
    if (value.startsWith('-')) {
      if (value.includes('t')) trims = true
      if (/[dnOsuCc]$/.test(value)) at++
    } else name = value
  }
  const texts = readable(state, 0)
  const text = texts?.length === 1 ? texts[0] : undefined
  if (isName(name)) {
    const from = readFrom(texts, index)
    if (text === undefined || !isKnown(text))
      assignArray(context, state, name, SharedMap.of([['0', [unknown(name, from)] as const]]), true)
    else {
      const lines = text.value.replace(/\n$/, '').split('\n')
      const items = lines.map(
        (line, at) => [String(at), [deriveText(text, trims ? line : `${line}\n`)] as const] as const,
      )
      assignArray(
        context,
        state,
        name,
        SharedMap.of(text.value === '' ? [] : items.slice(0, 1000)),
        items.length > 1000,
      )
    }
  }
  const unwrap = unwrapFor('mapfile')
  if (unwrap !== undefined) startAll(context, state, frame, index, expanded, unwrap)
  return bothOutcomes(state)
}

/** `printf -v NAME`. Without `-v`, the builtin prints like the program. */
function printfInto({ context, state, args }: Called): void {
  const [, name, format, ...rest] = args
  if (name === undefined || format === undefined) return
  const several = rest.some(({ word }) => word.several === true)
  const text = several
    ? undefined
    : formatPrintf(
        format.word.value,
        rest.map(({ word }) => word.value),
      )
  const from = rest.flatMap((one) => one.from ?? [])
  const value =
    text === undefined ? unknown(name.word.value, from) : { ...literal(text), ...(from.length > 0 && { from }) }
  assignNamed(context, state, name.word.value, [value])
}

const printf: Builtin = (called) => {
  if (called.args[0]?.word.value === '-v') printfInto(called)
  else printOutput(called.context, called.state, called.index)
  return succeeded(called.state)
}

export const inputBuiltins: Readonly<Record<string, Builtin>> = { read, mapfile, readarray: mapfile, printf }
