import type { Case, If, TestExpression, Word } from 'unbash'
import { shellLimits } from '../../../model/limits.ts'
import { expandText, patternTexts } from '../expand/words.ts'
import { matchesWhole, readGlob } from '../values/glob.ts'
import { isKnown, onlyValue, type Texts } from '../values/text.ts'
import {
  type Context,
  ended,
  type Frame,
  note,
  type CommandOutcome,
  withReach,
  type RunList,
  succeeded,
} from '../state/context.ts'
import { joinAll, joinOutcomes, splitOutcome, stateAfter } from '../state/join.ts'
import { copyState, type State } from '../state/state.ts'
import { executableSubscript } from '../state/variables.ts'
import { compare, testString } from '../builtins/builtin.ts'

type TestBinary = Extract<TestExpression, { readonly type: 'TestBinary' }>

export function runIf(context: Context, state: State, frame: Frame, node: If, runList: RunList): CommandOutcome {
  const within = withReach(frame, { through: 'condition' })
  const ends: CommandOutcome[] = []
  /** The state in case every condition so far has failed; `undefined` once one surely holds. */
  let now: State | undefined = state
  /** The last state that was known: a branch that surely does not run is looked at in a copy of it. */
  let stale = state
  for (const branch of [node, ...node.elif]) {
    const tested: CommandOutcome = runList(
      context,
      now ?? copyState(stale),
      { ...frame, tested: true },
      branch.clause.commands,
    )
    const { ok, fail } = splitOutcome(now === undefined ? ended : tested)
    stale = ok ?? fail ?? stale
    const body = runList(context, ok ?? copyState(stale), within, branch.then.commands)
    if (ok !== undefined) ends.push(splitOutcome(body))
    now = fail
    stale = fail ?? stale
  }
  if (node.else === undefined) {
    if (now !== undefined) ends.push(succeeded(now))
  } else {
    const body = runList(context, now ?? copyState(stale), within, node.else.commands)
    if (now !== undefined) ends.push(splitOutcome(body))
  }
  return joinOutcomes(context, ends)
}

export function runCase(
  context: Context,
  state: State,
  frame: Frame,
  { word, items }: Case,
  runList: RunList,
): CommandOutcome {
  const texts = expandText(context, state, frame, word)
  const within = withReach(frame, { through: 'case' })
  const ends: CommandOutcome[] = []
  /** The state in case no pattern has matched yet; `undefined` once one surely has. */
  let now: State | undefined = state
  /** The state that falls through from the last arm to the next: `;&`. */
  let falls: State | undefined
  for (const item of items) {
    const matches = matchesOne(context, now ?? state, frame, item.pattern, texts)
    const enters = matches === false ? undefined : now
    if (matches === true) now = undefined
    else if (enters !== undefined) now = copyState(enters)
    const start = joinAll(context, [falls, enters])
    const outcome = runList(context, start ?? copyState(state), within, item.body.commands)
    falls = undefined
    if (start === undefined) continue
    if (item.terminator === ';&') falls = stateAfter(context, outcome)
    else if (item.terminator === ';;&') now = joinAll(context, [now, stateAfter(context, outcome)])
    else ends.push(splitOutcome(outcome))
  }
  return joinOutcomes(context, [...ends, { ok: falls }, { ok: now }])
}

/** Returns whether one of the patterns matches; `undefined` if that is not known. */
function matchesOne(
  context: Context,
  state: State,
  frame: Frame,
  patterns: readonly Word[],
  texts: Texts,
): boolean | undefined {
  let maybe = false
  for (const one of patterns) {
    if (one.text === '*') return true
    const globs = patternTexts(context, state, frame, one)?.map(readGlob) ?? [undefined]
    const results = texts.flatMap((text) =>
      globs.map((glob) =>
        isKnown(text) && text.value.length <= shellLimits.patternTextMax && glob !== undefined
          ? matchesWhole(glob, text.value)
          : undefined,
      ),
    )
    if (results.every((result) => result === true)) return true
    maybe ||= results.some((result) => result !== false)
  }
  return maybe ? undefined : false
}

/**
 * Evaluates `[[ … ]]`. Operands are expanded, which runs their substitutions; only simple comparisons have a known
 * result.
 */
export function runTest(context: Context, state: State, frame: Frame, expression: TestExpression): boolean | undefined {
  switch (expression.type) {
    case 'TestUnary': {
      const { operator, operand } = expression
      const value = onlyValue(expandText(context, state, frame, operand))
      if (operator === '-v') noteSubscript(context, value)
      return value === undefined ? undefined : testString(operator, value)
    }
    case 'TestBinary':
      return runComparison(context, state, frame, expression)
    case 'TestNot': {
      const holds = runTest(context, state, frame, expression.operand)
      return holds === undefined || expression.negations.length % 2 === 0 ? holds : !holds
    }
    case 'TestGroup':
      return runTest(context, state, frame, expression.expression)
    case 'TestLogical': {
      const all = expression.operands.map((one) => runTest(context, state, frame, one))
      const decisive = expression.operator === '||'
      if (all.includes(decisive)) return decisive
      return all.every((one) => one === !decisive) ? !decisive : undefined
    }
  }
}

function runComparison(
  context: Context,
  state: State,
  frame: Frame,
  { left, operator, right }: TestBinary,
): boolean | undefined {
  const texts = expandText(context, state, frame, left)
  if (operator === '=' || operator === '==' || operator === '!=') {
    const matches = matchesOne(context, state, frame, [right], texts)
    return operator === '!=' && matches !== undefined ? !matches : matches
  }
  const [one, other] = [onlyValue(texts), onlyValue(expandText(context, state, frame, right))]
  if (operator.startsWith('-')) for (const value of [one, other]) noteSubscript(context, value)
  return one === undefined || other === undefined ? undefined : compare(one, operator, other)
}

/** Notes a command substitution in the subscript of a name that a test evaluates: `[[ -v 'a[$(cmd)]' ]]`. */
function noteSubscript(context: Context, name = ''): void {
  if (executableSubscript.test(name)) note(context, 'a test runs code in an array subscript')
}
