import { type Field } from '../values/text.ts'
import type { Context, Expanded, Frame, CommandOutcome } from '../state/context.ts'
import type { State } from '../state/state.ts'

/** The arguments of a builtin's implementation. The command is already recorded, at `index`. */
export interface Called {
  readonly context: Context
  readonly state: State
  readonly frame: Frame
  readonly index: number
  readonly args: readonly Field[]
  readonly expanded: Expanded
}

/** The implementation of a builtin: it changes the shell's state. */
export type Builtin = (called: Called) => CommandOutcome

/**
 * Splits arguments into option letters and operands.
 *
 * @param valued the letters of options that take a value
 */
export function operandsOf(
  args: readonly Field[],
  valued = '',
): { readonly letters: string; readonly rest: readonly Field[] } {
  let letters = ''
  let at = 0
  for (; at < args.length; at++) {
    const value = args[at]?.word.value ?? ''
    if (value === '--') {
      at++
      break
    }
    if (!/^[-+][A-Za-z]/.test(value)) break
    letters += value.startsWith('+') ? `+${value.slice(1)}` : value.slice(1)
    const last = value.at(-1) ?? ''
    if (valued.includes(last)) at++
  }
  return { letters, rest: args.slice(at) }
}
