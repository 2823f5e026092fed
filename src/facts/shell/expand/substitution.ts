import type { ParsedScript, ProcessSubstitutionPart } from 'unbash'
import { type Context, type Frame, note, type SourceRange, withReach } from '../state/context.ts'
import { inSubshell } from '../state/join.ts'
import { type Sink, type State } from '../state/state.ts'
import { mapTexts, empty, literal, type ShellText, type Texts, unknown } from '../values/text.ts'
import { withoutEnd } from '../../../model/text.ts'

interface Where {
  readonly pos: number
  readonly end: number
}

/**
 * Makes the frame of a substitution. If its script has a source of its own, positions fall back to the enclosing
 * part's.
 */
function inner(frame: Frame, script: ParsedScript, part: Where): Frame {
  const through = withReach(frame, { through: 'substitution' })
  const place: SourceRange | undefined =
    frame.place ?? (script.source === undefined ? undefined : { start: part.pos, end: part.end })
  return { ...through, source: script.source ?? frame.source, ...(place !== undefined && { place }) }
}

/** Runs `$(…)` and returns what it prints, as far as that is known. */
export function substituted(
  context: Context,
  state: State,
  frame: Frame,
  script: ParsedScript | undefined,
  part: Where,
): Texts {
  if (script === undefined) {
    note(context, 'a substitution cannot be read')
    return [unknown()]
  }
  const first = context.commands.length
  const output = outputOf(context, state, inner(frame, script, part), script)
  const command = script.commands.length === 1 ? script.commands[0]?.command : undefined
  if (command?.type === 'Command' && command.name === undefined && command.redirects.length === 1) {
    const at = context.commands.findIndex((draft, index) => index >= first && draft.program === '')
    if (at !== -1) return fileContent(output, at)
  }
  return mapTexts(output, (text) => ({ ...text, value: withoutEnd(text.value, '\n') }))
}

/** Returns the value of `$(<file)`, which prints the file as `cat file` does. */
function fileContent(output: Texts, command: number): Texts {
  return output[0].value === '' ? [unknown(undefined, [{ command, via: 'argument' }])] : output
}

function outputOf(context: Context, state: State, frame: Frame, script: ParsedScript): Texts {
  const sink: Sink = { kind: 'pipe' }
  const { end } = inSubshell(context, state, frame, (sub, subFrame) => {
    sub.descriptors = sub.descriptors.with(1, { kind: 'sink', sink })
    sub.outputs = sub.outputs.with(sink, [empty])
    return context.script(script, sub, subFrame)
  })
  // Nothing writes to it any more, and thousands of substitutions would make a map that is copied for each of them.
  state.outputs = state.outputs.without(sink)
  return end?.outputs.get(sink) ?? [empty]
}

/** Starts `<(…)` or `>(…)` and returns its file name, `/dev/fd/N`. */
export function expandProcessSubstitution(
  context: Context,
  state: State,
  frame: Frame,
  part: ProcessSubstitutionPart,
): ShellText {
  const descriptor = Math.max(context.nextDescriptor--, 10)
  const { script } = part
  if (script === undefined) {
    note(context, 'a substitution cannot be read')
    return literal(`/dev/fd/${descriptor}`)
  }
  const within = inner(frame, script, part)
  if (part.operator === '<') {
    const texts = outputOf(context, state, within, script)
    state.descriptors = state.descriptors.with(descriptor, { kind: 'input', texts, named: true })
  } else {
    const sink: Sink = { kind: 'pipe' }
    state.descriptors = state.descriptors.with(descriptor, { kind: 'sink', sink })
    state.outputs = state.outputs.with(sink, [empty])
    context.pending.push({
      sink,
      run: (texts, now) => {
        inSubshell(context, now, within, (sub, subFrame) => {
          sub.descriptors = sub.descriptors.with(0, { kind: 'input', texts })
          return context.script(script, sub, subFrame)
        })
      },
    })
  }
  return literal(`/dev/fd/${descriptor}`)
}
