import { textFormOf } from '../../programs/table.ts'
import { posix } from 'node:path'
import type { HereDoc, HereString, Redirect, Redirection } from 'unbash'
import { shellLimits } from '../../../model/limits.ts'
import { type ShellRedirection, type ShellWord, unknownPart } from '../../../model/shell.ts'
import { bounded, type LeftOut } from '../../bounds.ts'
import { expandText, expandWord, heredocTexts } from '../expand/words.ts'
import {
  commonText,
  concatenate,
  concatenateEach,
  empty,
  type Field,
  literal,
  mapTexts,
  type ShellText,
  sourcesOfAll,
  type Texts,
  unknown,
  wordOf,
} from '../values/text.ts'
import { type Context, type Draft, type Frame, note, noteLeftOut, stepForEach } from '../state/context.ts'
import type { Descriptor, Sink, State } from '../state/state.ts'
import { assign } from '../state/variables.ts'
import { isSilent, outputOf } from '../outputs/outputs.ts'

type Descriptors = State['descriptors']

/** Applies redirections in order, and returns them as facts. */
export function redirect(
  context: Context,
  state: State,
  frame: Frame,
  redirections: readonly Redirection[],
): readonly ShellRedirection[] {
  const list: ShellRedirection[] = []
  for (const one of redirections) {
    if (!stepForEach(context, 1)) break
    const number = one.descriptor?.type === 'FileDescriptor' ? one.descriptor.value : undefined
    const named = one.descriptor?.type === 'FileDescriptorVariable' ? one.descriptor.name : undefined
    const variable = named?.replace(/^\{|\}$/g, '')
    if (one.type === 'Redirect') {
      openFile(context, state, frame, one, number, variable, list)
      continue
    }
    const descriptor = descriptorFor(context, state, number, variable, 0)
    const texts =
      one.type === 'HereDoc' ? documentTexts(context, state, frame, one) : stringTexts(context, state, frame, one)
    const operator = one.type === 'HereDoc' ? '<<' : '<<<'
    state.descriptors = state.descriptors.with(descriptor, { kind: 'input', texts, operator })
    for (const text of texts) list.push({ operator, descriptor, target: wordOf(text) })
  }
  return list
}

/** Returns a heredoc's text. With `<<-`, leading tabs are removed from its lines. */
function documentTexts(context: Context, state: State, frame: Frame, { delimiter, body, operator }: HereDoc): Texts {
  const texts: Texts = delimiter?.quoted === true ? [literal(body.text)] : heredocTexts(context, state, frame, body)
  return operator === '<<' ? texts : mapTexts(texts, (text) => ({ ...text, value: text.value.replace(/^\t+/gm, '') }))
}

function stringTexts(context: Context, state: State, frame: Frame, { target }: HereString): Texts {
  if (target === undefined) return [empty]
  return mapTexts(expandText(context, state, frame, target), (text) => concatenate(text, literal('\n')))
}

/** Returns the descriptor of a redirection. For `{fd}>…`, assigns the next free one from 10 on to the variable. */
function descriptorFor(
  context: Context,
  state: State,
  number: number | undefined,
  variable: string | undefined,
  otherwise: number,
): number {
  if (variable === undefined) return number ?? otherwise
  let free = 10
  while (state.descriptors.has(free)) free++
  stepForEach(context, free - 10)
  assign(context, state, variable, [literal(String(free))])
  return free
}

function openFile(
  context: Context,
  state: State,
  frame: Frame,
  { operator, target }: Redirect,
  number: number | undefined,
  variable: string | undefined,
  list: ShellRedirection[],
): void {
  const fields = target === undefined ? [] : expandWord(context, state, frame, target).flatMap((one) => one.slice(0, 1))
  const [first] = fields
  if (first === undefined) {
    note(context, 'the file of a redirection is unknown')
    return
  }
  const reads = operator.startsWith('<')
  const value = first.word.value
  const otherwise = reads ? 0 : 1
  if (operator === '<&' || (operator === '>&' && (/^(\d+-?|-)$/.test(value) || first.word.unresolved === true))) {
    const closes = value === '-' && variable !== undefined
    const descriptor = closes
      ? Number(variableNumber(state, variable))
      : descriptorFor(context, state, number, variable, otherwise)
    duplicate(context, state, descriptor, value, list, reads)
    return
  }
  const both = operator.startsWith('&') || operator === '>&'
  const plainOperator = reads ? (operator === '<>' ? '<>' : '<') : operator.endsWith('>>') ? '>>' : '>'
  const descriptor = descriptorFor(context, state, number, variable, otherwise)
  for (const field of fields) {
    const given = descriptorNamed(field.word)
    if (given !== undefined) {
      duplicate(context, state, descriptor, String(given), list, reads)
      if (both) duplicate(context, state, 2, String(given), list, reads)
      continue
    }
    const opened = open(state, field, plainOperator)
    state.descriptors = state.descriptors.with(descriptor, opened)
    list.push({ operator: plainOperator, descriptor, target: field.word })
    if (!both) continue
    state.descriptors = state.descriptors.with(2, opened)
    list.push({ operator: plainOperator, descriptor: 2, target: field.word })
  }
}

function variableNumber(state: State, name: string): string {
  const text = state.variables.get(name)?.texts[0]
  return text !== undefined && /^\d+$/.test(text.value) ? text.value : '-1'
}

/** `N>&M`, `N>&M-`, `N>&-`. */
function duplicate(
  context: Context,
  state: State,
  descriptor: number,
  target: string,
  list: ShellRedirection[],
  reads: boolean,
): void {
  if (target === '-') {
    state.descriptors = state.descriptors.with(descriptor, { kind: 'closed' })
    return
  }
  const other = /^(\d+)-?$/.exec(target)
  if (other === null) {
    note(context, 'the file descriptor of a redirection is unknown')
    list.push({ operator: reads ? '<' : '>', descriptor, target: { value: target, unresolved: true } })
    return
  }
  const source = Number(other[1])
  const opened = state.descriptors.get(source)
  state.descriptors =
    opened === undefined ? state.descriptors.without(descriptor) : state.descriptors.with(descriptor, opened)
  if (target.endsWith('-')) state.descriptors = state.descriptors.with(source, { kind: 'closed' })
  if (opened?.kind === 'file') list.push({ operator: opened.operator, descriptor, target: opened.target })
}

const descriptorFile = /^\/(?:dev|proc\/(?:self|thread-self))\/fd\/(\d+)$/
const standardFiles: Readonly<Record<string, number>> = { '/dev/stdin': 0, '/dev/stdout': 1, '/dev/stderr': 2 }

/** Returns the descriptor that a path such as `/dev/fd/3` or `/dev/stdin` refers to. */
export function descriptorNamed({ value }: ShellWord): number | undefined {
  if (!value.startsWith('/')) return undefined
  const found = descriptorFile.exec(value)
  return found === null ? standardFiles[value] : Number(found[1])
}

function open(state: State, field: Field, operator: '<' | '>' | '>>' | '<>'): Descriptor {
  const path = absoluteOf(state, field.word)
  const target = field.word
  const before = path === undefined ? undefined : state.files.get(path)
  if (operator === '<' || operator === '<>') {
    const texts = before === undefined ? undefined : state.outputs.get(before)
    return texts === undefined ? { kind: 'file', operator, target } : { kind: 'input', texts }
  }
  if (path === undefined || path.startsWith('/dev/')) return { kind: 'file', operator, target }
  const sink: Sink = before ?? { kind: 'file' }
  const texts: Texts = operator === '>>' ? ((before && state.outputs.get(before)) ?? [unknown()]) : [empty]
  state.files = state.files.with(path, sink)
  state.outputs = state.outputs.with(sink, texts)
  return { kind: 'file', operator, target, sink }
}

/** Returns the absolute path of a word, if both the word and the current folder are known. */
function absoluteOf(state: State, { value, unresolved, pattern }: ShellWord): string | undefined {
  if (unresolved === true || pattern !== undefined || value === '') return undefined
  if (value.startsWith('/')) return posix.normalize(value)
  const [folder] = state.folders
  return state.folders.length === 1 && typeof folder === 'string' ? posix.join(folder, value) : undefined
}

/** Returns the content of a file that a word names, if the script itself has written it. */
export function contentOf(state: State, word: ShellWord): Texts | undefined {
  const descriptor = descriptorNamed(word)
  if (descriptor !== undefined) return readable(state, descriptor)
  if (word.value === '/dev/null') return [empty]
  const path = absoluteOf(state, word)
  const sink = path === undefined ? undefined : state.files.get(path)
  return sink === undefined ? undefined : state.outputs.get(sink)
}

/**
 * Stores the content that `tee` writes into its files. With `-a` it is unknown, since it is appended to other content.
 */
function keepContent(context: Context, state: State, draft: Draft, texts: Texts): void {
  const appends = draft.args.some(({ value }) => /^-\w*a|^--append$/.test(value))
  const named = draft.args.filter(({ value }) => !value.startsWith('-'))
  const report = (what: LeftOut) => noteLeftOut(context, draft, what)
  for (const file of bounded(named, shellLimits.filesMax, 'it touches more paths than are analyzed', report)) {
    const path = absoluteOf(state, file)
    if (path === undefined || path.startsWith('/dev/')) continue
    const sink: Sink = { kind: 'file' }
    state.files = state.files.with(path, sink)
    state.outputs = state.outputs.with(sink, appends ? [unknown()] : texts)
  }
}

/** Returns what can be read from a descriptor; `undefined` if it is inherited from the shell's caller. */
export function readable(state: State, descriptor: number): Texts | undefined {
  const opened = state.descriptors.get(descriptor)
  switch (opened?.kind) {
    case undefined:
      return undefined
    case 'input':
      return opened.texts
    case 'file':
      return opened.target.value === '/dev/null' ? [empty] : [unknown()]
    case 'sink':
      return [unknown()]
    case 'closed':
      return [empty]
  }
}

/** Restores the descriptors after a command, except those that it opened permanently with `<(…)` and `{fd}`. */
export function restoreDescriptors(now: Descriptors, inside: Descriptors, before: Descriptors): Descriptors {
  if (now === inside) {
    let kept = before
    for (const [descriptor, one, other] of inside.differences(before))
      if (one !== undefined && other === undefined && descriptor >= 10) kept = kept.with(descriptor, one)
    return kept
  }
  let all = now
  for (const descriptor of [0, 1, 2]) {
    const one = before.get(descriptor)
    all = one === undefined ? all.without(descriptor) : all.with(descriptor, one)
  }
  return all
}

/** Computes a program's output, and appends it to the sinks of its descriptors. */
export function printOutput(context: Context, state: State, index: number): void {
  const draft = context.commands[index]
  if (draft === undefined || isSilent(draft.program, draft.args)) return
  const toOut = isCaptured(state)
  const toErrors = isCaptured(state, 2) && state.descriptors.get(2) !== state.descriptors.get(1)
  const named = draft.args.flatMap((arg) => (arg.value.startsWith('/dev/fd/') ? [Number(arg.value.slice(8))] : []))
  const others = named.filter((descriptor) => isCaptured(state, descriptor))
  const form = textFormOf(draft.program)
  const isCopier = form === 'copy' || form === 'kept'
  const isWriting = isCopier || writesFile(draft.redirections)
  if (!toOut && !toErrors && others.length === 0 && !isWriting) return
  const stdin = readable(state, 0)
  const output = outputOf(draft.program, draft.args, {
    stdin,
    cwd: draft.cwd,
    folder: draft.folder,
    content: (word) => contentOf(state, word),
  })
  if (output === undefined) return
  if (isWriting) noteWritten(context, draft, commonText(isCopier ? (stdin ?? [unknown()]) : output).value)
  if (form === 'copy') keepContent(context, state, draft, output)
  if (toOut) print(state, output, index)
  if (toErrors) print(state, [{ value: unknownPart }], index, 2)
  for (const descriptor of others) print(state, form === 'copy' ? output : [{ value: unknownPart }], index, descriptor)
}

/** Tells whether the output goes into a file. */
export const writesFile = (redirections: readonly ShellRedirection[]): boolean =>
  redirections.some(
    ({ operator, descriptor, target }) =>
      descriptor === 1 && operator.startsWith('>') && target?.value.startsWith('/dev/') !== true,
  )

/** Notes the text that a command writes into files, where something of it is known and there is room for it. */
function noteWritten(context: Context, draft: Draft, text: string): void {
  if (text === unknownPart || context.recorded + text.length > shellLimits.recordedCharactersMax) return
  context.recorded += text.length
  draft.writes = text
}

/** Appends a command's output to the sink that its descriptor leads to. */
export function print(state: State, output: Texts, command: number, descriptor = 1): void {
  const opened = state.descriptors.get(descriptor)
  const sink = opened?.kind === 'sink' || opened?.kind === 'file' ? opened.sink : undefined
  if (sink === undefined) return
  const before = state.outputs.get(sink) ?? [{ value: '' }]
  const printer: ShellText = { value: '', from: [{ command, via: 'argument' }] }
  const added = mapTexts(output, ({ value, from }) => {
    const sources = sourcesOfAll(from === undefined ? [printer] : [printer, { value, from }])
    return { value, ...(sources !== undefined && { from: sources }) }
  })
  state.outputs = state.outputs.with(sink, concatenateEach(before, added))
}

/** Tells whether output to a descriptor is collected in a sink. */
function isCaptured(state: State, descriptor = 1): boolean {
  const opened = state.descriptors.get(descriptor)
  return opened?.kind === 'sink' || (opened?.kind === 'file' && opened.sink !== undefined)
}
