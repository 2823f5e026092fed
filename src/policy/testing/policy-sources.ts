import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { lstatSync } from 'node:fs'
import type { AnyNode } from 'acorn'
import type { CompiledPolicy, PolicyDefinition, PolicyPort, PolicyRequest, PolicyResult } from '../../model/policy.ts'
import { compilePolicy, compileWithFlaws } from '../compile/compile-policy.ts'
import { type ParsedModule, parseModule, placeInDefinition } from '../compile/syntax/parse-module.ts'
import { limits } from '../../model/limits.ts'
import { makeDisk } from '../../files/disk.ts'
import { realPath } from '../../files/real-path.ts'
import { type Disk, isUnreadable, type Unreadable } from '../../model/disk.ts'
import { HookgateError, type Problem, byPlace, type Place } from '../../model/errors.ts'
import { descriptionNodes } from './description-nodes.ts'
import { quoted } from '../../model/text.ts'
import { isPolicyName } from '../../files/policy-files.ts'
import { definitionProblem, loadChecked, readDefinition } from '../compile/definition/definition.ts'
import { type LoadedPlace, runExamples } from '../compile/definition/examples.ts'
import { lacksSandbox } from '../../model/failure.ts'

/** A module of a policy: its source and its syntax tree. */
export interface SourceModule extends ParsedModule {
  /** The source with its types; offsets are the same as in `text`. */
  readonly source: string
  /** Nodes that cannot affect the decision. */
  readonly description: ReadonlySet<AnyNode>
}

/** A policy's files, read once, to be compiled with changes. */
export interface PolicySources extends FoundPolicy {
  readonly compiled: CompiledPolicy
  /** In order of evaluation, the policy's own module last. */
  readonly modules: readonly SourceModule[]
  /** Compiles the policy with its files' texts replaced by instrumented ones, from another entry module. */
  compileInstrumented(changes: ReadonlyMap<string, string>, entry: string): CompiledPolicy | readonly Problem[]
}

/** The problems of a policy that must not be evaluated. */
export interface FlawedSources {
  readonly problems: readonly Problem[]
  /** The compiled policy if it can still be run, to read its definition. */
  readonly flawed: CompiledPolicy | undefined
}

/** Reads and compiles a policy, or returns its problems. */
export function readSources({ file, folder }: FoundPolicy): PolicySources | FlawedSources {
  const disk = makeDisk()
  const texts = new Map<string, string | Unreadable | undefined>()
  const readText = (path: string) => {
    if (!texts.has(path)) texts.set(path, disk.see(path) === 'absent' ? undefined : textAt(path, disk))
    return texts.get(path)
  }
  const compileInstrumented: PolicySources['compileInstrumented'] = (changes, entry) =>
    compilePolicy(entry, (path) => changes.get(path) ?? readText(path), { folder, isInstrumented: true })
  const { policy: compiled, problems } = compileWithFlaws(file, readText, { folder })
  if (compiled === undefined || problems.length > 0) return { problems, flawed: compiled }
  const modules: SourceModule[] = []
  const deciding = new Set([realPath(file)])
  // Importers come after the modules they import: going backwards, it is known of each whether it affects the decision.
  for (const module of compiled.modules.toReversed()) {
    const text = readText(module.file)
    const parsed = typeof text === 'string' ? parseModule(text, module.file) : undefined
    if (typeof text !== 'string' || parsed === undefined || 'severity' in parsed) continue
    const takesPart = deciding.has(realPath(module.file))
    const description = takesPart ? descriptionNodes(parsed.ast) : new Set([parsed.ast])
    for (const imported of takesPart ? importsOf(parsed, description) : []) deciding.add(imported)
    modules.unshift({ ...parsed, source: text.replace(/^\ufeff/, ''), description })
  }
  return { file, folder, compiled, modules, compileInstrumented }
}

/** Returns the files that a module imports for more than its policy's description. */
function importsOf({ ast, file }: ParsedModule, description: ReadonlySet<AnyNode>): readonly string[] {
  return ast.body.flatMap((node) => {
    if (!('source' in node) || typeof node.source?.value !== 'string') return []
    const names = node.type === 'ImportDeclaration' ? node.specifiers : []
    const describes = names.length > 0 && names.every((name) => description.has(name))
    return describes ? [] : [realPath(resolve(dirname(realPath(file)), node.source.value))]
  })
}

function textAt(path: string, disk: ReturnType<typeof makeDisk>): string | Unreadable {
  const bytes = disk.read(path, limits.policyFileBytesMax)
  return bytes instanceof Uint8Array ? Buffer.from(bytes).toString() : bytes
}

/**
 * Compiles a policy with changed modules, behind an entry module of our own.
 *
 * @param changed returns a module's new text
 * @param entryFor returns the text of the entry module, given the specifier by which it imports the policy
 */
export function compileBehindEntry(
  sources: PolicySources,
  changed: (module: SourceModule) => string,
  entryFor: (policy: string) => string,
): CompiledPolicy | undefined {
  const entry = join(realPath(sources.folder), `${uniqueName('hookgate-entry', sources)}.js`)
  const changes = new Map([[entry, entryFor(specifier(entry, sources.file))]])
  for (const module of sources.modules) changes.set(module.file, changed(module))
  const compiled = sources.compileInstrumented(changes, entry)
  return 'digest' in compiled ? compiled : undefined
}

/** Returns the specifier by which one file imports another. */
function specifier(from: string, to: string): string {
  const path = relative(dirname(realPath(from)), join(realPath(dirname(to)), basename(to))).replaceAll(sep, '/')
  return path.startsWith('.') ? path : `./${path}`
}

/** Returns a name that does not occur in the policy's files. */
export function uniqueName(name: string, sources: Pick<PolicySources, 'modules'>): string {
  return sources.modules.some(({ source }) => source.includes(name)) ? uniqueName(`${name}$`, sources) : name
}

/** Inserts statements before the first one of a module, on the same line, so that no line moves. */
export function withHead({ ast }: SourceModule, code: string, head: string): string {
  const at = ast.body[0]?.start ?? 0
  return code.slice(0, at) + head + code.slice(at)
}

/** A policy's file, and the folder that its imports must stay below, as absolute paths. */
export interface FoundPolicy {
  readonly file: string
  readonly folder: string
}

/** The folders that are searched if no paths are given, relative to the working directory. */
const usualFolders = ['.hookgate/policies', 'policies']

/**
 * Finds the policies at the given paths, of files or folders. Without paths, searches the usual folders of `cwd`.
 *
 * @throws HookgateError `usage` if there is no policy, or if a path cannot be read
 */
export function findPolicies(paths: readonly string[], cwd: string): readonly FoundPolicy[] {
  const disk = makeDisk()
  const isThere = (path: string) => !['absent', 'file'].some((seen) => seen === disk.see(resolve(cwd, path)))
  const found = (paths.length > 0 ? paths : usualFolders.filter(isThere)).flatMap((path) => policiesAt(path, cwd, disk))
  if (found.length === 0) {
    const places = usualFolders.map((path) => `\`${path}\``).join(' nor in ')
    throw new HookgateError('usage', `there is no policy in ${places}`, {
      remedy: 'name its file or folder, or write one with `hookgate new policy NAME`',
    })
  }
  return [...new Map(found.map((one) => [one.file, one])).values()]
}

function policiesAt(path: string, cwd: string, disk: Disk): readonly FoundPolicy[] {
  const at = resolve(cwd, path)
  const seen = disk.see(at)
  if (seen === 'absent')
    throw new HookgateError('usage', `there is nothing at ${quoted(path)}`, {
      remedy: 'name a policy’s file or a folder of them',
    })
  if (isUnreadable(seen)) throw unreadable(at, seen)
  if (seen === 'file') return [{ file: at, folder: dirname(at) }]
  const files = below(at, 0, disk).map((file) => ({ file, folder: at }))
  if (files.length > 0) return files
  throw new HookgateError('usage', `there is no policy in ${quoted(path)}`, { remedy: 'name it `….policy.ts`' })
}

function below(folder: string, depth: number, disk: Disk): readonly string[] {
  if (depth > limits.policyFolderDepthMax) return []
  const names = disk.list(folder)
  if (isUnreadable(names)) throw unreadable(folder, names)
  return names.flatMap((name) => {
    const path = join(folder, name)
    if (isOwnFolder(path)) return name === 'node_modules' ? [] : below(path, depth + 1, disk)
    return isPolicyName(name) ? [path] : []
  })
}

/** Returns true for a folder that is no link: links may be circular. A path that cannot be read counts as a file. */
function isOwnFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory()
  } catch {
    return false
  }
}

function unreadable(file: string, { why }: Unreadable): HookgateError {
  const remedy = 'fix it, or name another'
  return new HookgateError('usage', `the policies cannot be read: ${why}`, { place: { file }, remedy })
}

/** The result of one example. */
export interface ExampleReport {
  readonly name: string
  readonly place: Place
  readonly passed: boolean
  /** Present, like `got`, only if the example failed. */
  readonly wanted?: string
  readonly got?: string
}

/** A policy loaded into the sandbox, or the reasons why it could not be loaded. */
type LoadedPolicy =
  | {
      readonly definition: PolicyDefinition
      readonly examples: readonly ExampleReport[]
      readonly at: LoadedPlace
      release(): void
    }
  | { readonly problems: readonly Problem[] }

/** Loads a policy and runs its examples. Failing examples are reported, but do not keep it from loading. */
export async function loadPolicy(sources: PolicySources, sandbox: PolicyPort): Promise<LoadedPolicy> {
  const domain = await sandbox.load([sources.compiled])
  const refused = (problems: readonly Problem[]): LoadedPolicy => {
    domain.release()
    return { problems }
  }
  const place = placesIn(sources)
  const [described] = domain.described
  if (described === undefined) {
    return refused([
      { severity: 'error', place: place([]), message: 'the sandbox did not describe it', remedy: undefined },
    ])
  }
  if ('failure' in described) return refused([definitionProblem(described.failure, sources.compiled)])
  const { definition, problems } = readDefinition(described.definition, place)
  if (definition === undefined) return refused(problems)
  const at = { domain: domain.id, policy: 0 }
  const results = await runExamples(definition, at, sandbox)
  const examples = results.map((result, index): ExampleReport => {
    const name = definition.examples[index]?.name ?? ''
    const where = place(['examples', index])
    if (result.ok) return { name, place: where, passed: true }
    return { name, place: where, passed: false, wanted: result.wanted, got: result.got }
  })
  return { definition, examples, at, release: () => domain.release() }
}

/** Returns all problems of a flawed policy: those of compiling it, and those of its definition if it can still run. */
export async function allProblems(
  { problems, flawed }: FlawedSources,
  sandbox: PolicyPort,
): Promise<readonly Problem[]> {
  if (flawed === undefined) return problems
  const domain = await loadChecked([flawed], sandbox, { flawed: new Set([flawed]), proven: new Set() })
  domain.release()
  return [...problems, ...domain.policies.flatMap((policy) => policy.problems)].toSorted(byPlace)
}

/** Returns a function that finds the places of the parts of a policy's definition. */
function placesIn({ file, modules }: PolicySources): (path: readonly PropertyKey[]) => Place {
  const own = modules.at(-1)
  return (path) => (own && placeInDefinition(own, path)) ?? { file, line: 1, column: 1 }
}

/** Returns true for an infrastructure failure, for which the policy is not responsible. */
export function isInfrastructureFailure(result: PolicyResult): boolean {
  return 'failure' in result && lacksSandbox(result.failure.code)
}

/**
 * Evaluates one policy. Throws if the sandbox was lost: taken for an answer, that would count as a detected mutant.
 *
 * @throws HookgateError `internal` if the sandbox is not available
 */
export async function evaluateOne(policies: PolicyPort, request: PolicyRequest): Promise<PolicyResult> {
  const [result] = await policies.evaluate(request)
  if (result === undefined) throw new HookgateError('internal', 'the sandbox did not answer for a policy')
  if ('failure' in result && isInfrastructureFailure(result)) {
    throw new HookgateError('internal', `the sandbox was lost: ${result.failure.message}`, { remedy: 'try again' })
  }
  return result
}
