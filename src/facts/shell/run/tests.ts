import type { TestExpression } from 'unbash'
import { compare, testString } from '../builtins/test.ts'
import { executableSubscript } from '../state/variables.ts'
import { expandText } from '../expand/words.ts'
import { onlyValue } from '../values/text.ts'
import { type Context, type Frame, note } from '../state/context.ts'
import type { State } from '../state/state.ts'

/**
 * Evaluates `[[ … ]]`. Operands are expanded, which runs their substitutions; only simple comparisons have a known
 * result.
 */
export function runTest(context: Context, state: State, frame: Frame, expression: TestExpression): boolean | undefined {
  switch (expression.type) {
    case 'TestUnary': {
      const value = onlyValue(expandText(context, state, frame, expression.operand))
      if (expression.operator === '-v' && executableSubscript.test(value ?? ''))
        note(context, 'a test runs code in an array subscript')
      return value === undefined ? undefined : testString(expression.operator, value)
    }
    case 'TestBinary': {
      const left = onlyValue(expandText(context, state, frame, expression.left))
      const right = onlyValue(expandText(context, state, frame, expression.right))
      const { operator } = expression
      if (left === undefined || right === undefined || operator === '=~') return undefined
      return compare(left, operator, right)
    }
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
