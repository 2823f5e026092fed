import type { AnyNode } from 'acorn'
import { limits } from '../../../model/limits.ts'
import type { Problem } from '../../../model/problem.ts'
import { nodesOf, type Visited } from '../syntax/nodes.ts'
import type { ParsedModule } from '../syntax/parse-module.ts'
import { problemAt } from '../syntax/places.ts'
import { tooDeep } from '../syntax/strip-types.ts'

/** Finds syntax that no policy module may contain: asynchronous code, which outlives the call, and loading of code. */
export function forbiddenSyntax(module: ParsedModule): Problem[] {
  const problems: Problem[] = []
  for (const visit of nodesOf(module.ast)) {
    if (visit.depth > policyDepthMax) {
      return [...problems, tooDeep(problemAt(module, visit.node.start, '').place)]
    }
    const forbidden = forbiddenNode(visit, module.text)
    if (forbidden !== undefined) problems.push(problemAt(module, forbidden.at, forbidden.message, forbidden.remedy))
    if (problems.length >= limits.policyProblemsMax) return problems
  }
  return problems
}
/** How deep a policy's syntax may nest. Every parser recurses: the first overflows at some 600 nested objects. */
const policyDepthMax = 500

interface Forbidden {
  readonly at: number
  readonly message: string
  readonly remedy: string
}

function forbiddenNode({ node, parent }: Visited, text: string): Forbidden | undefined {
  const at = node.start
  if ('async' in node && node.async) {
    const above = parent?.node
    const named = above?.type === 'MethodDefinition' || (above?.type === 'Property' && above.method)
    return synchronous(named ? above.start : at, '`async`')
  }
  if (node.type === 'AwaitExpression') return synchronous(at, '`await`')
  if (node.type === 'ForOfStatement' && node.await) return synchronous(at, '`for await`')
  if (node.type === 'VariableDeclaration' && node.kind === 'await using') return synchronous(at, '`await using`')
  if (node.type === 'ImportExpression') {
    return {
      at,
      message: '`import()` is not possible in a policy',
      remedy: 'write `import … from` at the top of the file',
    }
  }
  if (node.type === 'MetaProperty' && node.meta.name === 'import') {
    return { at, message: '`import.meta` is not possible in a policy', remedy: 'a policy cannot know where it is' }
  }
  return htmlComment(node, text)
}

function synchronous(at: number, what: string): Forbidden {
  const remedy = 'declare what it needs to know about the outside world in `facts`'
  return { at, message: `${what} is not possible: policies are synchronous`, remedy }
}

/** Finds `<!--`: V8 refuses it in a module as an HTML comment, but the parser here reads it as `<`, `!`, `--`. */
function htmlComment(node: AnyNode, text: string): Forbidden | undefined {
  if (node.type !== 'BinaryExpression' || node.operator !== '<') return undefined
  const at = node.right.start - 1
  if (!text.startsWith('<!--', at)) return undefined
  return { at, message: '`<!--` is not possible in a module', remedy: 'put a space after `<`' }
}
