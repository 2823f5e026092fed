import { placesOf, type Syntax, type SyntaxTree, type Visited, walkSyntax } from '../compile/syntax/syntax-walk.ts'
import { makeInsertions } from './edits.ts'
import { glimpse } from './glimpse.ts'
import { filledLists, isFilled } from './filled-lists.ts'

/** A line or branch of a source that an example may reach. */
export type Point =
  | { readonly kind: 'line'; readonly line: number }
  | {
      readonly kind: 'branch'
      readonly line: number
      readonly column: number
      /** The report if no example takes this branch: `` `tool.path` is never absent ``. */
      readonly untaken: string
    }

export interface Instrumented {
  readonly code: string
  readonly points: readonly Point[]
}

/** The names of the counters in instrumented code. */
export interface CounterNames {
  /** An array in which the entries of reached points are set. */
  readonly hits: string
  /** `(n, value) => value`; sets `n + 1` for a truthy value, else `n`. */
  readonly holds: string
  /** `(n, value) => value`; sets `n` for `undefined` and `null`, else `n + 1`. */
  readonly present: string
}

/**
 * Adds counters to a source, for its statements and for both sides of each branch, without changing its behavior.
 *
 * @param text the source without types
 * @param first the index of its first counter
 * @param skipped nodes that get no counters
 */
export function instrument(
  text: string,
  tree: SyntaxTree,
  names: CounterNames,
  first: number,
  skipped: ReadonlySet<Syntax>,
): Instrumented {
  const insertions = makeInsertions()
  const points: Point[] = []
  const placeAt = placesOf(text)
  const lists = filledLists(tree)

  const excerpt = (node: Syntax) => glimpse(text, node)
  const branch = (node: Syntax, untaken: string): number => {
    points.push({ kind: 'branch', ...placeAt(node.start), untaken })
    return first + points.length - 1
  }
  const line = (node: Syntax): number => {
    points.push({ kind: 'line', line: placeAt(node.start).line })
    return first + points.length - 1
  }
  const hit = (point: number) => `${names.hits}[${point}]=1`
  const before = (offset: number, code: string) => insertions.around(offset, offset, code, '')
  const counted = (node: Syntax, point: number) => insertions.around(node.start, node.end, `(${hit(point)},`, ')')
  /** Inserts code at the start of a body, and puts braces around a body that is a single statement. */
  const intoBody = (body: Syntax, code: string) => {
    if (body.type === 'BlockStatement') before(body.start + 1, code)
    else insertions.around(body.start, body.end, `{${code}`, '}')
  }

  const conditional = (node: Syntax, test: Syntax) =>
    [branch(node, `${excerpt(test)} never holds`), branch(node, `${excerpt(test)} always holds`)] as const

  /** @param always true if the loop cannot be skipped: it has no condition, or iterates over a non-empty literal */
  function loop(at: Visited, head: Syntax, body: Syntax, always: boolean) {
    const flag = `${names.hits}_${first + points.length}`
    const entered = hit(branch(at.node, `the loop over ${excerpt(head)} is never entered`))
    if (always) return intoBody(body, `${entered};`)
    const passed = hit(branch(at.node, `the loop over ${excerpt(head)} is never skipped`))
    let whole = at
    while (whole.parent?.node.type === 'LabeledStatement') whole = whole.parent
    insertions.around(whole.node.start, whole.node.end, `let ${flag}=0;`, `if(!${flag})${passed};`)
    return intoBody(body, `${flag}=1;${entered};`)
  }

  function branches(at: Visited) {
    const { node } = at
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- of some eighty kinds of nodes, these branch
    switch (node.type) {
      case 'IfStatement': {
        const [taken, passed] = conditional(node, node.test)
        if (node.alternate) intoBody(node.alternate, `${hit(passed)};`)
        else insertions.around(node.start, node.end, '', `else{${hit(passed)}}`)
        return intoBody(node.consequent, `${hit(taken)};`)
      }
      case 'ConditionalExpression': {
        const [taken, passed] = conditional(node, node.test)
        counted(node.consequent, taken)
        return counted(node.alternate, passed)
      }
      case 'LogicalExpression': {
        const left = excerpt(node.left)
        const absent = node.operator === '??'
        const point = branch(node, absent ? `${left} is never absent` : `${left} always holds`)
        branch(node, absent ? `${left} is always absent` : `${left} never holds`)
        return observed(node.left, absent ? names.present : names.holds, point)
      }
      case 'MemberExpression':
        return node.optional ? optional(node, node.object) : undefined
      case 'CallExpression':
        // A method that may be absent would lose its `this`.
        return node.optional && node.callee.type !== 'MemberExpression' ? optional(node, node.callee) : undefined
      case 'AssignmentExpression':
        if (!['??=', '||=', '&&='].includes(node.operator) || isNamedByPlace(node.right)) return undefined
        return counted(node.right, branch(node, `${excerpt(node.left)} is never assigned`))
      case 'AssignmentPattern':
        if (isNamedByPlace(node.right)) return undefined
        return counted(node.right, branch(node, `the default of ${excerpt(node.left)} is never used`))
      case 'SwitchStatement': {
        const [firstCase] = node.cases
        const unmet = () => hit(branch(node, `${excerpt(node.discriminant)} always matches one of the cases`))
        // A `default` at the front is not fallen into, and still matches only if no case does.
        if (firstCase && node.cases.every(({ test }) => test)) before(firstCase.start, `default:${unmet()};break;`)
        return undefined
      }
      case 'SwitchCase': {
        const point = hit(branch(node, `the case ${node.test ? excerpt(node.test) : '`default`'} is never matched`))
        const [head] = node.consequent
        if (head) return before(head.start, `${point};`)
        return insertions.around(node.start, node.end, '', `${point};`)
      }
      case 'ForStatement':
        return loop(at, node.test ?? node, node.body, isEndless(node.test))
      case 'WhileStatement':
        return loop(at, node.test, node.body, isEndless(node.test))
      case 'ForInStatement':
      case 'ForOfStatement':
        return loop(
          at,
          node.right,
          node.body,
          isFilled(node.right) || (node.right.type === 'Identifier' && lists.has(node.right.name)),
        )
      case 'DoWhileStatement':
        return intoBody(node.body, '')
      case 'CatchClause':
        return intoBody(node.body, `${hit(branch(node, 'nothing is ever caught'))};`)
      default:
        return undefined
    }
  }

  const observed = (node: Syntax, name: string, point: number) =>
    insertions.around(node.start, node.end, `${name}(${point},(`, '))')
  const optional = (node: Syntax, subject: Syntax) => {
    const point = branch(node, `${excerpt(subject)} is never absent`)
    branch(node, `${excerpt(subject)} is always absent`)
    observed(subject, names.present, point)
  }

  walkSyntax(tree, (at) => {
    const { node } = at
    if (skipped.has(node)) return 'skip'
    if (isStatementOfList(at) || isBodyAlone(at)) before(node.start, `${hit(line(node))};`)
    branches(at)
    if (node.type === 'ArrowFunctionExpression' && node.body.type !== 'BlockStatement')
      counted(node.body, line(node.body))
    return undefined
  })
  return { code: insertions.into(text), points }
}

const uncounted: ReadonlySet<Syntax['type']> = new Set([
  'BlockStatement',
  'EmptyStatement',
  'FunctionDeclaration',
  'ImportDeclaration',
  'ExportAllDeclaration',
] satisfies readonly Syntax['type'][])

function isStatementOfList({ node, key, parent }: Visited): boolean {
  if (uncounted.has(node.type)) return false
  if (node.type === 'ExportNamedDeclaration' && node.declaration?.type !== 'VariableDeclaration') return false
  if (key === 'consequent') return parent?.node.type === 'SwitchCase'
  const list = parent?.node.type
  return key === 'body' && (list === 'Program' || list === 'BlockStatement' || list === 'StaticBlock')
}

/** Returns true for the single statement of an `if` or a loop without braces. */
function isBodyAlone({ node, key, parent }: Visited): boolean {
  if (uncounted.has(node.type)) return false
  const above = parent?.node.type
  if (above === 'IfStatement') return key === 'consequent' || key === 'alternate'
  return key === 'body' && above !== undefined && /^(For|ForIn|ForOf|While|DoWhile)Statement$/.test(above)
}

const isEndless = (test: Syntax | null | undefined) => !test || (test.type === 'Literal' && Boolean(test.value))

/** Returns true for a function or class that takes its name from the assignment: a wrapper would leave it unnamed. */
function isNamedByPlace({ type }: Syntax): boolean {
  return type === 'ArrowFunctionExpression' || type === 'FunctionExpression' || type === 'ClassExpression'
}
