import type { AnyNode } from 'acorn'
import { limits } from '../../model/limits.ts'
import type { Problem } from '../../model/errors.ts'
import { type TopLevel, topLevelOf } from './flaws/top-level.ts'
import { moduleCode, type ParsedModule, parseModule } from './syntax/parse-module.ts'
import { ignoresToolFacts, unknownInDecide } from './flaws/unknown-in-decide.ts'
import { interfaceOf, type ModuleInterface } from './syntax/module-interface.ts'
import { nodesOf, problemAt, type SourceText, type Visited } from './syntax/nodes.ts'
import { isTooDeep, tooDeep } from './syntax/strip-types.ts'
import { undeclaredNames } from './flaws/undeclared-names.ts'

/**
 * A parsed module with its problems, independent of its importers.
 *
 * INVARIANT: it does not retain the syntax tree, which takes a hundred times the memory of the source: the trees of a
 * folder of policies would fill the memory.
 */
export interface ReadModule {
  readonly source: string
  /** The source with its types blanked; offsets of problems refer to it. */
  readonly module: SourceText
  readonly face: ModuleInterface
  /** Problems for which it cannot be compiled. */
  readonly own: readonly Problem[]
  /** Names that nothing declares. */
  readonly flaws: readonly Problem[]
  /** `undefined` if it cannot be compiled. */
  readonly made: { readonly code: string; readonly topLevel: Omit<TopLevel, 'problems'> } | undefined
  /** `undefined` unless the module was read as the policy's own file. */
  readonly decides: Decides | undefined
}

/** The results of checks that only a policy's own file gets. */
interface Decides {
  readonly flaws: readonly Problem[]
  readonly ignoresToolFacts: boolean
}

/** A cache of parsed modules by real path: policies of a pack share a few modules, and parsing is most of the work. */
export type ReadModules = Map<string, ReadModule>

interface ModuleToRead {
  readonly file: string
  readonly source: string
  /** True if it is read as the policy's own file. */
  readonly isPolicy: boolean
  /** True if its code is instrumented for coverage. */
  readonly isInstrumented: boolean
}

/**
 * Parses a module or returns it from the cache, or returns the problem that prevents it. Yields between the steps of
 * the work, so that the caller can pause.
 *
 * @param key the module's real path
 */
export function* moduleIn(
  read: ReadModules,
  key: string,
  reading: ModuleToRead,
): Generator<undefined, ReadModule | Problem> {
  const { file, source, isPolicy } = reading
  const before = read.get(key)
  const isWhole = !isPolicy || before?.decides !== undefined
  if (before?.source === source && before.module.file === file && isWhole) return before
  const now = yield* readModule(reading)
  if (!('severity' in now)) read.set(key, now)
  return now
}

function* readModule({
  file,
  source,
  isPolicy,
  isInstrumented,
}: ModuleToRead): Generator<undefined, ReadModule | Problem> {
  const parsed = parseModule(source, file)
  yield
  if ('severity' in parsed) return parsed
  const face = interfaceOf(parsed)
  const syntax = ownProblems(parsed, face)
  const isWalked = !syntax.some(isTooDeep)
  yield
  // Instrumented code was checked before it was instrumented.
  const topLevel = isWalked && !isInstrumented ? topLevelOf(parsed, face) : noTopLevel
  const own = [...syntax, ...topLevel.problems].slice(0, limits.policyProblemsMax)
  yield
  const flaws = isWalked ? undeclaredNames(parsed, face) : []
  yield
  const made = own.length > 0 ? undefined : { code: moduleCode(parsed), topLevel }
  yield
  const decides =
    isPolicy && isWalked
      ? { flaws: unknownInDecide(parsed, face), ignoresToolFacts: ignoresToolFacts(parsed, face) }
      : undefined
  return { source, module: { file, text: parsed.text }, face, own, flaws, made, decides }
}

const noTopLevel: TopLevel = { problems: [], callable: new Set(), calls: [] }

function ownProblems(module: ParsedModule, face: ModuleInterface): Problem[] {
  const attributes = face.attributes
    .slice(0, 1)
    .map((at) =>
      problemAt(module, at, "a policy's imports cannot have attributes", 'write data as a module that exports it'),
    )
  return [...forbiddenSyntax(module), ...attributes]
}

/** Finds syntax that no policy module may contain: asynchronous code, which outlives the call, and loading of code. */
function forbiddenSyntax(module: ParsedModule): Problem[] {
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
