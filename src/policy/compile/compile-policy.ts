import { createHash } from 'node:crypto'
import { relative, sep } from 'node:path'
import { limits } from '../../model/limits.ts'
import type { CompiledModule, CompiledPolicy } from '../../model/policy.ts'
import { quoted } from '../../model/text.ts'
import { realPath } from '../../files/real-path.ts'
import type { Problem, Refusal } from '../../model/errors.ts'
import type { CompileBudget } from '../../model/policy-loading.ts'
import { type CompileCost, noBudget, overBudget } from './compile-budget.ts'
import { atOnce } from '../../files/turns.ts'
import { libraryNames } from './compile-library.ts'
import {
  type BindingOrigin,
  exportedNames,
  importProblems,
  type ImportRequest,
  type ModuleExports,
  originOf,
} from './syntax/module-interface.ts'
import { problemAt, type SourceText } from './syntax/nodes.ts'
import { calledFlaw } from './flaws/constant-expression.ts'
import { type TopLevel, topLevelProblem } from './flaws/top-level.ts'
import { moduleIn, type ReadModule, type ReadModules } from './read-module.ts'
import { isModuleName, nameRemedy, nearPath, type ReadText, resolveImport } from './syntax/parse-module.ts'

/**
 * Compiles a policy's file and its imports into modules that an isolate can run, or returns their problems. Runs none
 * of the code and keeps no state: the same texts give the same result.
 *
 * Imports must lead to files below `folder`.
 */
export function compilePolicy(
  file: string,
  readText: ReadText,
  where: { readonly folder: string; readonly isInstrumented?: boolean },
): CompiledPolicy | readonly Problem[] {
  const { policy, problems } = compileWithFlaws(file, readText, where)
  return policy === undefined || problems.length > 0 ? problems : policy
}

/** The result of compiling one policy. */
export interface Compilation {
  /** Also present for a policy with flaws that could still run: its definition may have problems to report, too. */
  readonly policy: CompiledPolicy | undefined
  readonly problems: readonly Problem[]
  readonly cost: CompileCost
  /** Set if the policy exceeds its source's budget: no more policies of that source are compiled. */
  readonly over?: Problem
}

interface Compiling {
  readonly folder: string
  readonly read?: ReadModules
  readonly budget?: CompileBudget
  /** True if it may import the coverage counters, which keep state. Default: false. */
  readonly isInstrumented?: boolean
}

/** Compiles a policy like `compilePolicy`, but returns it even if it has flaws that would only show when it runs. */
export function compileWithFlaws(file: string, readText: ReadText, compiling: Compiling): Compilation {
  return atOnce(compilation(file, readText, compiling))
}

/** Compiles a policy in steps: yields between them, so that the caller can pause. */
export function* compilation(
  file: string,
  readText: ReadText,
  { folder, read = new Map(), budget = noBudget, isInstrumented = false }: Compiling,
): Generator<undefined, Compilation> {
  const linking: Linking = {
    folder: realPath(folder),
    isInstrumented,
    readText,
    read,
    budget,
    linked: new Map(),
    path: [],
    modules: [],
    problems: [],
    flaws: [],
    hash: createHash('sha256'),
    files: new Map(),
    bytes: 0,
    ignoresToolFacts: false,
    callable: new Set([...libraryNames()].map((name) => originOf(libraryKey, name))),
    over: undefined,
  }
  const entry = yield* link(file, undefined, linking)
  const { problems, flaws, modules, hash, files, over } = linking
  const cost = { files, codeUnits: modules.reduce((sum, { code }) => sum + code.length, 0) }
  if (over !== undefined) return { policy: undefined, problems: [], cost, over }
  if (entry !== undefined && problems.length === 0 && !entry.names.has('default')) {
    refuse(linking, undefined, file, 'it does not export a policy', 'write `export default definePolicy({…})`')
  }
  const policy =
    problems.length > 0
      ? undefined
      : { file, modules, ignoresToolFacts: linking.ignoresToolFacts, digest: hash.digest('hex') }
  return { policy, problems: [...problems, ...flaws].slice(0, limits.policyProblemsMax), cost }
}

interface Linking {
  readonly folder: string
  readonly isInstrumented: boolean
  readonly readText: ReadText
  readonly read: ReadModules
  readonly budget: CompileBudget
  /** Modules by real path, so that a file is one module under all its names. `undefined` for one with problems. */
  readonly linked: Map<string, LinkedModule | undefined>
  /** The modules whose imports are being followed, by real path. */
  readonly path: string[]
  readonly modules: CompiledModule[]
  readonly problems: Problem[]
  /** Problems that do not keep a module from being compiled. */
  readonly flaws: Problem[]
  readonly hash: ReturnType<typeof createHash>
  /** Sizes of the files that were charged to the budget, by path. */
  readonly files: Map<string, number>
  bytes: number
  ignoresToolFacts: boolean
  /** Functions that a module may call at its top level. */
  readonly callable: Set<BindingOrigin>
  /** The problem that ended the compilation: once it is set, no more files are read. */
  over: Problem | undefined
}

interface LinkedModule extends ModuleExports {
  /** Its index among the modules; `undefined` for one that is provided inside the isolate. */
  readonly place: number | undefined
}

interface Importer {
  readonly module: SourceText
  readonly request: ImportRequest
}

function* link(
  file: string,
  importer: Importer | undefined,
  linking: Linking,
): Generator<undefined, LinkedModule | undefined> {
  if (linking.over !== undefined) return undefined
  const key = realPath(file)
  const circle = linking.path.indexOf(key)
  if (circle !== -1) return refuse(linking, importer, file, ...circleRefusal(linking, circle))
  // Read under each of its names, since a name may be a link that later leads elsewhere.
  const text = linking.readText(file)
  if (linking.linked.has(key)) return linking.linked.get(key)
  if (text === undefined) {
    const remedy = importer && nearPath(importer.request.specifier, file, linking.readText)
    return refuse(linking, importer, file, 'there is no such file', remedy)
  }
  if (typeof text !== 'string') return refuse(linking, importer, file, `it cannot be read: ${text.why}`)
  linking.linked.set(key, undefined)
  if (!isModuleName(file))
    return refuse(linking, importer, file, 'it is not a JavaScript or TypeScript file', nameRemedy(file))
  if (linking.linked.size > policyModulesMax) {
    const message = `the policy consists of more than ${policyModulesMax} files`
    return refuse(linking, importer, file, message, 'use fewer files')
  }
  const bytes = Buffer.byteLength(text)
  linking.bytes += bytes
  if (linking.bytes > policyBytesMax) {
    const message = `the policy's files are larger than ${policyBytesMax} bytes`
    return refuse(linking, importer, file, message, 'make them smaller')
  }
  const { budget } = linking
  linking.files.set(file, bytes)
  const over = (importer === undefined ? budget.policy(file) : undefined) ?? budget.policyFile(file, bytes)
  if (over !== undefined) return stopAt(file, over, linking)
  linking.path.push(key)
  const linked = yield* linkText(file, key, text, linking)
  linking.path.pop()
  linking.linked.set(key, linked)
  return linked
}
/** Files of one policy. */
export const policyModulesMax = 200
/** All files of one policy. Two hundred of the maximum size would keep the gate busy for half a minute. */
const policyBytesMax = 4 * 1024 * 1024

function stopAt(file: string, refusal: Refusal, linking: Linking): undefined {
  linking.over = overBudget(file, refusal)
}

function* linkText(
  file: string,
  key: string,
  text: string,
  linking: Linking,
): Generator<undefined, LinkedModule | undefined> {
  // The policy's own file is the first on the import path.
  const isPolicy = linking.path.length === 1
  const { isInstrumented } = linking
  const read = yield* moduleIn(linking.read, key, { file, source: text, isPolicy, isInstrumented })
  if ('severity' in read) {
    linking.problems.push(read)
    return undefined
  }
  const { module, face, own, flaws, made, decides } = read
  const before = linking.problems.length
  linking.problems.push(...own)
  const offers = yield* linkRequests(read, linking)
  if (linking.over !== undefined) return undefined
  linking.problems.push(...importProblems(module, face, offers))
  linking.flaws.push(...flaws)
  if (isPolicy && decides !== undefined) {
    linking.flaws.push(...decides.flaws)
    linking.ignoresToolFacts = decides.ignoresToolFacts
  }
  yield
  const names = exportedNames(face, key, offers)
  const place = linking.modules.length
  if (made === undefined || offers.includes(undefined) || linking.problems.length > before) return { names, place }
  linking.problems.push(...callProblems(read, made.topLevel, offers, linking))
  if (linking.problems.length > before) return { names, place }
  const over = linking.budget.code(made.code.length)
  if (over !== undefined) return stopAt(file, over, linking)
  const places = face.requests.map(({ specifier }, index) => [specifier, offers[index]?.place] as const)
  const imports = Object.fromEntries(places.filter((one): one is [string, number] => one[1] !== undefined))
  linking.modules.push({ file, code: made.code, imports })
  addTo(linking, file, text)
  for (const one of made.topLevel.callable) linking.callable.add(originOf(key, one))
  yield
  return { names, place }
}

/** Returns a problem for each top-level call of an imported function that may do more than return a value. */
function callProblems(
  { module }: ReadModule,
  { calls }: Pick<TopLevel, 'calls'>,
  offers: readonly (LinkedModule | undefined)[],
  { callable }: Linking,
): readonly Problem[] {
  const wrong = calls.filter(({ request, name }) => !callable.has(offers[request]?.names.get(name) ?? ''))
  return wrong.map(({ name, at }) => topLevelProblem(module, calledFlaw(at, name)))
}

/** Links each distinct import of a module once, however often the module repeats it. */
function* linkRequests(
  { module, face }: ReadModule,
  linking: Linking,
): Generator<undefined, readonly (LinkedModule | undefined)[]> {
  const asked = new Map<string, LinkedModule | undefined>()
  for (const request of face.requests) {
    if (asked.has(request.specifier)) continue
    asked.set(request.specifier, yield* linkRequest({ module, request }, linking))
  }
  return face.requests.map(({ specifier }) => asked.get(specifier))
}

function* linkRequest(importer: Importer, linking: Linking): Generator<undefined, LinkedModule | undefined> {
  const { module, request } = importer
  if (linking.over !== undefined || linking.problems.length >= limits.policyProblemsMax) return undefined
  const resolved = resolveImport(request.specifier, module.file, linking)
  switch (resolved.kind) {
    case 'library':
      return libraryOffer()
    case 'counters':
      return { names: new Map(countersNames.map((name) => [name, name])), place: undefined }
    case 'file':
      return yield* link(resolved.file, importer, linking)
    case 'refused':
      linking.problems.push(problemAt(module, request.at, resolved.message, resolved.remedy))
      return undefined
  }
}

function libraryOffer(): LinkedModule {
  const names = new Map([...libraryNames()].map((name) => [name, originOf(libraryKey, name)]))
  return { names, place: undefined }
}

const libraryKey = 'the library'
const countersNames = ['hits', 'holds', 'present', 'taken']

function refuse(
  { problems }: Linking,
  importer: Importer | undefined,
  file: string,
  message: string,
  remedy?: string,
): undefined {
  if (importer === undefined) {
    problems.push({ severity: 'error', place: { file, line: 1, column: 1 }, message, remedy })
  } else {
    const { module, request } = importer
    problems.push(problemAt(module, request.at, `${quoted(request.specifier)}: ${message}`, remedy))
  }
}

function circleRefusal({ path, folder }: Linking, start: number): [message: string, remedy: string] {
  const names = [...path.slice(start), ...path.slice(start, start + 1)].map((one) => relative(folder, one))
  return [`imports go in a circle: ${names.join(' → ')}`, 'move what both need into a file of its own']
}

/** Adds a file to the digest. Each part is preceded by its length, so that no two policies hash the same text. */
function addTo(linking: Linking, file: string, text: string): void {
  const path = relative(linking.folder, file).replaceAll(sep, '/')
  for (const part of [path, text]) linking.hash.update(`${Buffer.byteLength(part)}\n${part}`)
}
