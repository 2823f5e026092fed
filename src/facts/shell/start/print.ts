import { isSilent, outputOf } from '../outputs/outputs.ts'
import { shellLimits } from '../../../model/limits.ts'
import type { Context, Draft } from '../state/context.ts'
import { contentOf, keepContent, readable } from './redirect.ts'
import { type State } from '../state/state.ts'
import {
  commonText,
  concatenateEach,
  mapTexts,
  type ShellText,
  sourcesOfAll,
  type Texts,
  unknown,
} from '../values/text.ts'
import { type ShellRedirection, unknownPart } from '../../../model/shell.ts'

/** Computes a program's output, and appends it to the sinks of its descriptors. */
export function printOutput(context: Context, state: State, index: number): void {
  const draft = context.commands[index]
  if (draft === undefined || isSilent(draft.program, draft.args)) return
  const toOut = isCaptured(state)
  const toErrors = isCaptured(state, 2) && state.descriptors.get(2) !== state.descriptors.get(1)
  const named = draft.args.flatMap((arg) => (arg.value.startsWith('/dev/fd/') ? [Number(arg.value.slice(8))] : []))
  const others = named.filter((descriptor) => isCaptured(state, descriptor))
  const isCopier = draft.program === 'tee' || draft.program === 'sponge'
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
  if (draft.program === 'tee') keepContent(context, state, draft, output)
  if (toOut) print(state, output, index)
  if (toErrors) print(state, [{ value: unknownPart }], index, 2)
  for (const descriptor of others)
    print(state, draft.program === 'tee' ? output : [{ value: unknownPart }], index, descriptor)
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
