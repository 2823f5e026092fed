import type { AndOr, CommandNode, CompoundList, Coproc, Pipeline, PipelineNode, Redirected, Statement } from 'unbash'
import { shellLimits } from '../../../model/limits.ts'
import { outcomeOf } from '../builtins/builtin.ts'
import { arithmeticValue } from '../expand/words.ts'
import { empty, literal, sourcesOfAll, type Texts, unknown } from '../values/text.ts'
import { runCase, runIf, runTest } from './branches.ts'
import {
  type Context,
  ended,
  bothOutcomes,
  type Frame,
  note,
  type CommandOutcome,
  withReach,
  step,
  stepForText,
  succeeded,
} from '../state/context.ts'
import { runArithmeticFor, runFor, runWhile } from './loops.ts'
import { endsOf, inSubshell, joinAll, runPending, splitOutcome, stateAfter } from '../state/join.ts'
import { redirect } from '../start/redirect.ts'
import { runSimple } from './simple.ts'
import { callFunction } from '../start/call.ts'
import { copyState, type Descriptor, type ShellFunction, type Sink, type State } from '../state/state.ts'
import { SharedMap } from '../state/shared-map.ts'
import { assignArray } from '../state/variables.ts'

/** Runs commands in order. Unreachable commands, such as those after `exit`, are still recorded but have no effect. */
export function runList(
  context: Context,
  state: State,
  frame: Frame,
  statements: readonly Statement[],
): CommandOutcome {
  let now = state
  let unreachable = false
  let outcome: CommandOutcome = succeeded(state)
  for (const [at, statement] of statements.entries()) {
    if (!step(context)) return bothOutcomes(now)
    outcome = runStatement(context, now, frame, statement)
    if (at === statements.length - 1) break
    const next = stateAfter(context, withoutFailure(now, frame, statement, outcome))
    unreachable ||= next === undefined
    now = next ?? copyState(now)
  }
  return unreachable ? ended : outcome
}

/**
 * Turns a failure under `set -e` into an end of the shell, unless the failure is tested by a condition, `&&` or `||`.
 */
function withoutFailure(state: State, frame: Frame, { command }: Statement, outcome: CommandOutcome): CommandOutcome {
  const { ok, fail } = outcome
  if (!state.exitsOnFailure || frame.tested === true || fail === undefined || command.type === 'AndOr') return outcome
  frame.exits.push(ok === fail ? copyState(fail) : fail)
  return { ok }
}

function runStatement(
  context: Context,
  state: State,
  frame: Frame,
  { command, background }: Statement,
): CommandOutcome {
  if (background !== true) return runNode(context, state, frame, command)
  inSubshell(context, state, withReach(frame, { through: 'background' }), (inner, within) =>
    runNode(context, inner, within, command),
  )
  state.running = true
  return succeeded(state)
}

function runNode(context: Context, state: State, frame: Frame, node: PipelineNode | AndOr): CommandOutcome {
  if (frame.depth > shellLimits.depthMax) {
    note(context, 'commands are nested too deeply to be followed')
    return bothOutcomes(state)
  }
  if (node.type === 'Command') return runSimple(context, state, frame, node)
  const deeper: Frame = { ...frame, depth: frame.depth + 1 }
  if (node.type === 'AndOr') return runAndOr(context, state, deeper, node)
  return node.type === 'Pipeline'
    ? runPipeline(context, state, deeper, node)
    : runCompound(context, state, deeper, node)
}

function runAndOr(context: Context, state: State, frame: Frame, { commands, operators }: AndOr): CommandOutcome {
  const [first, ...rest] = commands
  if (first === undefined) return succeeded(state)
  let outcome = runNode(context, state, rest.length > 0 ? { ...frame, tested: true } : frame, first)
  let stale = state
  for (const [at, node] of rest.entries()) {
    const { ok, fail } = splitOutcome(outcome)
    const and = operators[at] === '&&'
    const goesOn = and ? ok : fail
    const skips = and ? fail : ok
    if (goesOn === undefined) {
      runNode(context, copyState(skips ?? stale), frame, node)
      continue
    }
    stale = goesOn
    const result = runNode(context, goesOn, at < rest.length - 1 ? { ...frame, tested: true } : frame, node)
    if (skips === undefined) outcome = result
    else {
      const next = splitOutcome(result)
      outcome = and
        ? { ok: next.ok, fail: joinAll(context, [next.fail, skips]) }
        : { ok: joinAll(context, [next.ok, skips]), fail: next.fail }
    }
  }
  return outcome
}

function runPipeline(context: Context, state: State, frame: Frame, node: Pipeline): CommandOutcome {
  const { commands, operators, prefixes } = node
  const negated = prefixes.filter(({ type }) => type === 'Negation').length % 2 === 1
  const [only] = commands
  const outcome =
    commands.length === 1 && only !== undefined
      ? runNode(context, state, frame, only)
      : runStages(context, state, withReach(frame, { through: 'pipeline' }), commands, operators)
  return negated ? { ok: outcome.fail, fail: outcome.ok } : outcome
}

function runStages(
  context: Context,
  state: State,
  frame: Frame,
  commands: Pipeline['commands'],
  operators: Pipeline['operators'],
): CommandOutcome {
  let input: Descriptor | undefined
  let outcome: CommandOutcome = succeeded(state)
  for (const [at, command] of commands.entries()) {
    if (!step(context)) return bothOutcomes(state)
    const sink: Sink | undefined = at < commands.length - 1 ? { kind: 'pipe' } : undefined
    const done = inSubshell(context, state, frame, (inner, within) => {
      if (input !== undefined) inner.descriptors = inner.descriptors.with(0, input)
      if (sink !== undefined) {
        const output: Descriptor = { kind: 'sink', sink }
        inner.descriptors = inner.descriptors.with(1, output)
        if (operators[at] === '|&') inner.descriptors = inner.descriptors.with(2, output)
        inner.outputs = inner.outputs.with(sink, [empty])
      }
      return runNode(context, inner, within, command)
    })
    outcome = done.outcome
    if (sink === undefined) keepVariables(context, state, done.end)
    if (sink !== undefined) input = { kind: 'input', texts: state.outputs.get(sink) ?? [unknown()] }
  }
  return outcome
}

/**
 * Lets variables have what the last command of a pipeline may have left in them. It runs in the shell itself under bash's
 * `lastpipe`, and always in zsh and ksh.
 */
function keepVariables(context: Context, state: State, last: State | undefined): void {
  if (last === undefined || last.variables === state.variables) return
  const other = { ...copyState(state), variables: last.variables }
  state.variables = joinAll(context, [copyState(state), other])?.variables ?? state.variables
}

function runCompound(context: Context, state: State, frame: Frame, node: CommandNode): CommandOutcome {
  const list = (one: CompoundList, within: Frame, inner: State) => runList(context, inner, within, one.commands)
  switch (node.type) {
    case 'Command':
      return runSimple(context, state, frame, node)
    case 'Redirected':
      return runRedirected(context, state, frame, node)
    case 'Function':
      return define(context, state, frame, node.name.value, node.body)
    case 'Coproc':
      return runCoproc(context, state, frame, node)
    case 'Subshell':
      return inSubshell(context, state, withReach(frame, { through: 'subshell' }), (inner, within) =>
        list(node.body, within, inner),
      ).outcome
    case 'BraceGroup':
      return list(node.body, frame, state)
    case 'If':
      return runIf(context, state, frame, node, runList)
    case 'For':
    case 'Select':
      return runFor(context, state, frame, node, runList)
    case 'ArithmeticFor':
      return runArithmeticFor(context, state, frame, node, runList)
    case 'While':
      return runWhile(context, state, frame, node, runList)
    case 'Case':
      return runCase(context, state, frame, node, runList)
    case 'TestCommand':
      return outcomeOf(state, runTest(context, state, frame, node.expression))
    case 'ArithmeticCommand': {
      if (!stepForText(context, node.body.length)) return bothOutcomes(state)
      const value = node.expression === undefined ? undefined : arithmeticValue(context, state, frame, node.expression)
      return outcomeOf(state, value === undefined ? undefined : value !== 0)
    }
  }
}

function runRedirected(
  context: Context,
  state: State,
  frame: Frame,
  { command, redirects }: Redirected,
): CommandOutcome {
  const before = state.descriptors
  const pendingBefore = context.pending.length
  redirect(context, state, frame, redirects)
  const outcome = runCompound(context, state, frame, command)
  for (const one of endsOf(outcome)) one.descriptors = before
  runPending(context, pendingBefore, outcome.ok ?? outcome.fail ?? state)
  return outcome
}

/** Functions that shells call by themselves: for a program that is not there, or around each command. */
const calledByShell = /^(?:command_not_found_handler?|precmd|preexec|chpwd|periodic|zshexit|TRAP[A-Z]+|fish_prompt)$/

function define(
  context: Context,
  state: State,
  frame: Frame,
  name: string,
  body: ShellFunction['body'],
): CommandOutcome {
  const made: ShellFunction = {
    name,
    body,
    source: frame.source,
    ...(frame.place !== undefined && { place: frame.place }),
  }
  state.functions = state.functions.with(name, [made])
  return calledByShell.test(name) ? callFunction(context, state, frame, made, []) : succeeded(state)
}

/**
 * Runs a coprocess at once, to find which commands its output comes from, and again if something is written to it, when
 * all of that is known. Both times it has the variables and the folder of its start.
 */
function runCoproc(context: Context, state: State, frame: Frame, { name, body }: Coproc): CommandOutcome {
  note(context, 'the output of a coprocess is not followed')
  const sink: Sink = { kind: 'pipe' }
  const [reads, writes] = [context.nextDescriptor--, context.nextDescriptor--]
  const atStart = copyState(state)
  const within = withReach(frame, { through: 'coproc' })
  const run = (texts: Texts, { outputs, files }: Pick<State, 'outputs' | 'files'>): Texts => {
    const printed: Sink = { kind: 'pipe' }
    const { end } = inSubshell(context, { ...atStart, outputs, files }, within, (inner, innerFrame) => {
      inner.descriptors = inner.descriptors.with(0, { kind: 'input', texts })
      inner.descriptors = inner.descriptors.with(1, { kind: 'sink', sink: printed })
      inner.outputs = inner.outputs.with(printed, [empty])
      return runBody(context, inner, innerFrame, body)
    })
    return [unknown(undefined, sourcesOfAll(end?.outputs.get(printed) ?? []))]
  }
  const texts = run([unknown()], state)
  context.pending.push({
    sink,
    run: (written, now) => {
      if (written.some(({ value }) => value !== '')) run(written, now)
    },
  })
  state.outputs = state.outputs.with(sink, [empty])
  state.descriptors = state.descriptors.with(reads, { kind: 'input', texts, named: true })
  state.descriptors = state.descriptors.with(writes, { kind: 'sink', sink })
  const items = SharedMap.of<string, Texts>([reads, writes].map((one, at) => [String(at), [literal(String(one))]]))
  assignArray(context, state, name?.value ?? 'COPROC', items, false)
  state.running = true
  return succeeded(state)
}

/** Runs the body of a function. */
export function runBody(
  context: Context,
  state: State,
  frame: Frame,
  node: ShellFunction['body'] | PipelineNode,
): CommandOutcome {
  return node.type === 'CompoundList'
    ? runList(context, state, frame, node.commands)
    : runNode(context, state, frame, node)
}
