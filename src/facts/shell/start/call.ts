import { shellLimits } from '../../../model/limits.ts'
import { type Texts, type Field, textOf } from '../values/text.ts'
import { type FunctionCall, type Context, ended, type Frame, note, type CommandOutcome } from '../state/context.ts'
import { endsOf, joinAll, joinOutcomes } from '../state/join.ts'
import { restoreVariables } from '../state/variables.ts'
import { copyState, type Parameters, type ShellFunction, type State } from '../state/state.ts'

/** Calls a function. Its body runs in the caller's state, with its own parameters. */
export function callFunction(
  context: Context,
  state: State,
  frame: Frame,
  called: ShellFunction,
  args: readonly Field[],
): CommandOutcome {
  const before = findCall(frame, called.name)
  if (before !== undefined && isForkBomb(context, frame, before, called.name)) return ended
  if (callDepth(frame, called.name) > shellLimits.recursionMax || frame.depth > shellLimits.depthMax) {
    note(context, `the function \`${called.name}\` calls itself, and is not followed to its end`)
    return { ok: state, fail: state }
  }
  const { parameters } = state
  state.parameters = { ...parametersOf(args), ...(parameters.name !== undefined && { name: parameters.name }) }
  const hidden: Frame['hidden'] = new Map()
  const returns: State[] = []
  const { place: _, loop: __, ...rest } = frame
  const outcome = context.body(called.body, state, {
    ...rest,
    reach: [...frame.reach, { through: 'function', name: called.name }],
    source: called.source,
    ...(called.place !== undefined && { place: called.place }),
    depth: frame.depth + 1,
    returns,
    hidden,
    call: { name: called.name, reached: frame.reach.length, multiplied: 0, outer: frame.call },
  })
  for (const one of new Set([...endsOf(outcome), ...returns])) {
    one.parameters = parameters
    restoreVariables(one, hidden)
  }
  if (returns.length === 0) return outcome
  const end = joinAll(context, [outcome.ok, outcome.fail, ...returns])
  return { ok: end, fail: end }
}

export function parametersOf(args: readonly Field[]): Parameters {
  const list = args.map((field): Texts => [textOf(field)])
  return { list, ...(args.some(({ word }) => word.several === true) && { open: true }) }
}

function findCall(frame: Frame, name: string): FunctionCall | undefined {
  let at = frame.call
  while (at !== undefined && at.name !== name) at = at.outer
  return at
}

function callDepth(frame: Frame, name: string): number {
  let depth = 0
  for (let at = frame.call; at !== undefined; at = at.outer) if (at.name === name) depth++
  return depth
}

/**
 * Tells whether a function that starts itself concurrently multiplies without end: it calls itself directly, or is
 * reached again through other functions more than once.
 */
function isForkBomb(context: Context, frame: Frame, before: FunctionCall, name: string): boolean {
  const beside = frame.reach
    .slice(before.reached)
    .some(({ through }) => through === 'background' || through === 'pipeline' || through === 'coproc')
  if (!beside) return false
  before.multiplied++
  if (frame.call?.name !== name && before.multiplied < 2) return false
  context.forkBomb = true
  return true
}

/** Runs each body that a function's name may have, in copies of the state, and joins the outcomes. */
export function runEachBody(
  context: Context,
  state: State,
  bodies: readonly (ShellFunction | undefined)[],
  run: (body: ShellFunction | undefined, state: State) => CommandOutcome,
): CommandOutcome {
  const [first] = bodies
  if (bodies.length === 1) return run(first, state)
  if (bodies.length > shellLimits.combinationsMax) note(context, 'a function may be more than are tried')
  const outcomes = bodies.slice(0, shellLimits.combinationsMax).map((body) => run(body, copyState(state)))
  return joinOutcomes(context, outcomes)
}
