import { bothOutcomes, type Context, type Frame, type CommandOutcome, step, stepForEach } from './context.ts'
import { copyState, joinStates, type State } from './state.ts'
import { variableOf } from './variables.ts'
import { unknown } from '../values/text.ts'

/**
 * Joins the states at the ends of several paths, which must not be used afterwards. Returns `undefined` if no path gets
 * there.
 */
export function joinAll(context: Context, states: readonly (State | undefined)[]): State | undefined {
  let all: State | undefined
  for (const state of states) {
    if (state === undefined || state === all) continue
    if (all === undefined) all = state
    else {
      // The join cannot be left out: the steps that it takes are missing afterwards.
      step(context)
      all = joinStates(
        all,
        state,
        (one, name) => variableOf(context, one, name),
        (values) => stepForEach(context, values),
      )
    }
  }
  return all
}

export const stateAfter = (context: Context, { ok, fail }: CommandOutcome): State | undefined =>
  ok === fail ? ok : joinAll(context, [ok, fail])

/** Returns the states that an outcome may end in, each once. */
export const endsOf = ({ ok, fail }: CommandOutcome): readonly State[] =>
  [ok, ok === fail ? undefined : fail].filter((state) => state !== undefined)

/** Runs the readers of `>(…)` deferred since `from`, now that everything written to them is known. */
export function runPending(context: Context, from: number, state: State): void {
  for (const { sink, run } of context.pending.splice(from)) run(state.outputs.get(sink) ?? [unknown()], state)
}

/** Copies the shared state of an outcome, so that success and failure can be changed independently. */
export function splitOutcome({ ok, fail }: CommandOutcome): CommandOutcome {
  return ok !== undefined && ok === fail ? { ok, fail: copyState(fail) } : { ok, fail }
}

/** Joins the outcomes of alternative paths, of which exactly one is taken at run time. */
export function joinOutcomes(context: Context, outcomes: readonly CommandOutcome[]): CommandOutcome {
  const [only] = outcomes
  if (only !== undefined && outcomes.length === 1) return only
  const succeeding = (all: readonly CommandOutcome[]) =>
    joinAll(
      context,
      all.map(({ ok }) => ok),
    )
  if (outcomes.every(({ ok, fail }) => ok === fail)) {
    const end = succeeding(outcomes)
    return { ok: end, fail: end }
  }
  const split = outcomes.map(splitOutcome)
  return {
    ok: succeeding(split),
    fail: joinAll(
      context,
      split.map(({ fail }) => fail),
    ),
  }
}

/** Runs something in a subshell: its changes to the state are discarded, but its output and written files are kept. */
export function inSubshell(
  context: Context,
  state: State,
  frame: Frame,
  run: (inner: State, frame: Frame) => CommandOutcome,
): { readonly outcome: CommandOutcome; readonly end: State | undefined } {
  if (!step(context)) return { outcome: bothOutcomes(state), end: state }
  const exits: State[] = []
  const { returns: _, loop: __, ...outer } = frame
  const inner = copyState(state)
  inner.running = false
  inner.detached = false
  const outcome = run(inner, { ...outer, exits, depth: frame.depth + 1 })
  const okay = outcome.ok !== undefined
  const failing = outcome.fail !== undefined || exits.length > 0
  const end = joinAll(context, [outcome.ok, outcome.fail, ...exits])
  if (end !== undefined) {
    state.outputs = end.outputs
    state.files = end.files
    state.detached ||= end.running || end.detached
  }
  return { outcome: { ok: okay || failing ? state : undefined, fail: failing ? state : undefined }, end }
}
