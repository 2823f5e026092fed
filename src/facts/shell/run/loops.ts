import type { ArithmeticFor, Command, CompoundList, For, Select, TestExpression, While } from 'unbash'
import { shellLimits } from '../../../model/limits.ts'
import { arithmeticValue, expandList } from '../expand/words.ts'
import {
  type Field,
  fieldOfText,
  isKnown,
  namedText,
  type ShellText,
  sourcesOfAll,
  textOf,
  type Texts,
  unknown,
  wordOf,
} from '../values/text.ts'
import {
  type Context,
  bothOutcomes,
  ended,
  type Frame,
  type Loop,
  note,
  type CommandOutcome,
  withReach,
  type RunList,
  step,
} from '../state/context.ts'
import { outcomeOf } from '../builtins/builtin.ts'
import { rememberCommands } from '../start/emit.ts'
import { stateAfter, splitOutcome, joinAll } from '../state/join.ts'
import { copyState, sameFolders, sameState, sameVariable, type State, widenVariable } from '../state/state.ts'
import { assign, variableOf } from '../state/variables.ts'
import type { ShellWord } from '../../../model/shell.ts'

interface Rounds {
  /** Runs the loop's condition; success leads to another round. */
  readonly test: (state: State) => CommandOutcome
  /** The condition depends on nothing: `while true`. */
  readonly constant: boolean
  readonly body: (state: State, frame: Frame) => CommandOutcome
  /** Runs after the body, also after `continue`: the update of `for ((…))`. */
  readonly next?: (state: State) => void
}

export function runWhile(context: Context, state: State, frame: Frame, node: While, runList: RunList): CommandOutcome {
  const until = node.kind === 'until'
  const tested: Frame = { ...frame, tested: true }
  return runRounds(context, state, frame, {
    test: (one) => {
      const { ok, fail } = runList(context, one, tested, node.clause.commands)
      return until ? { ok: fail, fail: ok } : { ok, fail }
    },
    constant: isConstant(node.clause),
    body: (one, within) => runList(context, one, within, node.body.commands),
  })
}

export function runArithmeticFor(
  context: Context,
  state: State,
  frame: Frame,
  node: ArithmeticFor,
  runList: RunList,
): CommandOutcome {
  const { initialize, test, update, body } = node
  if (initialize !== undefined) arithmeticValue(context, state, frame, initialize)
  return runRounds(context, state, frame, {
    test: (one) => {
      if (test === undefined) return { ok: one }
      const value = arithmeticValue(context, one, frame, test)
      return outcomeOf(one, value === undefined ? undefined : value !== 0)
    },
    constant: test === undefined || (test.type === 'ArithmeticWord' && /^\d+$/.test(test.value)),
    body: (one, within) => runList(context, one, within, body.commands),
    next: (one) => {
      if (update !== undefined) arithmeticValue(context, one, frame, update)
    },
  })
}

/** Tells whether a condition always has the same result: `true`, `:`, `/bin/false`, `((1))`, `[ 1 ]`. */
function isConstant({ commands }: CompoundList): boolean {
  const [only] = commands
  if (only === undefined || commands.length > 1) return false
  const { command } = only
  if (command.type === 'TestCommand') return !/[$`]/.test(textOfTest(command.expression))
  if (command.type === 'Pipeline') {
    const [first, ...others] = command.commands
    return others.length === 0 && first?.type === 'Command' && isConstantCommand(first)
  }
  if (command.type === 'ArithmeticCommand') return /^\s*\d+\s*$/.test(command.body)
  return command.type === 'Command' && isConstantCommand(command)
}

const isConstantCommand = ({ name, args }: Command): boolean =>
  [name, ...args].every((word) => word === undefined || /^[^$`]*$/.test(word.text)) && name?.value !== 'read'

/** Returns the operand of a simple `-z` or `-n` test; for any other, `$`, which callers treat as not constant. */
function textOfTest(expression: TestExpression): string {
  if (expression.type === 'TestUnary') return /^-[zn]$/.test(expression.operator) ? expression.operand.text : '$'
  return expression.type === 'TestNot' ? textOfTest(expression.operand) : '$'
}

/** Makes the function that runs a loop's body up to its end, or to where `continue` leaves it. */
function enterLoop(context: Context, frame: Frame, run: (state: State, within: Frame) => CommandOutcome) {
  const loop: Loop = { left: [], again: [], outer: frame.loop }
  const within: Frame = { ...withReach(frame, { through: 'loop' }), loop }
  const body = (state: State, over?: ShellWord): State | undefined => {
    const round = over === undefined ? within : { ...withReach(frame, { through: 'loop', over }), loop }
    return joinAll(context, [stateAfter(context, run(state, round)), ...loop.again.splice(0)])
  }
  return { loop, body }
}

function runRounds(context: Context, state: State, frame: Frame, rounds: Rounds): CommandOutcome {
  const { test, constant, next } = rounds
  const { loop, body } = enterLoop(context, frame, rounds.body)
  const ends: State[] = []
  const first = context.commands.length
  const repeatedBefore = context.repeated
  const jobs = { running: state.running, detached: state.detached }
  let widenings = 0
  let now: State | undefined = state
  now.running = false
  now.detached = false
  for (let round = 0; now !== undefined && step(context); round++) {
    const before = copyState(now)
    const { ok: stays, fail: leaves } = splitOutcome(test(now))
    if (leaves !== undefined) ends.push(leaves)
    if (stays === undefined) {
      if (round === 0) body(copyState(before))
      break
    }
    const back = body(stays)
    if (back === undefined) break
    next?.(back)
    if (leaves === undefined && constant && (back.running || back.detached)) context.forkBomb = true
    const changed = changes(context, before, back)
    const mustEnd = leaves === undefined && !constant
    if (changed.length === 0 && sameRest(before, back)) {
      if (mustEnd) note(context, 'a loop does not end')
      break
    }
    if (!mustEnd || round + 1 >= shellLimits.wholeRoundsMax) context.repeated ??= rememberCommands(context, first)
    if (mustEnd && round < countedRoundsMax) now = back
    else if (widenings++ === wideningRoundsMax) {
      ends.push(forgetValues(context, back, changed))
      break
    } else now = widened(context, joinAll(context, [before, back]), changed, widenings > 1)
  }
  context.repeated = repeatedBefore
  const end = joinAll(context, [...ends, ...loop.left])
  if (end === undefined) return ended
  end.running ||= jobs.running
  end.detached ||= jobs.detached
  return bothOutcomes(end)
}
/** Analysed iterations of a counting loop, which seldom ends early: `for ((i = 0; i < 1000; i++))`. */
const countedRoundsMax = 16
/** Iterations of a loop of unknown length before widening: all variables that change in it become unknown. */
const wideningRoundsMax = 3

/** Widens the changed variables: adds an unknown value to those they have, or with `all` replaces them by it. */
function widened(
  context: Context,
  state: State | undefined,
  changed: readonly string[],
  all: boolean,
): State | undefined {
  if (state === undefined || all) return state && forgetValues(context, state, changed)
  for (const name of changed)
    state.variables = state.variables.with(name, widenVariable(variableOf(context, state, name), name))
  return state
}

function changes(context: Context, before: State, now: State): readonly string[] {
  const names = before.variables.differences(now.variables).map(([name]) => name)
  return names.filter((name) => !sameVariable(variableOf(context, before, name), variableOf(context, now, name)))
}

function sameRest(before: State, now: State): boolean {
  return (
    sameFolders(before.folders, now.folders) &&
    before.functions === now.functions &&
    before.parameters === now.parameters &&
    before.descriptors === now.descriptors
  )
}

/** Makes the changed variables unknown, and one of the folders if there are several. */
function forgetValues(context: Context, state: State, names: readonly string[]): State {
  for (const name of names) {
    const variable = variableOf(context, state, name)
    const texts: Texts = [unknown(name, sourcesOfAll(variable.texts))]
    state.variables = state.variables.with(name, { ...variable, texts })
  }
  if (state.folders.length > 1) state.folders = [...state.folders.slice(0, shellLimits.foldersMax - 1), undefined]
  return state
}

/** Runs `for` and `select`: the body runs once for each word. */
export function runFor(
  context: Context,
  state: State,
  frame: Frame,
  node: For | Select,
  runList: RunList,
): CommandOutcome {
  const { loop, body } = enterLoop(context, frame, (one, within) => runList(context, one, within, node.body.commands))
  const fields = node.wordlist === undefined ? parameterFields(state) : listOf(context, state, frame, node.wordlist)
  if (fields.length === 0) {
    body(copyState(state))
    return { ok: state }
  }
  const name = node.name.value
  const first = context.commands.length
  const repeatedBefore = context.repeated
  let now: State | undefined = state
  /** The last round has not read the loop's variable, and has left the shell as it was: further ones do the same. */
  let isSettled = false
  /** The states in which `break` has left that round. */
  let left: readonly State[] = []
  const { numberRoundsMax } = shellLimits
  const most = fields.slice(numberRoundsMax).some(isMoreThanNumber) ? shellLimits.roundsMax : numberRoundsMax
  for (const [at, field] of fields.slice(0, most + 1).entries()) {
    if (now === undefined || !step(context)) break
    const isRest = at === most
    if (isRest && fields.slice(at).some(isMoreThanNumber))
      note(context, 'a loop goes through more words than are tried')
    const value = isRest ? unknown(name, sourcesOfAll(fields.slice(at).map(textOf))) : namedText(textOf(field), name)
    assign(context, now, name, [value])
    const { running } = now
    const { word } = field
    const over = overOf(value)
    const round = (one: State) => body(one, over)
    if (isSettled && over === undefined) {
      for (const one of left) loop.left.push(withValue(context, one, name, value))
    } else {
      const watch = watchRound(context, now, name, frame, loop)
      now =
        isRest || word.several === true || word.pattern !== undefined || node.type === 'Select'
          ? runRepeatedly(context, now, name, round)
          : round(now)
      if (now !== undefined) now.running ||= running
      isSettled = over === undefined && now !== undefined && watch.isSameWithout(now)
      left = watch.left()
    }
    if (at + 1 >= shellLimits.wholeRoundsMax) context.repeated ??= rememberCommands(context, first)
  }
  context.repeated = repeatedBefore
  const end = joinAll(context, [now, ...loop.left])
  return end === undefined ? ended : bothOutcomes(end)
}

/** Watches whether a round reads the loop's variable, leaves the shell otherwise than it was, or leaves the loop. */
function watchRound(context: Context, state: State, name: string, frame: Frame, loop: Loop) {
  const variable = variableOf(context, state, name)
  const { texts, ...rest } = variable
  let isRead = variable.reference !== undefined || !sameVariable(state.variables.get(name), variable)
  if (!isRead) {
    const watched = {
      ...rest,
      get texts() {
        isRead = true
        return texts
      },
    }
    state.variables = state.variables.with(name, watched)
  }
  const before = copyState(state)
  const leftBefore = loop.left.length
  const countElsewhere = () => [frame.exits, frame.returns ?? [], ...outerEnds(loop)].map(({ length }) => length).join()
  const elsewhereBefore = countElsewhere()
  return {
    isSameWithout: (now: State) => !isRead && sameState(before, now) && countElsewhere() === elsewhereBefore,
    left: () => loop.left.slice(leftBefore),
  }
}

/** Returns the states in which `break 2` and `continue 2` leave the loops around one. */
const outerEnds = ({ outer }: Loop): readonly (readonly State[])[] =>
  outer === undefined ? [] : [outer.left, outer.again, ...outerEnds(outer)]

function withValue(context: Context, state: State, name: string, value: ShellText): State {
  const copy = copyState(state)
  assign(context, copy, name, [value])
  return copy
}

/** The value of a loop's variable as a word, if it stands for several: a pattern, or what cannot be known. */
function overOf(value: ShellText): ShellWord | undefined {
  if (value.pattern === undefined && isKnown(value)) return undefined
  return { ...wordOf(value), ...(value.pattern !== undefined && { pattern: value.pattern }) }
}

/** Runs a body any number of times, also never: for the words of a pattern, or of an unknown list. */
function runRepeatedly(
  context: Context,
  state: State,
  variable: string,
  body: (state: State) => State | undefined,
): State | undefined {
  const first = context.commands.length
  const skipped = copyState(state)
  const once = body(state)
  if (once === undefined) return undefined
  const changed = changes(context, skipped, once).filter((name) => name !== variable)
  const both = joinAll(context, [skipped, once])
  if (changed.length === 0 || both === undefined) return both
  const repeatedBefore = context.repeated
  context.repeated ??= rememberCommands(context, first)
  const again = body(widened(context, copyState(both), changed, false) ?? both)
  context.repeated = repeatedBefore
  return joinAll(context, [both, again])
}

/**
 * Tells whether a word is known and not a plain number. For numbers, one round with an unknown value stands for all.
 */
const isMoreThanNumber = ({ word }: Field): boolean => word.unresolved !== true && !/^[\d.-]*$/.test(word.value)

function parameterFields(state: State): readonly Field[] {
  const { list, open } = state.parameters
  const fields = list.map(([text]) => fieldOfText(text))
  if (open !== true) return fields
  const { word } = fieldOfText(unknown(undefined, list.at(-1)?.[0].from))
  return [...fields, { word: { ...word, several: true } }]
}

/** Returns the words of a loop's list: if they have several expansions, all of them one after the other. */
function listOf(context: Context, state: State, frame: Frame, words: For['wordlist'] & {}): readonly Field[] {
  const ways = expandList(context, state, frame, words)
  const [only] = ways
  if (ways.length === 1 && only !== undefined) return only
  const seen = new Set<string>()
  return ways.flat().filter(({ word }) => {
    const fresh = !seen.has(word.value)
    seen.add(word.value)
    return fresh
  })
}
