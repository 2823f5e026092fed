import type { AnyNode } from 'acorn'
import { limits } from '../../../model/limits.ts'
import type { Problem } from '../../../model/problem.ts'
import { nodesOf, type Visit } from '../syntax/nodes.ts'
import type { ParsedModule } from '../syntax/parse-module.ts'
import { problemAt } from '../syntax/problem-at.ts'
import { tooDeep } from '../syntax/strip-types.ts'

/** What no module of a policy may contain: everything that does not end with the call, and everything that loads code. */
export function forbiddenSyntax(module: ParsedModule): Problem[] {
  const problems: Problem[] = []
  for (const visit of nodesOf(module.ast)) {
    if (visit.depth > limits.policyDepthMax) {
      return [...problems, tooDeep(problemAt(module, visit.node.start, '').place)]
    }
    const forbidden = forbiddenNode(visit, module.text)
    if (forbidden !== undefined) problems.push(problemAt(module, forbidden.at, forbidden.message, forbidden.remedy))
    if (problems.length >= limits.policyProblemsMax) return problems
  }
  return problems
}

interface Forbidden {
  readonly at: number
  readonly message: string
  readonly remedy: string
}

function forbiddenNode({ node, parent }: Visit, text: string): Forbidden | undefined {
  const at = node.start
  if ('async' in node && node.async) {
    const named = parent?.type === 'MethodDefinition' || (parent?.type === 'Property' && parent.method)
    return synchronous(named ? parent.start : at, '`async`')
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

/** V8 takes it for the beginning of an HTML comment and refuses the module; the parser here takes it for `<`, `!`, `--`. */
function htmlComment(node: AnyNode, text: string): Forbidden | undefined {
  if (node.type !== 'BinaryExpression' || node.operator !== '<') return undefined
  const at = node.right.start - 1
  if (!text.startsWith('<!--', at)) return undefined
  return { at, message: '`<!--` is not possible in a module', remedy: 'put a space after `<`' }
}
