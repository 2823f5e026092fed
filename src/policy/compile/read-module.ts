import { limits } from '../../model/limits.ts'
import type { Problem } from '../../model/problem.ts'
import { type TopLevel, topLevelOf } from './flaws/top-level.ts'
import { moduleCode } from './syntax/module-code.ts'
import { forbiddenSyntax } from './flaws/forbidden-syntax.ts'
import { ignoresToolFacts } from './flaws/ignores-tool-facts.ts'
import { interfaceOf, type ModuleInterface } from './syntax/module-interface.ts'
import { type ParsedModule, parseModule } from './syntax/parse-module.ts'
import { problemAt, type Text } from './syntax/problem-at.ts'
import { isTooDeep } from './syntax/strip-types.ts'
import { undeclaredNames } from './flaws/undeclared-names.ts'
import { unknownInDecide } from './flaws/unknown-in-decide.ts'

/**
 * A module by itself, whoever imports it, and what is wrong with it. INVARIANT: its syntax tree, which takes a hundred times
 * the room of its source, is no part of it: trees of a folder of policies would fill the memory.
 */
export interface ReadModule {
  /** The source. */
  readonly source: string
  /** The same with its types blanked, which places are told by. */
  readonly module: Text
  readonly face: ModuleInterface
  readonly own: readonly Problem[]
  readonly flaws: readonly Problem[]
  /** `undefined` for one with mistakes. */
  readonly made: { readonly code: string; readonly topLevel: Omit<TopLevel, 'problems'> } | undefined
  /** `undefined` for one that was not read as the policy's own file. */
  readonly decides: Decides | undefined
}

/** What is seen only of a policy's own file. */
interface Decides {
  readonly flaws: readonly Problem[]
  readonly ignoresToolFacts: boolean
}

/** Modules that have been read, by real path: those of a pack are made of the same few, and reading is most of the work. */
export type ReadModules = Map<string, ReadModule>

interface Reading {
  readonly file: string
  readonly source: string
  /** Whether it is read as the policy's own file. */
  readonly isPolicy: boolean
  /** Whether it counts where it goes, for coverage. */
  readonly isInstrumented: boolean
}

/**
 * A module as it was read before, or now, or why it cannot be read; with pauses between the parts of the work.
 *
 * @param key its real path
 */
export function* moduleIn(
  read: ReadModules,
  key: string,
  reading: Reading,
): Generator<undefined, ReadModule | Problem> {
  const { file, source, isPolicy } = reading
  const before = read.get(key)
  const isWhole = !isPolicy || before?.decides !== undefined
  if (before?.source === source && before.module.file === file && isWhole) return before
  const now = yield* readModule(reading)
  if (!('severity' in now)) read.set(key, now)
  return now
}

function* readModule({ file, source, isPolicy, isInstrumented }: Reading): Generator<undefined, ReadModule | Problem> {
  const parsed = parseModule(source, file)
  yield
  if ('severity' in parsed) return parsed
  const face = interfaceOf(parsed)
  const syntax = ownProblems(parsed, face)
  const isWalked = !syntax.some(isTooDeep)
  yield
  // Instrumented code was looked at before it was instrumented.
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
