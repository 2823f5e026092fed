import { createHash } from 'node:crypto'
import { relative, sep } from 'node:path'
import { limits } from '../../../model/limits.ts'
import type { CompiledModule, CompiledPolicy, Afresh } from '../../../model/policy.ts'
import { quoted } from '../../../model/text.ts'
import { realPath } from '../../disk.ts'
import type { Problem } from '../../problem.ts'
import { changingExports } from './changing-exports.ts'
import { type Constancy, constancyOf } from './constancy.ts'
import { factoryOf, type Target } from './factory.ts'
import { forbiddenSyntax } from './forbidden-syntax.ts'
import { libraryNames } from './compile-library.ts'
import { exportsOf, type Offered, type Origin, originOf, unknownNames } from './linked-exports.ts'
import { interfaceOf, type ModuleInterface, type Request } from './module-interface.ts'
import { type ParsedModule, parseModule } from './parse-module.ts'
import { placeAt, problemAt } from './problem-at.ts'
import { ignoresToolFacts } from './ignores-tool-facts.ts'
import { isModuleName, nameRemedy, nearPath, type ReadText, resolveImport } from './resolve-import.ts'
import { undeclaredNames } from './undeclared-names.ts'
import { isTooDeep } from './strip-types.ts'
import { unknownInDecide } from './unknown-in-decide.ts'

/**
 * Makes a policy's file and everything it imports into factories that an isolate can run, or says what is wrong with
 * them. Nothing of it is run, and nothing is kept: the same texts give the same result.
 *
 * Imports must lead to files below `folder`.
 */
export function compilePolicy(
  file: string,
  readText: ReadText,
  where: { readonly folder: string },
): CompiledPolicy | readonly Problem[] {
  const { policy, problems } = compileWithFlaws(file, readText, where)
  return policy === undefined || problems.length > 0 ? problems : policy
}

/** What was made of a policy, and what is wrong with it. */
export interface Compilation {
  /** There is one for a policy that could be run, whatever names it misspells: what it says of itself may be wrong too. */
  readonly policy: CompiledPolicy | undefined
  readonly problems: readonly Problem[]
}

/** A module by itself, whoever imports it, and what is wrong with it. */
interface ReadModule {
  readonly text: string
  readonly module: ParsedModule
  readonly face: ModuleInterface
  readonly own: readonly Problem[]
  readonly flaws: readonly Problem[]
  /** `undefined` for one with mistakes. */
  readonly constancy: Constancy | undefined
}

/** Modules that have been read, by real path: those of a pack are made of the same few, and reading is most of the work. */
export type ReadModules = Map<string, ReadModule>

/** The same, without stopping at what only running it would show. */
export function compileWithFlaws(
  file: string,
  readText: ReadText,
  { folder, read = new Map() }: { readonly folder: string; readonly read?: ReadModules },
): Compilation {
  const linking: Linking = {
    folder: realPath(folder),
    readText,
    read,
    linked: new Map(),
    path: [],
    modules: [],
    problems: [],
    flaws: [],
    hash: createHash('sha256'),
    bytes: 0,
    ignoresToolFacts: false,
    callable: new Set(pureConstructors.map((name) => originOf(libraryKey, name))),
  }
  const entry = link(file, undefined, linking)
  if (entry !== undefined && linking.problems.length === 0 && !entry.names.has('default')) {
    const place = { file, line: 1, column: 1 }
    const remedy = 'write `export default definePolicy({…})`'
    linking.problems.push({ severity: 'error', place, message: 'it exports no policy', remedy })
  }
  const { problems, flaws, modules, hash } = linking
  const policy =
    problems.length > 0
      ? undefined
      : { file, modules, ignoresToolFacts: linking.ignoresToolFacts, digest: hash.digest('hex') }
  return { policy, problems: [...problems, ...flaws].slice(0, limits.policyProblemsMax) }
}

interface Linking {
  readonly folder: string
  readonly readText: ReadText
  readonly read: ReadModules
  /** By real path: a file is one module, whatever it is called. `undefined` for one with mistakes. */
  readonly linked: Map<string, Linked | undefined>
  /** The modules whose imports are being followed, by real path. */
  readonly path: string[]
  readonly modules: CompiledModule[]
  readonly problems: Problem[]
  /** What does not keep a module from being made. */
  readonly flaws: Problem[]
  readonly hash: ReturnType<typeof createHash>
  bytes: number
  ignoresToolFacts: boolean
  /** Functions that a module may call while it is made constant. */
  readonly callable: Set<Origin>
}

interface Linked extends Offered {
  readonly target: Target
}

interface Importer {
  readonly module: ParsedModule
  readonly request: Request
}

function link(file: string, importer: Importer | undefined, linking: Linking): Linked | undefined {
  const key = realPath(file)
  const circle = linking.path.indexOf(key)
  if (circle !== -1) return refuse(linking, importer, file, ...circleRefusal(linking, circle))
  const text = linking.readText(file)
  if (linking.linked.has(key)) return linking.linked.get(key)
  if (text === undefined) {
    const remedy = importer && nearPath(importer.request.specifier, file, linking.readText)
    return refuse(linking, importer, file, 'there is no such file', remedy)
  }
  if (typeof text !== 'string') return refuse(linking, importer, file, `it cannot be read: ${text.why}`)
  linking.linked.set(key, undefined)
  if (!isModuleName(file)) return refuse(linking, importer, file, 'it is no JavaScript or TypeScript', nameRemedy(file))
  if (linking.linked.size > limits.policyModulesMax) {
    const message = `the policy is made of more than ${limits.policyModulesMax} files`
    return refuse(linking, importer, file, message, 'make it of fewer')
  }
  linking.bytes += Buffer.byteLength(text)
  if (linking.bytes > limits.policyBytesMax) {
    return refuse(
      linking,
      importer,
      file,
      `the policy's files are larger than ${limits.policyBytesMax} bytes`,
      'make them smaller',
    )
  }
  linking.path.push(key)
  const linked = linkText(file, key, text, linking)
  linking.path.pop()
  linking.linked.set(key, linked)
  return linked
}

function linkText(file: string, key: string, text: string, linking: Linking): Linked | undefined {
  const read = readModule(file, key, text, linking.read)
  if ('severity' in read) {
    linking.problems.push(read)
    return undefined
  }
  const { module, face, own, flaws, constancy } = read
  const before = linking.problems.length
  linking.problems.push(...own)
  const offers = linkRequests(module, face, linking)
  linking.problems.push(...unknownNames(module, face, offers))
  linking.flaws.push(...flaws)
  // The policy's own file is the first of the way. Whatever nests too deep is no longer looked at.
  if (linking.path.length === 1 && !own.some(isTooDeep)) {
    linking.flaws.push(...unknownInDecide(module, face))
    linking.ignoresToolFacts = ignoresToolFacts(module, face)
  }
  const { names, exports } = exportsOf(face, key, offers)
  const targets = offers.flatMap((offer) => (offer === undefined ? [] : [offer.target]))
  const target = linking.modules.length
  if (linking.problems.length === before && targets.length === offers.length && constancy !== undefined) {
    const runs = runsOf({ module, face, constancy }, offers, linking)
    linking.modules.push(factoryOf(module, face, { targets, exports, runs, kept: constancy.kept }))
    addTo(linking, file, text)
    if (runs === 'once') for (const one of constancy.callable) linking.callable.add(originOf(key, one))
  }
  return { names, target }
}

/** Why a module is run for each evaluation: for what it says itself, or for what it imports. */
function runsOf(
  { module, face, constancy }: Pick<ReadModule, 'module' | 'face'> & { readonly constancy: Constancy },
  offers: readonly (Linked | undefined)[],
  { modules, callable }: Linking,
): CompiledModule['runs'] {
  const because = (offset: number, why: string): Afresh => {
    const { line = 1, column = 1 } = placeAt(module, offset)
    return { line, column, why }
  }
  const { flaw, calls } = constancy
  if (flaw !== undefined) return because(flaw.at, flaw.why)
  for (const [index, offer] of offers.entries()) {
    const { specifier = '', at = 0 } = face.requests[index] ?? {}
    const imported = offer === undefined || offer.target === 'library' ? undefined : modules[offer.target]
    if (imported !== undefined && imported.runs !== 'once')
      return because(at, `it imports ${quoted(specifier)}, which is run afresh`)
  }
  const uncallable = calls.find(({ request, name }) => !callable.has(offers[request]?.names.get(name) ?? ''))
  return uncallable === undefined
    ? 'once'
    : because(uncallable.at, `the call of ${quoted(uncallable.name)} is no constant`)
}

function readModule(file: string, key: string, text: string, read: ReadModules): ReadModule | Problem {
  const known = read.get(key)
  if (known?.text === text && known.module.file === file) return known
  const module = parseModule(text, file)
  if ('severity' in module) return module
  const face = interfaceOf(module)
  const own = ownProblems(module, face)
  const flaws = own.some(isTooDeep) ? [] : undeclaredNames(module, face)
  const constancy = own.length > 0 ? undefined : constancyOf(module, face)
  const whole = { text, module, face, own, flaws, constancy }
  read.set(key, whole)
  return whole
}

function ownProblems(module: ParsedModule, face: ModuleInterface): Problem[] {
  const attributes = face.attributes
    .slice(0, 1)
    .map((at) =>
      problemAt(module, at, 'imports of a policy have no attributes', 'write data as a module that exports it'),
    )
  return [...forbiddenSyntax(module), ...attributes, ...changingExports(module, face)]
}

/** A file that asks for the same module a thousand times asks for it once. */
function linkRequests(module: ParsedModule, { requests }: ModuleInterface, linking: Linking): (Linked | undefined)[] {
  const known = new Map<string, Linked | undefined>()
  return requests.map((request) => {
    if (!known.has(request.specifier)) known.set(request.specifier, linkRequest({ module, request }, linking))
    return known.get(request.specifier)
  })
}

function linkRequest(importer: Importer, linking: Linking): Linked | undefined {
  const { module, request } = importer
  if (linking.problems.length >= limits.policyProblemsMax) return undefined
  const resolved = resolveImport(request.specifier, module.file, linking.folder)
  switch (resolved.kind) {
    case 'library':
      return libraryOffer()
    case 'file':
      return link(resolved.file, importer, linking)
    case 'refused':
      linking.problems.push(problemAt(module, request.at, resolved.message, resolved.remedy))
      return undefined
  }
}

function libraryOffer(): Linked {
  const names = new Map([...libraryNames()].map((name) => [name, originOf(libraryKey, name)]))
  return { names, target: 'library' }
}

const libraryKey = 'the library'
/** What they make is frozen, and can only be looked at; and whatever constants they are given, they run none of them. */
const pureConstructors = 'definePolicy setOf mapOf tableOf allow ask deny context notice rewrite stop'.split(' ')

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

/** Lengths go before contents, so that no two policies are one text. */
function addTo(linking: Linking, file: string, text: string): void {
  const path = relative(linking.folder, file).replaceAll(sep, '/')
  for (const part of [path, text]) linking.hash.update(`${Buffer.byteLength(part)}\n${part}`)
}
