import { shapedIn } from '../../programs/command-text.ts'
import { wordOf } from '../../programs/words.ts'
import { unwrapLimits } from '../../../model/limits.ts'
import { unknownPart } from '../../../model/shell.ts'
import { type Context, type Draft, expandedFrom, type Frame, noteLeftOut, stepForText } from '../state/context.ts'
import { inSubshell } from '../state/join.ts'
import type { State } from '../state/state.ts'

/**
 * Runs what an unknown text may have a shell run, if other commands have made it of the lines that they read:
 * `find … | sed 's/^/rm /' | sh`.
 *
 * @param draft the command that runs the text
 * @param from the commands whose output the text is
 */
export function runShaped(
  context: Context,
  state: State,
  frame: Frame,
  draft: Draft,
  from: readonly number[] | undefined,
): void {
  if (from === undefined || frame.guessed === true) return
  const args = writersOf(context, from).flatMap((at) => context.commands[at]?.args ?? [])
  if (
    !stepForText(
      context,
      args.reduce((sum, { value }) => sum + value.length, 0),
    )
  )
    return
  const names = { ...wordOf(unknownPart), several: true, from } as const
  for (const words of shapedIn(args, names, (what) => noteLeftOut(context, draft, what))) {
    const expanded = expandedFrom(
      words.map((word) => ({ word })),
      draft.place,
    )
    inSubshell(context, state, { ...frame, guessed: true }, (sub, within) => context.words(expanded, sub, within, true))
  }
}

/** Returns the commands that have written to a text, through others too, from the last one on. */
function writersOf({ flows }: Context, from: readonly number[]): readonly number[] {
  const all = new Set(from)
  for (const at of all) {
    if (all.size > unwrapLimits.mayStartMax) break
    for (const flow of flows) if (flow.to === at && flow.via !== 'file') all.add(flow.from)
  }
  return [...all]
}
