import type { Context, Frame, Outcome } from './context.ts'
import { copied, met, type State } from './state.ts'
import { variableOf } from './variables.ts'

/** What is known where several ways meet. They must not be used any more. `undefined`: none of them gets there. */
export function meet(context: Context, states: readonly (State | undefined)[]): State | undefined {
  let all: State | undefined
  for (const state of states) {
    if (state === undefined || state === all) continue
    all = all === undefined ? state : met(all, state, (one, name) => variableOf(context, one, name))
  }
  return all
}

export const after = (context: Context, { ok, fail }: Outcome): State | undefined =>
  ok === fail ? ok : meet(context, [ok, fail])

/** The two ends as states of their own, so that one can go on without the other. */
export function apart({ ok, fail }: Outcome): Outcome {
  return ok !== undefined && ok === fail ? { ok, fail: copied(fail) } : { ok, fail }
}

/** Runs something in a shell of its own: what it does to its state is lost, but what it writes is not. */
export function inSubshell(
  context: Context,
  state: State,
  frame: Frame,
  run: (inner: State, frame: Frame) => Outcome,
): { readonly outcome: Outcome; readonly end: State | undefined } {
  const exits: State[] = []
  const { returns: _, loop: __, ...outer } = frame
  const inner = copied(state)
  inner.running = false
  inner.detached = false
  const outcome = run(inner, { ...outer, exits, depth: frame.depth + 1 })
  const okay = outcome.ok !== undefined
  const failing = outcome.fail !== undefined || exits.length > 0
  const end = meet(context, [outcome.ok, outcome.fail, ...exits])
  if (end !== undefined) {
    state.outputs = end.outputs
    state.files = end.files
    state.detached ||= end.running || end.detached
  }
  return { outcome: { ok: okay || failing ? state : undefined, fail: failing ? state : undefined }, end }
}
