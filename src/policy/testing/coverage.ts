import type { AnyNode, AssignmentExpression, IfStatement, LogicalExpression, Program, SwitchStatement } from 'acorn'
import type { CompiledPolicy, PolicyDefinition, PolicyPort } from '../../model/policy.ts'
import { requestFor } from '../compile/definition/examples.ts'
import { countersName } from '../compile/syntax/parse-module.ts'
import {
  evaluateOne,
  compileBehindEntry,
  type PolicySources,
  type SourceModule,
  uniqueName,
  withHead,
} from './policy-sources.ts'
import { nodesOf, placesOf, topLevelValues, type Visited } from '../compile/syntax/nodes.ts'
import { excerptOf, makeInsertions } from './mutants/values.ts'

export interface CoverageCount {
  readonly total: number
  readonly covered: number
}

/** A branch that no example takes. */
export interface UntakenBranch {
  readonly line: number
  readonly column: number
  readonly untaken: string
}

export interface FileCoverage {
  readonly file: string
  readonly lines: CoverageCount & { readonly uncovered: readonly number[] }
  readonly branches: CoverageCount & { readonly uncovered: readonly UntakenBranch[] }
}

/** Measures the coverage of a policy's examples in each of its files. */
export async function coverageOf(
  sources: PolicySources,
  definition: PolicyDefinition,
  policies: PolicyPort,
): Promise<readonly FileCoverage[]> {
  const { compiled, pointsOf } = compileWithCounters(sources)
  if (compiled === undefined) return []
  const domain = await policies.load([compiled])
  const taken = new Set<number>()
  const asked = definition.examples.map(async ({ given }) => {
    const result = await evaluateOne(
      policies,
      await requestFor(definition, { domain: domain.id, policy: 0 }, given, policies),
    )
    const [answer] = 'answers' in result ? result.answers : []
    const hits = answer !== undefined && 'notice' in answer ? answer.notice : ''
    for (let point = hits.indexOf('1'); point !== -1; point = hits.indexOf('1', point + 1)) taken.add(point)
  })
  await Promise.all(asked)
  domain.release()
  const deciding = pointsOf.filter(({ points }) => points.length > 0)
  return deciding.map(({ file, points, first }) => fileCoverage(file, points, (index) => taken.has(first + index)))
}

function fileCoverage(
  file: string,
  points: readonly CoveragePoint[],
  isTaken: (index: number) => boolean,
): FileCoverage {
  const lines = new Map<number, boolean>()
  const branches: { taken: boolean; branch: UntakenBranch }[] = []
  for (const [index, point] of points.entries()) {
    const taken = isTaken(index)
    if (point.kind === 'line') lines.set(point.line, taken || lines.get(point.line) === true)
    else branches.push({ taken, branch: { line: point.line, column: point.column, untaken: point.untaken } })
  }
  const missed = [...lines].filter(([, taken]) => !taken).map(([line]) => line)
  const untaken = branches.filter(({ taken }) => !taken).map(({ branch }) => branch)
  return {
    file,
    lines: { total: lines.size, covered: lines.size - missed.length, uncovered: missed.toSorted((a, b) => a - b) },
    branches: {
      total: branches.length,
      covered: branches.length - untaken.length,
      uncovered: untaken.toSorted((a, b) => a.line - b.line || a.column - b.column),
    },
  }
}

interface FilePoints {
  readonly file: string
  readonly points: readonly CoveragePoint[]
  /** The index of the file's first counter. */
  readonly first: number
}

/**
 * Compiles the policy with counters. Its entry module calls the policy, discards the answer, and answers every event
 * with the counters reached so far on its thread.
 */
function compileWithCounters(sources: PolicySources): {
  readonly compiled: CompiledPolicy | undefined
  readonly pointsOf: readonly FilePoints[]
} {
  const names: CounterNames = {
    hits: uniqueName('$hits', sources),
    holds: uniqueName('$holds', sources),
    present: uniqueName('$present', sources),
  }
  const { hits, holds, present } = names
  const head = `import{hits as ${hits},holds as ${holds},present as ${present}}from'${countersName}';`
  const pointsOf: FilePoints[] = []
  let first = 0
  const withCounters = (module: SourceModule) => {
    const { file, text, ast, description } = module
    const { code, points } = instrument(text, ast, names, first, description)
    pointsOf.push({ file, points, first })
    first += points.length
    return withHead(module, code, head)
  }
  return { compiled: compileBehindEntry(sources, withCounters, entrySource), pointsOf }
}

function entrySource(policy: string): string {
  const imports = `import policy from '${policy}';import { taken } from '${countersName}'`
  const decide = 'decide(asked) { try { policy.decide(asked) } catch {} return { notice: taken() } }'
  return `${imports}\nexport default { ...policy, ${decide} }\n`
}

/** A line or branch of a source that an example may reach. */
type CoveragePoint =
  | { readonly kind: 'line'; readonly line: number }
  | {
      readonly kind: 'branch'
      readonly line: number
      readonly column: number
      /** The report if no example takes this branch: `` `tool.path` is never absent ``. */
      readonly untaken: string
    }

interface InstrumentedSource {
  readonly code: string
  readonly points: readonly CoveragePoint[]
}

/** The names of the counters in instrumented code. */
interface CounterNames {
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
  tree: Program,
  names: CounterNames,
  first: number,
  skipped: ReadonlySet<AnyNode>,
): InstrumentedSource {
  const counters = new Counters(text, names, first, topLevelValues(tree))
  for (const at of nodesOf(tree, ({ node }) => skipped.has(node))) {
    counters.addLine(at)
    counters.addBranches(at)
  }
  return counters.instrumented
}

class Counters {
  readonly #points: CoveragePoint[] = []
  readonly #insertions = makeInsertions()
  readonly #placeAt: ReturnType<typeof placesOf>
  readonly #text: string
  readonly #names: CounterNames
  readonly #first: number
  readonly #values: ReadonlyMap<string, AnyNode>

  /** @param values the values of the module's top-level names */
  constructor(text: string, names: CounterNames, first: number, values: ReadonlyMap<string, AnyNode>) {
    this.#placeAt = placesOf(text)
    this.#text = text
    this.#names = names
    this.#first = first
    this.#values = values
  }

  get instrumented(): InstrumentedSource {
    return { code: this.#insertions.into(this.#text), points: this.#points }
  }

  addLine(at: Visited): void {
    const { node } = at
    if (isStatementOfList(at) || isBodyAlone(at)) this.#before(node, this.#line(node))
    else if (node.type === 'ArrowFunctionExpression' && node.body.type !== 'BlockStatement') {
      this.#count(node.body, this.#line(node.body))
    }
  }

  addBranches(at: Visited): void {
    const { node } = at
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- of some eighty kinds of nodes, these branch
    switch (node.type) {
      case 'IfStatement':
        return this.#addIf(node)
      case 'ConditionalExpression':
        this.#count(node.consequent, this.#branch(node, `${this.#excerpt(node.test)} never holds`))
        return this.#count(node.alternate, this.#branch(node, `${this.#excerpt(node.test)} always holds`))
      case 'LogicalExpression':
        return this.#addLogical(node)
      case 'MemberExpression':
        return node.optional ? this.#addOptional(node, node.object) : undefined
      case 'CallExpression':
        // A method that may be absent would lose its `this`.
        return node.optional && node.callee.type !== 'MemberExpression'
          ? this.#addOptional(node, node.callee)
          : undefined
      case 'AssignmentExpression':
        return this.#addAssignment(node)
      case 'AssignmentPattern':
        if (isNamedByPlace(node.right)) return undefined
        return this.#count(node.right, this.#branch(node, `the default of ${this.#excerpt(node.left)} is never used`))
      case 'SwitchStatement':
        return this.#addSwitch(node)
      case 'ForStatement':
        return this.#addLoop(at, node.test ?? node, node.body, isEndless(node.test))
      case 'WhileStatement':
        return this.#addLoop(at, node.test, node.body, isEndless(node.test))
      case 'ForInStatement':
      case 'ForOfStatement':
        return this.#addLoop(at, node.right, node.body, this.#isFilledList(node.right))
      case 'DoWhileStatement':
        return this.#intoBody(node.body, '')
      case 'CatchClause':
        return this.#intoBody(node.body, `${this.#branch(node, 'nothing is ever caught')};`)
      default:
        return undefined
    }
  }

  #addIf(node: IfStatement): void {
    const taken = this.#branch(node, `${this.#excerpt(node.test)} never holds`)
    const passed = this.#branch(node, `${this.#excerpt(node.test)} always holds`)
    if (node.alternate) this.#intoBody(node.alternate, `${passed};`)
    else this.#insertions.around(node.start, node.end, '', `else{${passed}}`)
    this.#intoBody(node.consequent, `${taken};`)
  }

  #addLogical(node: LogicalExpression): void {
    if (node.operator === '??') return this.#addOptional(node, node.left)
    const left = this.#excerpt(node.left)
    const point = this.#addPoint(node, `${left} always holds`)
    this.#addPoint(node, `${left} never holds`)
    return this.#observe(node.left, this.#names.holds, point)
  }

  #addOptional(node: AnyNode, subject: AnyNode): void {
    const point = this.#addPoint(node, `${this.#excerpt(subject)} is never absent`)
    this.#addPoint(node, `${this.#excerpt(subject)} is always absent`)
    this.#observe(subject, this.#names.present, point)
  }

  #addAssignment(node: AssignmentExpression): void {
    if (!['??=', '||=', '&&='].includes(node.operator) || isNamedByPlace(node.right)) return
    this.#count(node.right, this.#branch(node, `${this.#excerpt(node.left)} is never assigned`))
  }

  #addSwitch(node: SwitchStatement): void {
    const [firstCase] = node.cases
    if (firstCase && node.cases.every(({ test }) => test)) {
      const matched = this.#branch(node, `${this.#excerpt(node.discriminant)} always matches one of the cases`)
      // A `default` at the front is not fallen into, and still matches only if no case does.
      this.#before(firstCase, `default:${matched};break`)
    }
    for (const one of node.cases) {
      const name = one.test ? this.#excerpt(one.test) : '`default`'
      const matched = this.#branch(one, `the case ${name} is never matched`)
      const [head] = one.consequent
      if (head) this.#before(head, matched)
      else this.#insertions.around(one.start, one.end, '', `${matched};`)
    }
  }

  /** @param always true if the loop cannot be skipped: it has no condition, or iterates over a non-empty literal */
  #addLoop(at: Visited, head: AnyNode, body: AnyNode, always: boolean): void {
    const flag = `${this.#names.hits}_${this.#first + this.#points.length}`
    const entered = this.#branch(at.node, `the loop over ${this.#excerpt(head)} is never entered`)
    if (always) return this.#intoBody(body, `${entered};`)
    const skipped = this.#branch(at.node, `the loop over ${this.#excerpt(head)} is never skipped`)
    let whole = at
    while (whole.parent?.node.type === 'LabeledStatement') whole = whole.parent
    this.#insertions.around(whole.node.start, whole.node.end, `let ${flag}=0;`, `if(!${flag})${skipped};`)
    return this.#intoBody(body, `${flag}=1;${entered};`)
  }

  #isFilledList(node: AnyNode): boolean {
    const value = node.type === 'Identifier' ? this.#values.get(node.name) : node
    return value?.type === 'ArrayExpression' && value.elements.some((element) => element?.type !== 'SpreadElement')
  }

  #excerpt(node: AnyNode): string {
    return excerptOf(this.#text, node)
  }

  /** Adds the point of a branch, and returns its index. */
  #addPoint(node: AnyNode, untaken: string): number {
    this.#points.push({ kind: 'branch', ...this.#placeAt(node.start), untaken })
    return this.#first + this.#points.length - 1
  }

  /** Adds the point of a branch, and returns the code that sets it. */
  #branch(node: AnyNode, untaken: string): string {
    return `${this.#names.hits}[${this.#addPoint(node, untaken)}]=1`
  }

  #line(node: AnyNode): string {
    this.#points.push({ kind: 'line', line: this.#placeAt(node.start).line })
    return `${this.#names.hits}[${this.#first + this.#points.length - 1}]=1`
  }

  #before({ start }: AnyNode, code: string): void {
    this.#insertions.around(start, start, `${code};`, '')
  }

  #count({ start, end }: AnyNode, code: string): void {
    this.#insertions.around(start, end, `(${code},`, ')')
  }

  #observe({ start, end }: AnyNode, name: string, point: number): void {
    this.#insertions.around(start, end, `${name}(${point},(`, '))')
  }

  /** Inserts code at the start of a body, and puts braces around a body that is a single statement. */
  #intoBody({ type, start, end }: AnyNode, code: string): void {
    if (type === 'BlockStatement') this.#insertions.around(start + 1, start + 1, code, '')
    else this.#insertions.around(start, end, `{${code}`, '}')
  }
}

const uncounted: ReadonlySet<AnyNode['type']> = new Set<AnyNode['type']>([
  'BlockStatement',
  'EmptyStatement',
  'FunctionDeclaration',
  'ImportDeclaration',
  'ExportAllDeclaration',
])

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

const isEndless = (test: AnyNode | null | undefined) => !test || (test.type === 'Literal' && Boolean(test.value))

/** Returns true for a function or class that takes its name from the assignment: a wrapper would leave it unnamed. */
function isNamedByPlace({ type }: AnyNode): boolean {
  return type === 'ArrowFunctionExpression' || type === 'FunctionExpression' || type === 'ClassExpression'
}
