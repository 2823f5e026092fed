import type { AnyNode } from 'acorn'
import type { Place } from '../../model/errors.ts'
import { maskSecrets } from '../../mask/mask.ts'
import type { HookEvent } from '../../model/event.ts'
import type { Evaluation } from '../../model/evaluation.ts'
import type { PolicyPort } from '../../model/policy.ts'
import type { PolicyRule } from '../../model/rule.ts'
import { nodesOf, placesOf, propertyName, type Visited } from '../compile/syntax/nodes.ts'
import { placeInDefinition, countersName } from '../compile/syntax/parse-module.ts'
import { evaluatePolicies, type PolicyDependencies, PolicyList } from '../policies.ts'
import { makeInsertions } from './mutants/values.ts'
import {
  compileBehindEntry,
  type PolicySources,
  readSources,
  type SourceModule,
  uniqueName,
  withHead,
} from './policy-sources.ts'

/** An answer that a policy gives now, and the places in its files where it is made. */
interface PlacedAnswer {
  readonly evaluation: Evaluation
  readonly places: readonly SourceLine[]
}

/** A line of a policy's source. */
export interface SourceLine extends Place {
  readonly line: number
  /** The line itself, trimmed, its secrets masked; with the next one, where a call begins at its end. */
  readonly text: string
}

/**
 * Evaluates a policy once more for an event, and finds where its answer comes from: the `deny(…)` that made it; if that
 * stands in another file, after the call in the policy's own file that passed it on.
 *
 * Every expression that may make or pass on an answer is wrapped, and notes its value; the answers that are returned in
 * the end are found among these values by identity.
 *
 * @param folder the folder that the policy's imports must stay below
 * @returns `undefined` if the policy's files do not compile any more
 */
export async function findAnswerPlaces(
  rule: PolicyRule,
  folder: string,
  event: HookEvent,
  { load, ...dependencies }: PolicyDependencies & Pick<PolicyPort, 'load'>,
): Promise<PlacedAnswer | undefined> {
  const sources = readSources({ file: rule.handler.file, folder })
  if ('flawed' in sources) return undefined
  const marked = compileWithMarks(sources)
  if (marked === undefined) return undefined
  const domain = await load([marked.compiled])
  try {
    const place = { domain: domain.id, index: 0, onCaller: false, interest: undefined, ignoresToolFacts: false }
    const [evaluation] = await evaluatePolicies(
      new PolicyList([{ ...rule, handler: { ...rule.handler, ...place } }]),
      event,
      dependencies,
    )
    return evaluation && { evaluation, places: placesOfMarks(evaluation, marked.marks, sources) }
  } finally {
    domain.release()
  }
}

interface Mark {
  readonly module: SourceModule
  readonly line: number
  readonly column: number
}

function compileWithMarks(sources: PolicySources) {
  const marks: Mark[] = []
  const [hits, made] = [uniqueName('$hits', sources), uniqueName('$made', sources)]
  const note = `const ${made}=(n,value)=>{${hits}[${hits}.length]=[n,value];return value};`
  const head = `import{hits as ${hits}}from'${countersName}';${note}`
  const withMarks = (module: SourceModule) => {
    const placeAt = placesOf(module.text)
    const insertions = makeInsertions()
    for (const at of nodesOf(module.ast, ({ node }) => module.description.has(node))) {
      if (!mayAnswer(at)) continue
      const { start, end } = at.node
      insertions.around(start, end, `${made}(${marks.length},`, ')')
      marks.push({ module, ...placeAt(start) })
    }
    return withHead(module, insertions.into(module.text), head)
  }
  const compiled = compileBehindEntry(sources, withMarks, entrySource)
  return compiled && { compiled, marks }
}

/**
 * The entry module returns the policy's own answers, and beside them as a notice, for each answer in a line, its effect
 * and the marks that it passed.
 */
function entrySource(policy: string): string {
  return `import policy from '${policy}';import { hits } from '${countersName}'
const marksOf = (answer) => hits.filter((hit) => hit[1] === answer).map((hit) => hit[0])
const noted = (answer) => [answer.effect, ...marksOf(answer)].join(' ')
export default { ...policy, decide(asked) {
  const reply = policy.decide(asked)
  if (reply === undefined) return reply
  const answers = Array.isArray(reply) ? reply : [reply]
  return [...answers, { notice: ${JSON.stringify(noticeHead)} + answers.map(noted).join('\\n') }]
} }
`
}
const noticeHead = 'marks of the answers:\n'

/** Returns whether an expression may make an answer or pass one on: a function's call, or an object with an effect. */
function mayAnswer(at: Visited): boolean {
  const { node } = at
  const isCall = node.type === 'CallExpression' && node.callee.type === 'Identifier'
  return (isCall || isAnswerLike(node)) && !isInChain(at) && isInFunction(at)
}

const isAnswerLike = (node: AnyNode) =>
  node.type === 'ObjectExpression' &&
  node.properties.some((one) => one.type === 'SpreadElement' || propertyName(one) === 'effect')

/** Returns whether an expression begins an optional chain, which would no longer end early if a part were wrapped. */
function isInChain(at: Visited): boolean {
  const { parent, key } = at
  if (parent === undefined) return false
  if (parent.node.type === 'ChainExpression') return true
  return (key === 'object' || key === 'callee') && isInChain(parent)
}

function isInFunction({ parent }: Visited): boolean {
  if (parent === undefined) return false
  const { type } = parent.node
  const isFunction =
    type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression'
  return isFunction || isInFunction(parent)
}

function placesOfMarks(
  evaluation: Evaluation,
  marks: readonly Mark[],
  { file, modules }: PolicySources,
): readonly SourceLine[] {
  if (evaluation.kind !== 'applicable') return []
  const notes = evaluation.advice.flatMap((one) =>
    one.kind === 'notice' && one.text.startsWith(noticeHead) ? one.text.slice(noticeHead.length).split('\n') : [],
  )
  const passed = notes
    .map((line) => line.split(' '))
    .filter(([effect]) => effect === evaluation.effect)
    .map(([, ...numbers]) => numbers.flatMap((number) => marks[Number(number)] ?? []))
  const found = passed.flatMap(([maker, ...others]) => {
    if (maker === undefined) return []
    const own = maker.module.file === file ? undefined : others.find(({ module }) => module.file === file)
    return own === undefined ? [lineOf(maker)] : [lineOf(own), lineOf(maker)]
  })
  if (found.length > 0) return [...new Map(found.map((one) => [`${one.file}:${one.line}`, one])).values()]
  // The answer is a constant, say. At least it is known which function returns it.
  const own = modules.at(-1)
  const { line, column = 1 } = (own && placeInDefinition(own, ['decide'])) ?? {}
  return own === undefined || line === undefined ? [] : [lineOf({ module: own, line, column })]
}

function lineOf({ module: { file, source }, line, column }: Mark): SourceLine {
  const [first = '', next = ''] = source.split(/\r\n|[\n\r\u2028\u2029]/).slice(line - 1, line + 1)
  return { file, line, column, text: maskSecrets(first.endsWith('(') ? first.trim() + next.trim() : first.trim()) }
}
