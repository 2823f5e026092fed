import type { AnyNode } from 'acorn'
import { makeDisk } from '../../files/disk.ts'
import type { Place } from '../../model/errors.ts'
import { nodesOf, placesOf, propertyName, type Visited } from '../compile/syntax/nodes.ts'
import { countersName, placesIn } from '../compile/syntax/parse-module.ts'
import { type CompiledFiles, openReads, storedPath } from '../compile/policy-stores.ts'
import { makeInsertions } from './mutants/values.ts'
import { type FoundPolicy, readSources, type SourceModule, uniqueName, withHead } from './policy-sources.ts'

/**
 * Compiles a policy so that it notes where its answers come from: every expression that may make or pass on an answer is
 * wrapped, and adds its place and value to the `hits` of `hookgate:counters`.
 *
 * @returns `undefined` if the policy's files do not compile any more
 */
export function compileMarked({ file, folder }: FoundPolicy): CompiledFiles | undefined {
  const sources = readSources({ file, folder })
  if ('flawed' in sources) return undefined
  const [hits, made] = [uniqueName('$hits', sources), uniqueName('$made', sources)]
  const withMarks = (module: SourceModule) => {
    const named = JSON.stringify(`${storedPath(folder, module.file)}:`)
    const note = `const ${made}=(at,value)=>{${hits}[${hits}.length]=[${named}+at,value];return value};`
    const placeAt = placesOf(module.text)
    const insertions = makeInsertions()
    for (const at of nodesOf(module.ast, ({ node }) => module.description.has(node))) {
      if (!mayAnswer(at)) continue
      const { line, column } = placeAt(at.node.start)
      insertions.around(at.node.start, at.node.end, `${made}('${line}:${column}',`, ')')
    }
    return withHead(module, insertions.into(module.text), `import{hits as ${hits}}from'${countersName}';${note}`)
  }
  const changes = new Map(sources.modules.map((module) => [module.file, withMarks(module)]))
  const compiled = sources.compileInstrumented(changes, file)
  if (!('digest' in compiled)) return undefined
  const { readText, reads } = openReads(folder, makeDisk())
  for (const module of compiled.modules) readText(module.file)
  const cost = { files: new Map<string, number>(), codeUnits: 0 }
  // It is only evaluated, by the definition of the rule, and never described.
  return { reads, result: { policy: { ...compiled, definition: '{}' }, problems: [], cost } }
}

/** Finds where `decide` begins in a policy's file. */
export const placeOfDecide = (file: string): Place => placesIn(file)(['decide'], 'key')

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
