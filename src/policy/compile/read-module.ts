import { limits } from '../../model/limits.ts'
import type { Problem } from '../../model/problem.ts'
import { type TopLevel, topLevelOf } from './flaws/top-level.ts'
import { moduleCode } from './syntax/module-code.ts'
import { forbiddenSyntax } from './flaws/forbidden-syntax.ts'
import { ignoresToolFacts } from './flaws/written-decide.ts'
import { interfaceOf, type ModuleInterface } from './syntax/module-interface.ts'
import { type ParsedModule, parseModule } from './syntax/parse-module.ts'
import { problemAt, type SourceText } from './syntax/places.ts'
import { isTooDeep } from './syntax/strip-types.ts'
import { undeclaredNames } from './flaws/undeclared-names.ts'
import { unknownInDecide } from './flaws/unknown-in-decide.ts'

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
  readonly own: readonly Problem[]
  readonly flaws: readonly Problem[]
  /** `undefined` if the module has problems. */
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
